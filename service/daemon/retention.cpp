#include "service/daemon/retention.hpp"

#include <boost/asio.hpp>

#include "service/log/log.hpp"
#include "service/run/run_files.hpp"
#include "service/store/results_folder.hpp"

namespace foxbench::daemon {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::hours kPeriod{1};
/// The start has better things to do.
constexpr std::chrono::minutes kFirst{1};
/// Between two runs, so that requests and a beginning measurement come in between.
constexpr std::chrono::milliseconds kBreath{50};
/// More in one round are not the runs' own faults but the disk's, say.
constexpr std::size_t kMostFaults = 20;

/// False where there was nothing to do.
bool prune(store::Store& store, const store::PruneItem& item) {
    if (!store.prune_one(item)) return false;
    if (item.what == store::PruneItem::What::run) {
        store::remove_run_folder(store.results_dir(), item.run);
    } else {
        run::write_run_files(store, item.run);
    }
    return true;
}

}  // namespace

std::optional<Pruned> prune_next(store::Store& store, const store::RetentionPolicy& policy, std::int64_t now_ms,
                                 Unprunable& failed) {
    for (const auto& item : store.prune_plan(policy, now_ms, failed.size() + 1)) {
        if (failed.contains({item.run, item.what})) continue;
        try {
            if (prune(store, item)) return Pruned{item, std::nullopt};
        } catch (const std::exception& error) {
            failed.insert({item.run, item.what});
            return Pruned{item, error.what()};
        }
    }
    return std::nullopt;
}

store::RetentionPolicy policy_of(const config::Retention& retention) {
    store::RetentionPolicy policy;
    policy.samples = retention.samples;
    policy.runs = retention.runs;
    policy.keep_last = retention.keep_last;
    return policy;
}

Retention::Retention(Context& context) : context_(context), timer_(context.executor) {}

bidi::Task<> Retention::run() {
    std::chrono::milliseconds pause = kFirst;
    while (!stopped_) {
        timer_.expires_after(pause);
        co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
        if (stopped_) break;
        bool more = false;
        std::string fault;
        try {
            more = co_await prune_one();
        } catch (const std::exception& error) {
            fault = error.what();
        }
        if (!fault.empty()) log::error("retention.fault", fault);
        if (!more) failed_.clear();
        pause = more ? std::chrono::milliseconds(kBreath) : std::chrono::milliseconds(kPeriod);
    }
}

void Retention::stop() {
    stopped_ = true;
    timer_.cancel();
}

bidi::Task<bool> Retention::prune_one() {
    const auto& kept = context_.config->retention;
    if (context_.jobs.current() || (!kept.samples && !kept.runs)) co_return false;
    const auto policy = policy_of(kept);
    const auto now = now_ms();
    const auto done = co_await context_.write([&] { return prune_next(context_.store, policy, now, failed_); });
    if (!done) co_return false;
    const auto& run = done->item.run;
    const bool whole = done->item.what == store::PruneItem::What::run;
    if (done->fault) {
        log::error("retention.fault", *done->fault, {{"run", run}});
        co_return failed_.size() < kMostFaults;
    }
    log::info("retention.pruned", whole ? "a run was removed" : "a run's samples were removed; its figures stay",
              {{"run", run}, {"bytes", done->item.bytes}});
    if (whole) context_.events.publish("run.deleted", run, {{"id", run}});
    co_return true;
}

}  // namespace foxbench::daemon
