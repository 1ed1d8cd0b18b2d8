#include "service/run/launch_recorder.hpp"

#include "service/error.hpp"
#include "service/run/offload.hpp"

namespace foxbench::run {
namespace {

/// More would be a page gone mad, and its log is not what is measured.
constexpr std::size_t kMaxAnomalies = 20;

document::Series described(const workload::PlannedSeries& planned) {
    document::Series series;
    series.name = planned.name;
    series.table = planned.table;
    series.bytes_per_call = planned.bytes_per_call;
    series.bytes_total = planned.bytes_total;
    return series;
}

}  // namespace

LaunchRecorder::LaunchRecorder(store::Store& store, boost::asio::thread_pool& pool, RunListener& listener, Place place,
                               document::Launch& launch)
    : store_(store), pool_(pool), listener_(listener), place_(place), launch_(launch) {
    begin_sequence(0);
}

bidi::Task<> LaunchRecorder::on_environment(document::Environment environment) {
    launch_.environment = std::move(environment);
    co_await store_launch();
    tell_next(0, 0);
    last_pass_at_ = Clock::now();
}

bidi::Task<> LaunchRecorder::on_pass(measure::FinishedPass finished) {
    if (finished.sequence != sequence_) begin_sequence(finished.sequence);
    const bool warmup = finished.pass == 0;

    std::vector<store::PassRecord> records;
    for (std::size_t i = 0; i < series_.size(); ++i) {
        const auto index =
            warmup ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(finished.pass - 1));
        records.push_back({first_position_ + i, series_[i], index, finished.series[i]});
    }
    co_await in_store([&] { store_.add_passes(place_.run, place_.key, records); });

    ++passes_stored_;
    ++place_.progress.passes_stored;
    const auto now = Clock::now();
    place_.clock.finished(finished.sequence, std::chrono::duration<double>(now - last_pass_at_).count());
    last_pass_at_ = now;
    if (!warmup) {
        ++measured_passes_stored_;
        for (std::size_t i = 0; i < series_.size(); ++i) series_[i].passes.push_back(std::move(finished.series[i]));
    }
    if (finished.pass == place_.plan.passes) {
        for (const auto& series : series_) listener_.on_series(place_.progress, series.name, stats::summarise(series));
        tell_next(finished.sequence + 1, 0);
    } else {
        tell_next(finished.sequence, finished.pass + 1);
    }
}

void LaunchRecorder::on_anomaly(const std::string& what) {
    auto& anomalies = launch_.extra["anomalies"];
    if (anomalies.size() >= kMaxAnomalies) return;
    anomalies.push_back(what);
    listener_.on_trouble(what);
}

bidi::Task<> LaunchRecorder::store_launch() {
    co_await in_store([&] { store_.update_launch(place_.run, place_.key, launch_); });
}

void LaunchRecorder::begin_sequence(std::size_t sequence) {
    sequence_ = sequence;
    first_position_ = 0;
    for (std::size_t i = 0; i < sequence; ++i) first_position_ += place_.plan.sequences[i].series.size();
    series_.clear();
    for (const auto& planned : place_.plan.sequences[sequence].series) series_.push_back(described(planned));
}

void LaunchRecorder::tell_next(std::size_t sequence, std::int64_t pass) {
    if (sequence < place_.plan.sequences.size()) {
        const auto& next = place_.plan.sequences[sequence];
        place_.progress.series = next.series.size() == 1 ? next.series.front().name : next.case_name;
        place_.progress.pass = pass;
    } else {
        place_.progress.series.clear();
    }
    place_.progress.eta_seconds = place_.clock.eta_seconds();
    listener_.on_progress(place_.progress);
}

template <class Work>
bidi::Task<> LaunchRecorder::in_store(Work work) {
    try {
        co_await offload(pool_, std::move(work));
    } catch (const Error&) {
        store_failure_ = std::current_exception();
        throw;
    }
}

}  // namespace foxbench::run
