#include "service/report/opfs_sync_write.hpp"

#include <algorithm>

#include "service/report/numbers.hpp"

namespace foxbench::report {
namespace {

/// A first call that takes this many times the 99th percentile is pointed out.
constexpr double kFarAbove = 3;

bool is_chunked(const std::string& series) {
    return series.starts_with("chunked-append (");
}

std::string one(double value) {
    return decimal(value, 1);
}

/// The lines of one target, made one after another.
class Lines {
public:
    explicit Lines(const std::vector<LatencyRow>& rows)
        : rows_(rows),
          append_(find_row(rows, "small-append")),
          overwrite_(find_row(rows, "small-overwrite")),
          flush_(find_row(rows, "append+flush")),
          create_(find_row(rows, "new-file: create+open")),
          write_(find_row(rows, "new-file: first write")),
          close_(find_row(rows, "new-file: close")),
          remove_(find_row(rows, "new-file: delete")),
          cycle_(find_row(rows, "new-file: full cycle")) {}

    std::vector<DerivedLine> make() {
        mean_and_p50("fixed-per-call-floor", "Fixed per-call floor (small-overwrite, size never changes)", overwrite_);
        mean_and_p50("size-growing-write", "Size-growing write (small-append)", append_);
        cost_of_growth();
        for (const auto& row : rows_) {
            if (is_chunked(row.series)) same_bytes(row);
        }
        cost_of_flush();
        for (const auto& row : rows_) {
            if (&row == append_ || is_chunked(row.series) || &row == flush_) first_call(row);
        }
        per_file();
        per_file_without_delete();
        first_write();
        return std::move(lines_);
    }

private:
    static bool has_mean(const LatencyRow* row) { return row != nullptr && row->figures.mean_us; }
    static double mean(const LatencyRow* row) { return *row->figures.mean_us; }
    static double mean_ms(const LatencyRow* row) { return mean(row) / 1000; }

    void add(std::string id, std::string text, std::vector<std::pair<std::string, double>> figures) {
        lines_.push_back({std::move(id), std::move(text), std::move(figures)});
    }

    void mean_and_p50(const char* id, const std::string& what, const LatencyRow* row) {
        if (!has_mean(row) || !row->figures.summary.p50_us) return;
        const double p50 = *row->figures.summary.p50_us;
        add(id, what + ": " + one(mean(row)) + " µs/call mean, " + one(p50) + " µs p50",
            {{"mean_us", mean(row)}, {"p50_us", p50}});
    }

    void cost_of_growth() {
        if (!has_mean(append_) || !has_mean(overwrite_)) return;
        const auto& append_p50 = append_->figures.summary.p50_us;
        const auto& overwrite_p50 = overwrite_->figures.summary.p50_us;
        if (!append_p50 || !overwrite_p50) return;
        const double by_mean = mean(append_) - mean(overwrite_);
        const double by_p50 = *append_p50 - *overwrite_p50;
        add("extra-cost-of-growth",
            "Extra cost per call when the write grows the file (append − overwrite): " + one(by_mean) + " µs mean, " +
                one(by_p50) + " µs p50",
            {{"mean_us", by_mean}, {"p50_us", by_p50}});
    }

    void same_bytes(const LatencyRow& chunked) {
        if (append_ == nullptr || !append_->bytes_per_call || !chunked.bytes_per_call || !chunked.bytes_total) return;
        const auto& large = chunked.figures.summary;
        const auto& small = append_->figures.summary;
        if (!large.calls || !large.total_ms || !large.mb_per_s || !small.calls || !small.total_ms ||
            *large.total_ms <= 0)
            return;
        const double times = *small.total_ms / *large.total_ms;
        const auto bytes = static_cast<double>(*chunked.bytes_total);
        add("same-bytes-in-chunks",
            "Same " + megabytes(bytes) + " MB in " + integer(*large.calls) + " × " +
                size_in_words(*chunked.bytes_per_call) + " calls: " + one(*large.total_ms) + " ms (" +
                decimal(*large.mb_per_s, 0) + " MB/s) vs " + one(*small.total_ms) + " ms for " + integer(*small.calls) +
                " × " + size_in_words(*append_->bytes_per_call) + "; the small calls are " + one(times) +
                "× slower for the same bytes",
            {{"bytes", bytes},
             {"calls", static_cast<double>(*large.calls)},
             {"bytes_per_call", static_cast<double>(*chunked.bytes_per_call)},
             {"total_ms", *large.total_ms},
             {"mb_per_s", *large.mb_per_s},
             {"small_total_ms", *small.total_ms},
             {"small_calls", static_cast<double>(*small.calls)},
             {"small_bytes_per_call", static_cast<double>(*append_->bytes_per_call)},
             {"times_slower", times}});
    }

