#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

/// The run document: everything about one run as one value, and the only thing that reports, comparisons and the store
/// are given. See docs/run-document.md. Plain values: copies are independent, and no function here has state.
namespace foxbench::document {

/// Keeps the members' order, so that a document is written as its reader expects to find it.
using Json = nlohmann::ordered_json;

inline constexpr const char* kFormat = "foxbench-run";
inline constexpr int kVersion = 1;

/// The two tables of a report; a series belongs to one of them.
inline constexpr const char* kPerCall = "per-call";
inline constexpr const char* kPerFile = "per-file";

/// A label and a note are free text of up to this many characters (code points) where somebody asks for a run.
inline constexpr std::size_t kMaxLabelCharacters = 100;
inline constexpr std::size_t kMaxNoteCharacters = 2000;

/// Where a run stands. Only `completed` runs take part in comparisons unless asked for.
enum class RunState { queued, running, completed, partial, failed, cancelled, invalid };

[[nodiscard]] const char* to_string(RunState state) noexcept;
/// Whether the run has ended, one way or another: all but `queued` and `running`.
[[nodiscard]] bool is_final(RunState state) noexcept;
/// Throws foxbench::Error (usage) for an unknown word, naming the known ones.
[[nodiscard]] RunState run_state_from(const std::string& word);

/// One execution of all calls of a series on a fresh file. In every struct below `extra` holds the members that this
/// version does not know, and known ones that were given as null (an object, or null where there are none): they are
/// kept on import and written again on export, unless the typed member has got a value since.
struct Pass {
    double total_ms = 0;  ///< around the whole loop, or the sum of the latencies (docs/report-format.md)
    std::optional<double> started_at_ms;  ///< wall clock, milliseconds since 1970
    std::optional<double> finished_at_ms;
    std::vector<double> latencies_us;  ///< every call, in call order, three decimals at most
    std::optional<Json> verified;      ///< what was checked of what was written: {"size", "blocks", "bytes"}
    Json extra;
};

/// The figures of a series whose samples are not there: imported from a report, or removed by retention. Empty is
/// unknown (null).
struct SeriesSummary {
    std::optional<std::int64_t> calls;
    std::optional<double> total_ms, total_min_ms, total_max_ms, ops_per_s, mb_per_s;
    std::optional<double> p50_us, p90_us, p99_us, max_us, first_us, first_min_us, first_max_us;
    std::vector<std::string> absent;  ///< figures that the document read does not mention: not written as null either
    Json extra;
};

/// One row of a table, as one launch measured it.
struct Series {
    std::string name;  ///< "small-append", "new-file: close", ...
    std::string table = kPerCall;
    std::optional<std::int64_t> bytes_per_call;  ///< empty (null) where no bytes are written
    std::optional<std::int64_t> bytes_total;     ///< of one pass; empty likewise
    std::optional<Pass> warmup;
    std::vector<Pass> passes;
    std::optional<SeriesSummary> summary;  ///< in place of warmup and passes
    std::vector<std::string> absent;       ///< as in SeriesSummary, of the two byte counts
    Json extra;
};

/// What the worker saw of the browser around it.
struct Environment {
    std::optional<std::string> user_agent, platform, timestamp;
    std::optional<std::int64_t> hardware_concurrency;
    std::optional<double> timer_resolution_us;  ///< smallest positive step of performance.now()
    std::optional<bool> cross_origin_isolated;
    std::optional<double> storage_usage_bytes;  ///< storage_estimate.usage; of the site, not the origin
    std::optional<double> storage_quota_bytes;  ///< storage_estimate.quota; likewise
    Json extra;
};

/// One browser process with a profile of its own.
struct Launch {
    std::optional<Environment> environment;
    std::optional<Json> noise;           ///< what host/ saw before and during
    std::optional<std::string> failure;  ///< why this launch has less than was asked, one line
    std::vector<Series> series;
    Json extra;
};

/// A build's identity.
struct Browser {
    std::string name = "Firefox";
    std::string version;  ///< empty in a run that has not begun: nobody has looked at the browser yet
    std::optional<std::string> build_id, source_repository, source_stamp, binary, sha256;
    std::optional<bool> local_build;
    Json extra;
};

/// A build to measure and what it was measured with.
struct Target {
    std::string name;
    Browser browser;
    std::optional<Json> prefs, env;  ///< objects
    std::optional<std::string> note;
    std::vector<Launch> launches;
    Json extra;
};

/// The machine.
struct Host {
    std::optional<std::string> name, id, cpu, os, kernel, arch;
    std::optional<std::int64_t> threads;
    std::optional<double> memory_bytes;
    Json extra;
};

/// The filesystem of the profiles, which is what is measured.
struct Profiles {
    std::optional<std::string> filesystem, mount, device, options;
    Json extra;
};

struct RunDocument {
    std::string id;
    std::string workload;
    std::optional<std::string> label, note, reason, started_at, finished_at;
    RunState state = RunState::completed;
    std::optional<Json> trigger;  ///< {"kind": "cli" | "http" | "schedule" | "confirm", "name"?}
    std::optional<Host> host;
    std::optional<Profiles> profiles;
    Json config = Json::object();  ///< preset, launches, and the workload's parameters by name
    std::vector<Target> targets;
    std::optional<std::string> report_markdown;  ///< of a run imported from a report: its text, word for word
    Json extra;
};

/// Reads a document. Throws foxbench::Error: `usage` for what is no run document (with the JSON pointer of the fault),
/// `unsupported` for a newer version. Names are unique among the targets of a run and among the series of a launch.
[[nodiscard]] RunDocument from_json(const Json& json);
/// The same from text; `origin` names the source in messages ("file.json"). Also refuses text that parse_json() refuses
/// (json_text.hpp): no JSON, duplicate members, nesting beyond its limit.
[[nodiscard]] RunDocument parse(std::string_view text, std::string_view origin);
/// Writes a document; from_json(to_json(d)) is d, and to_json(from_json(j)) equals j as JSON (1 and 1.0 are one number,
/// and the order of members means nothing).
[[nodiscard]] Json to_json(const RunDocument& document);

}  // namespace foxbench::document
