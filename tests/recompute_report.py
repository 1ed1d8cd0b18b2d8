#!/usr/bin/env python3
"""Recomputes every figure of a report from the samples of its run document.

    recompute_report.py run.json summary.md

A second implementation of docs/report-format.md, plain on purpose: it shares nothing with the one that wrote the report. Prints a
line for each figure that differs, is missing, or is not understood, and exits with 1 if there was any. Covers the lines under the
title, both cost tables, and of each browser its environment, sentence, detail table and Derived lines.
"""

import json
import re
import sys
from decimal import ROUND_HALF_UP, Decimal

DASH = "–"
APPEND, OVERWRITE, FLUSH = "small-append", "small-overwrite", "append+flush"
CREATE, WRITE, CLOSE = "new-file: create+open", "new-file: first write", "new-file: close"
DELETE, CYCLE = "new-file: delete", "new-file: full cycle"

problems = []


def problem(where, what):
    problems.append(f"{where}: {what}")


def compare(where, printed, expected):
    if printed != expected:
        problem(where, f"the report says {printed!r}, the samples give {expected!r}")


# Numbers

def rounded(value, decimals):
    """Decimal, on the exact value of the double, ties away from zero, never -0."""
    text = format(Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP), "f")
    return text.lstrip("-") if not text.strip("-0.") else text


def commas(value):
    return format(int(rounded(value, 0)), ",")


def cost(us):
    if us >= 10000:
        return rounded(us / 1000, 1) + " ms"
    return rounded(us, 0 if us >= 100 else 1) + " µs"


def total(ms):
    return rounded(ms / 1000, 1) + " s" if ms >= 1000 else rounded(ms, 1) + " ms"


def ratio(value):
    return rounded(value, 0 if value >= 100 else 1) + "×"


def resolution(us):
    return rounded(us, 0 if us >= 10 else 1) + " µs"


def size(n):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if n and n % unit == 0:
            return f"{n // unit} {name}"
    return f"{n} B"


def megabytes(n):
    return rounded(n / 1e6, 1 if n / 1e6 < 10 else 0)


# Figures of a series, from its samples