    void cost_of_flush() {
        if (!has_mean(flush_) || !has_mean(append_)) return;
        const double added = mean(flush_) - mean(append_);
        add("flush-after-every-write",
            "flush() after every write adds " + one(added) +
                " µs/call on top of small-append (append+flush: " + one(mean(flush_)) + " µs/call mean)",
            {{"added_us", added}, {"mean_us", mean(flush_)}});
    }

    void first_call(const LatencyRow& row) {
        const auto& figures = row.figures.summary;
        if (!figures.first_us || !figures.p50_us || !figures.p99_us || !figures.first_min_us || !figures.first_max_us)
            return;
        std::string text = row.series + ": first call into the fresh file " + one(*figures.first_us) + " µs vs p50 " +
                           one(*figures.p50_us) + " / p99 " + one(*figures.p99_us) + " µs; across runs " +
                           one(*figures.first_min_us) + "–" + one(*figures.first_max_us) + " µs";
        if (*figures.first_us >= kFarAbove * *figures.p99_us) text += " (far above p99)";
        add("first-call", std::move(text),
            {{"first_us", *figures.first_us},
             {"p50_us", *figures.p50_us},
             {"p99_us", *figures.p99_us},
             {"first_min_us", *figures.first_min_us},
             {"first_max_us", *figures.first_max_us}});
    }

    void per_file() {
        if (!has_mean(cycle_) || !cycle_->figures.summary.ops_per_s) return;
        if (!has_mean(create_) || !has_mean(write_) || !has_mean(close_) || !has_mean(remove_)) return;
        const double files_per_s = *cycle_->figures.summary.ops_per_s;
        add("per-file",
            "new-file: " + one(mean_ms(cycle_)) + " ms per file (" + integer(files_per_s) + " files/s) = create+open " +
                one(mean_ms(create_)) + " + first write " + one(mean_ms(write_)) + " + close " + one(mean_ms(close_)) +
                " + delete " + one(mean_ms(remove_)) + " ms",
            {{"full_cycle_ms", mean_ms(cycle_)},
             {"files_per_s", files_per_s},
             {"create_open_ms", mean_ms(create_)},
             {"first_write_ms", mean_ms(write_)},
             {"close_ms", mean_ms(close_)},
             {"delete_ms", mean_ms(remove_)}});
    }

    void per_file_without_delete() {
        if (!has_mean(create_) || !has_mean(write_) || !has_mean(close_)) return;
        const double sum = (mean(create_) + mean(write_) + mean(close_)) / 1000;
        add("per-file-without-delete",
            "new-file without delete (what populating OPFS pays per file): " + one(sum) + " ms", {{"sum_ms", sum}});
    }

    void first_write() {
        if (!has_mean(write_) || !write_->bytes_per_call || !has_mean(append_)) return;
        add("first-write-into-a-new-file",
            "First write into a new file (" + size_in_words(*write_->bytes_per_call) + "): " + one(mean(write_)) +
                " µs vs " + one(mean(append_)) + " µs per small-append call",
            {{"first_write_us", mean(write_)}, {"small_append_us", mean(append_)}});
    }

    const std::vector<LatencyRow>& rows_;
    const LatencyRow* append_;
    const LatencyRow* overwrite_;
    const LatencyRow* flush_;
    const LatencyRow* create_;
    const LatencyRow* write_;
    const LatencyRow* close_;
    const LatencyRow* remove_;
    const LatencyRow* cycle_;
    std::vector<DerivedLine> lines_;
};

}  // namespace

std::vector<DerivedLine> opfs_derived_lines(const std::vector<LatencyRow>& rows) {
    return Lines(rows).make();
}

std::vector<std::string> opfs_expected_series(const document::Json& config) {
    const auto chosen = [&](const char* name) {
        const auto cases = config.find("cases");
        return cases == config.end() || !cases->is_array() ||
               std::find(cases->begin(), cases->end(), name) != cases->end();
    };
    std::vector<std::string> series;
    if (chosen("small-append")) series.emplace_back("small-append");
    if (chosen("small-overwrite")) series.emplace_back("small-overwrite");
    const auto chunks = config.find("chunks");
    if (chosen("chunked-append") && chunks != config.end() && chunks->is_array()) {
        for (const auto& chunk : *chunks) {
            if (!chunk.is_number_integer()) continue;
            series.push_back("chunked-append (" + size_in_words(chunk.get<std::int64_t>()) + ")");
        }
    }
    if (chosen("append+flush")) series.emplace_back("append+flush");
    if (chosen("new-file")) {
        for (const char* step : {"create+open", "first write", "close", "delete", "full cycle"}) {
            series.push_back(std::string("new-file: ") + step);
        }
    }
    return series;
}

}  // namespace foxbench::report
