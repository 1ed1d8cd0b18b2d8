#include "service/daemon/retention.hpp"

#include <boost/asio.hpp>

#include "service/daemon/report_cache.hpp"
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

}  // namespace

bool prune(store::Store& store, const store::PruneItem& item) {
    if (!store.prune_one(item)) return false;
    if (item.what == store::PruneItem::What::run) {
        store::remove_run_folder(store.results_dir(), item.run);
    } else {
        run::write_run_files(store, item.run);
    }
    return true;
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
    store::RetentionPolicy policy;
    policy.samples = kept.samples;
    policy.runs = kept.runs;
    policy.keep_last = kept.keep_last;
    const auto now = now_ms();
    const auto done = co_await context_.write([&] {
        std::optional<store::PruneItem> item;
        for (const auto& one : context_.store.prune_plan(policy, now, 1)) {
            if (prune(context_.store, one)) item = one;
        }
        return item;
    });
    if (!done) co_return false;
    context_.reports.forget(done->run);
    const bool whole = done->what == store::PruneItem::What::run;
    log::info("retention.pruned", whole ? "a run was removed" : "a run's samples were removed; its figures stay",
              {{"run", done->run}, {"bytes", done->bytes}});
    if (whole) context_.events.publish("run.deleted", done->run, {{"id", done->run}});
    co_return true;
}

}  // namespace foxbench::daemon