def percentile(values, percent):
    return sorted(values)[-(-len(values) * percent // 100) - 1]


def figures_of(series_of_launches):
    passes = [p for series in series_of_launches for p in series.get("passes", [])]
    by_total = sorted(passes, key=lambda p: p["total_ms"])
    median = by_total[(len(passes) - 1) // 2]
    latencies, seconds, calls = median["latencies_us"], median["total_ms"] / 1000, len(median["latencies_us"])
    written = series_of_launches[0].get("bytes_total")
    firsts = [p["latencies_us"][0] for p in passes if p["latencies_us"]]
    return {
        "table": series_of_launches[0].get("table", "per-call"),
        "bytes": series_of_launches[0].get("bytes_per_call"),
        "written": written,
        "calls": calls,
        "total": median["total_ms"],
        "least": by_total[0]["total_ms"],
        "most": by_total[-1]["total_ms"],
        "mean": median["total_ms"] * 1000 / calls if calls else None,
        "ops": calls / seconds if seconds > 0 and calls else None,
        "rate": written / 1e6 / seconds if written is not None and seconds > 0 else None,
        "p50": percentile(latencies, 50) if calls else None,
        "p90": percentile(latencies, 90) if calls else None,
        "p99": percentile(latencies, 99) if calls else None,
        "max": max(latencies) if calls else None,
        "first": latencies[0] if calls else None,
        "first least": min(firsts) if firsts else None,
        "first most": max(firsts) if firsts else None,
    }


def series_of(target):
    found = {}
    for launch in target["launches"]:
        for series in launch["series"]:
            if series.get("passes"):
                found.setdefault(series["name"], []).append(series)
            elif "summary" in series:
                problem(series["name"], "has no samples, so nothing can be recomputed")
    return {name: figures_of(launches) for name, launches in found.items()}


# Names and texts

def plain(text):
    text = re.sub(r"\r\n|[\r\n\u2028\u2029]", " ", text)
    text = re.sub(r"[\x00-\x1f\x7f-\x9f]", "", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def in_cell(text):
    return plain(text).replace("|", "\\|")


def headers_of(targets):
    names = []
    for target in targets:
        browser = target["browser"]
        names.append((browser["name"] + " " + browser["version"].split(".")[0]).strip())
    return [n if names.count(n) == 1 else f"{n} ({t['name']})" for n, t in zip(names, targets)]


def configuration(config):
    parts = []
    for name, letter in (("preset", "preset"), ("calls", "N"), ("bytes", "S"), ("chunks", "chunks"), ("passes", "R"), ("files", "M")):
        value = config.get(name)
        if value is None or value == []:
            continue
        if name == "chunks":
            value = " / ".join(size(chunk) for chunk in value)
        parts.append(f"{letter}={value}" + (" B" if name == "bytes" else ""))
    return ", ".join(parts)


# The report in pieces

def sections_of(markdown):
    """[(heading, lines)]; the first has the lines under the title."""
    sections = [("", [])]
    for line in markdown.splitlines():
        if line.startswith("## "):
            sections.append((line[3:], []))
        else:
            sections[-1][1].append(line)
    return sections


def rows_of(lines):
    rows = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def check_rows(where, lines, columns, expected):
    """`expected`: row's name -> cells behind it."""
    rows = rows_of(lines)
    if not rows:
        return problem(where, "the table is missing")
    compare(f"{where}, header", rows[0], columns)
    seen = set()
    for row in rows[2:]:
        name, cells = row[0], row[1:]
        if name not in expected or name in seen:
            problem(where, f"a row for {name!r} that the document does not give")
            continue
        seen.add(name)
        if len(cells) != len(expected[name]):
            problem(f"{where}, {name}", f"{len(cells)} cells where {len(expected[name])} belong")
        for column, printed, wanted in zip(columns[1:], cells, expected[name]):
            compare(f"{where}, {name}, {column}", printed, wanted)
    for name in expected:
        if name not in seen:
            problem(where, f"no row for {name!r}")


def shown(value, write):
    return DASH if value is None else write(value)


def one(value):
    return rounded(value, 1)


# Checks

def check_head(document, lines):
    found = {}
    for line in lines:
        name, _, rest = line.strip().partition(": ")
        found.setdefault(name, rest)
    host = document.get("host") or {}
    if "threads" in host and f"({host['threads']} threads)" not in found.get("Host", ""):
        problem("Host", f"does not say ({host['threads']} threads)")
    if "memory_bytes" in host and f"{rounded(host['memory_bytes'] / 1e9, 0)} GB" not in found.get("Host", ""):
        problem("Host", f"does not say {rounded(host['memory_bytes'] / 1e9, 0)} GB")
    compare("Config", found.get("Config"), configuration(document["config"]))
    compare("Browsers", found.get("Browsers"), ", ".join(plain(h) for h in headers_of(document["targets"])))
    if document.get("started_at"):
        compare("Date", found.get("Date"), document["started_at"])


def check_cost_table(where, lines, headers, all_series, table):
    names = []
    for series in all_series:
        names += [n for n in series if series[n]["table"] == table and n not in names]
    if not names:
        if rows_of(lines):
            problem(where, "is there though nothing was measured for it")
        return
    headers = [in_cell(h) for h in headers]
    columns = ["Workload"] + [h + " µs/call" for h in headers] + [f"{h} ÷ {headers[0]}" for h in headers[1:]]
    columns += [h + " total" for h in headers]
    expected = {}
    for name in names:
        means = [series[name]["mean"] if name in series else None for series in all_series]
        cells = [shown(mean, cost) for mean in means]
        for mean in means[1:]:
            cells.append(ratio(mean / means[0]) if mean is not None and means[0] else DASH)
        cells += [total(series[name]["total"]) if name in series else DASH for series in all_series]
        expected[in_cell(name)] = cells
    check_rows(where, lines, columns, expected)


def check_detail_table(where, lines, series):
    columns = ["Workload", "Calls", "Bytes/call", "Total (ms)", "Total min–max (ms)", "ops/s", "MB/s",
               "p50 (µs)", "p90 (µs)", "p99 (µs)", "max (µs)", "1st call (µs)"]
    expected = {}
    for name, f in series.items():
        expected[in_cell(name)] = [
            commas(f["calls"]), shown(f["bytes"], commas), one(f["total"]), one(f["least"]) + DASH + one(f["most"]),
            shown(f["ops"], commas), shown(f["rate"], one), shown(f["p50"], one), shown(f["p90"], one), shown(f["p99"], one),
            shown(f["max"], one), shown(f["first"], one)]
    check_rows(where, lines, columns, expected)


def derived_lines(series):
    """[(what it is, its text with a {} for each figure, the figures)], in order."""
    has = series.__contains__
    lines = []

    def add(text, *values):
        lines.append((text, list(values)))

    def mean(name):
        return series[name]["mean"]

    if has(OVERWRITE):
        add("Fixed per-call floor (small-overwrite, size never changes): {} µs/call mean, {} µs p50",
            one(mean(OVERWRITE)), one(series[OVERWRITE]["p50"]))
    if has(APPEND):
        add("Size-growing write (small-append): {} µs/call mean, {} µs p50", one(mean(APPEND)), one(series[APPEND]["p50"]))
    if has(APPEND) and has(OVERWRITE):
        add("Extra cost per call when the write grows the file (append − overwrite): {} µs mean, {} µs p50",
            one(mean(APPEND) - mean(OVERWRITE)), one(series[APPEND]["p50"] - series[OVERWRITE]["p50"]))
    chunked = [name for name in series if name.startswith("chunked-append (")]
    for name in chunked:
        if not has(APPEND):
            break
        big, small = series[name], series[APPEND]
        add("Same {} MB in {} × {} calls: {} ms ({} MB/s) vs {} ms for {} × {}; the small calls are {}× slower for the same bytes",
            megabytes(big["written"]), commas(big["calls"]), size(big["bytes"]), one(big["total"]), rounded(big["rate"], 0),
            one(small["total"]), commas(small["calls"]), size(small["bytes"]), one(small["total"] / big["total"]))
    if has(APPEND) and has(FLUSH):
        add("flush() after every write adds {} µs/call on top of small-append (append+flush: {} µs/call mean)",
            one(mean(FLUSH) - mean(APPEND)), one(mean(FLUSH)))
    for name in series:
        if name not in (APPEND, FLUSH) and name not in chunked:
            continue
        f = series[name]
        far = " (far above p99)" if f["first"] >= 3 * f["p99"] else ""
        add(plain(name) + ": first call into the fresh file {} µs vs p50 {} / p99 {} µs; across runs {}–{} µs" + far,
            one(f["first"]), one(f["p50"]), one(f["p99"]), one(f["first least"]), one(f["first most"]))
    if all(map(has, (CREATE, WRITE, CLOSE, DELETE, CYCLE))):
        add("new-file: {} ms per file ({} files/s) = create+open {} + first write {} + close {} + delete {} ms",
            one(mean(CYCLE) / 1000), commas(series[CYCLE]["ops"]), one(mean(CREATE) / 1000), one(mean(WRITE) / 1000),
            one(mean(CLOSE) / 1000), one(mean(DELETE) / 1000))
    if all(map(has, (CREATE, WRITE, CLOSE))):
        add("new-file without delete (what populating OPFS pays per file): {} ms",
            one((mean(CREATE) + mean(WRITE) + mean(CLOSE)) / 1000))
    if has(WRITE) and has(APPEND):
        add("First write into a new file ({}): {} µs vs {} µs per small-append call",
            size(series[WRITE]["bytes"]), one(mean(WRITE)), one(mean(APPEND)))
    return lines


def check_derived(where, lines, series):
    expected = derived_lines(series)
    printed = []
    if "Derived:" in lines:
        printed = [line[2:] for line in lines[lines.index("Derived:") + 1:] if line.startswith("- ")]
    if len(printed) != len(expected):
        problem(where, f"{len(printed)} Derived lines where the document gives {len(expected)}")
    for number, line in enumerate(printed):
        for template, figures in expected:
            pattern = "(.+?)".join(re.escape(part) for part in template.split("{}"))
            match = re.fullmatch(pattern, line)
            if match:
                for index, (found, wanted) in enumerate(zip(match.groups(), figures)):
                    compare(f"{where}, Derived line {number + 1} ({line[:40]}...), figure {index + 1}", found, wanted)
                expected.remove((template, figures))
                break
        else:
            problem(where, f"a Derived line that the document does not give: {line!r}")
    for template, _ in expected:
        problem(where, f"no Derived line {template!r}")


def check_sentence(where, lines, document, target):
    sentence = next((line for line in lines if line.startswith("Median run of R=")), None)
    if sentence is None:
        return problem(where, "no sentence on the median run")
    passes = document["config"]["passes"]
    launches = sum(any(s.get("passes") for s in launch["series"]) for launch in target["launches"])
    expected = f"Median run of R={launches * passes}" + (f" ({launches} launches × {passes})" if launches > 1 else "")
    compare(f"{where}, sentence", sentence.split(" (by total time)")[0], expected)


def check_environment(where, lines, document, target):
    seen = next((launch["environment"] for launch in target["launches"] if launch.get("environment")), {})
    expected = ["- Config: " + configuration(document["config"])]
    if "hardware_concurrency" in seen:
        expected.append(f"- Platform: {seen['platform']}; hardwareConcurrency: {seen['hardware_concurrency']}")
    if "timer_resolution_us" in seen:
        isolated = str(seen["cross_origin_isolated"]).lower()
        step = resolution(seen["timer_resolution_us"])
        expected.append(f"- performance.now() resolution in the worker: {step} (crossOriginIsolated: {isolated})")
    estimate = seen.get("storage_estimate") or {}
    if "usage" in estimate and "quota" in estimate:
        expected.append(f"- navigator.storage.estimate(): {one(estimate['usage'] / 1e6)} MB used of "
                        f"{rounded(estimate['quota'] / 1e6, 0)} MB")
    for line in expected:
        if line not in lines:
            problem(f"{where}, Environment", f"no line {line!r}")


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: recompute_report.py run.json summary.md")
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        sections = sections_of(file.read())

    targets = document["targets"]
    headers = headers_of(targets)
    all_series = [series_of(target) for target in targets]
    by_heading = dict(sections)
    check_head(document, sections[0][1])
    for title, table in (("Per-call write cost", "per-call"), ("Per-file cost", "per-file")):
        heading = f"{title} (median run, mean time per call)"
        check_cost_table(title, by_heading.get(heading, []), headers, all_series, table)
    for header, target, series in zip(headers, targets, all_series):
        lines = by_heading.get(plain(header))
        if lines is None:
            problem(header, "has no section")
            continue
        check_environment(header, lines, document, target)
        if series:
            check_sentence(header, lines, document, target)
            check_detail_table(header, lines, series)
            check_derived(header, lines, series)
    if not any(all_series):
        problem(sys.argv[1], "has no samples")

    for line in problems:
        print(line)
    figures = sum(len(series) for series in all_series)
    print(f"{figures} series of {len(targets)} browsers: " + (f"{len(problems)} problems" if problems else "every figure agrees"))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
