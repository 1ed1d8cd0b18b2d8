#pragma once

#include <string>

#include "service/document/run_document.hpp"

/// Documents for tests.
namespace foxbench::document {

/// A document with a value in every member of every level, with unknown members and explicit nulls at every level: two
/// targets, two launches, series of both tables, one with a summary alone.
[[nodiscard]] inline std::string maximal_document_text() {
    return R"json({
  "format": "foxbench-run", "version": 1, "id": "2026-09-15_22-13-00-local-wal-full", "workload": "opfs-sync-write",
  "label": "local wal/full", "note": "Zeile 1\nline 2 <b>", "state": "partial", "reason": "the browser crashed",
  "trigger": {"kind": "schedule", "name": "nightly", "firing": "2026-09-15"},
  "started_at": "2026-09-16T05:13:01.982Z", "finished_at": "2026-09-16T05:23:01.982Z",
  "host": {"name": "lab-3", "id": "5f2c", "cpu": "AMD Ryzen 7", "threads": 16,
           "memory_bytes": 65000000000, "os": "linux", "kernel": "7.0.0", "arch": "x64", "rack": [1, {"a": null}]},
  "profiles": {"filesystem": "ext4", "mount": "/", "device": "/dev/sda", "options": "rw", "inodes": 1, "uuid": null},
  "config": {"preset": "quick+overrides", "calls": 3, "bytes": 4096, "chunks": [65536, 1048576],
             "passes": 2, "files": 2, "cases": ["small-append", "new-file"], "launches": 2,
             "of another workload": {"x": 1.5}},
  "from the future": {"deep": [{"er": [null, true, 1e-3]}]},
  "targets": [
    {"name": "wal-full",
     "browser": {"name": "Firefox", "version": "158.0a1", "build_id": "20260915",
                 "source_repository": "https://hg.mozilla.org/x",
                 "source_stamp": "8d76a2ba4c", "binary": "/path/firefox", "sha256": "00ff",
                 "local_build": true, "channel": "nightly"},
     "prefs": {"some.pref": true, "n": 1, "s": "x"}, "env": {"A": "b"}, "note": "patched", "extra of a target": 0,
     "launches": [
       {"environment": {"user_agent": "UA", "platform": "Linux x86_64", "hardware_concurrency": 16,
                        "timestamp": "2026-09-16T05:13:01.982Z", "timer_resolution_us": 20,
                        "cross_origin_isolated": true,
                        "storage_estimate": {"usage": 2000000, "quota": 10737418240, "usageDetails": {"fileSystem": 3}},
                        "webdriver": false},
        "noise": {"load": [0.1, 0.2, 0.3], "governor": "performance"}, "failure": "closed after pass 1", "pid": 4711,
        "series": [
          {"name": "small-append", "table": "per-call", "bytes_per_call": 4096, "bytes_total": 12288, "unit": "us",
           "warmup": {"total_ms": 91.2, "latencies_us": [120, 40.1, 0.001], "gc": 1},
           "passes": [{"total_ms": 80.06, "started_at_ms": 1789535582010.1, "finished_at_ms": 1789535582090.25,
                       "verified": {"size": 12288, "blocks": 3, "bytes": 12288},
                       "latencies_us": [120, 40, 36.228], "note": "x"},
                      {"total_ms": 81, "latencies_us": [0, 1e6, 16420.5], "started_at_ms": null}]},
          {"name": "new-file: close", "table": "per-file", "bytes_per_call": null, "bytes_total": null, "passes": []}]},
       {"series": [], "environment": {"storage_estimate": {"other": 1}}, "noise": {}}]},
    {"name": "firefox", "browser": {"name": "Firefox", "version": "153.0esr"}, "note": null,
     "launches": [{"series": [
       {"name": "small-append", "table": "per-call", "bytes_per_call": 4096, "bytes_total": 12288, "passes": [],
        "summary": {"calls": 2000, "total_ms": 80.1, "total_min_ms": 79.9, "total_max_ms": 81.5,
                    "ops_per_s": 24981, "mb_per_s": 102.3,
                    "p50_us": 40, "p90_us": 40, "p99_us": 60, "max_us": 2000, "first_us": 120, "first_min_us": 100,
                    "first_max_us": 140, "p999_us": 80}},
       {"name": "append+flush", "table": "per-call", "bytes_per_call": null, "bytes_total": null,
        "summary": {"calls": 2000, "total_ms": null, "p50_us": null}}]}]}],
  "report_markdown": "# A report\n\n| a | b |\n"
})json";
}

}  // namespace foxbench::document
