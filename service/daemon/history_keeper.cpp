#include "service/daemon/history_keeper.hpp"

#include <boost/asio.hpp>

#include "service/alerts/alert_json.hpp"
#include "service/alerts/watch.hpp"
#include "service/daemon/run_json.hpp"
#include "service/daemon/store_adapters.hpp"
#include "service/log/log.hpp"
#include "service/store/alerts.hpp"

namespace foxbench::daemon {

namespace asio = boost::asio;

namespace {

/// Another process may import runs: they are looked for so often.
constexpr std::chrono::minutes kLongestSleep{5};
/// Ten years of nights may be imported at a time: the next job does not wait until all of them are judged.
constexpr std::chrono::seconds kLongestCatchUp{30};

}  // namespace

HistoryKeeper::HistoryKeeper(Context& context, notify::Webhooks& webhooks)
    : context_(context), webhooks_(webhooks), timer_(context.executor), done_(context.executor) {}

bidi::Task<> HistoryKeeper::run() {
    while (!stopped_) {
        woken_ = false;
        if (!context_.jobs.current()) {
            co_await catch_up();
            if (!has_time()) woken_ = true;  // there is more to do
        }
        if (stopped_) break;
        if (woken_) continue;
        timer_.expires_after(kLongestSleep);
        co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
}

bidi::Task<> HistoryKeeper::catch_up() {
    while (working_) {
        done_.expires_at(asio::steady_timer::time_point::max());
        co_await done_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    if (stopped_) co_return;
    working_ = true;
    until_ = std::chrono::steady_clock::now() + kLongestCatchUp;
    std::string fault;
    try {
        co_await take_in();
        co_await judge();
        co_await tell();
    } catch (const std::exception& error) {
        fault = error.what();
    }
    working_ = false;
    done_.cancel();
    if (!fault.empty()) log::error("history.fault", "the histories are not up to date: " + fault);
}

void HistoryKeeper::tell_to(std::vector<notify::Webhook> receivers, std::string base_url) {
    receivers_ = std::move(receivers);
    base_url_ = std::move(base_url);
}

void HistoryKeeper::wake() {
    woken_ = true;
    timer_.cancel();
}

void HistoryKeeper::stop() {
    stopped_ = true;
    timer_.cancel();
}

bool HistoryKeeper::has_time() const {
    return !stopped_ && std::chrono::steady_clock::now() < until_;
}

bidi::Task<> HistoryKeeper::take_in() {
    while (has_time()) {
        const auto run = co_await context_.write([this] { return alerts::take_next(context_.store); });
        if (!run) co_return;
        log::debug("history.taken", "a run is in the histories", {{"run", *run}});
    }
}

bidi::Task<> HistoryKeeper::judge() {
    while (has_time()) {
        const auto config = context_.config;  // held: a reload replaces it
        const std::int64_t now = now_ms();
        const auto judged = co_await context_.write([&] { return alerts::judge_next(context_.store, *config, now); });
        if (!judged) co_return;
        for (const auto& line : judged->lines) log::warn("alert", line, {{"run", judged->run}});
        if (!judged->lines.empty()) context_.events.publish("alerts.changed", judged->run, {{"run", judged->run}});
        if (!judged->trouble.empty()) log::error("alert.trouble", judged->trouble, {{"run", judged->run}});
        if (judged->confirmation) {
            log::info("run.queued", "to measure again what is suspected",
                      {{"run", *judged->confirmation}, {"of", judged->run}});
            context_.events.publish("run.queued", *judged->confirmation,
                                    {{"id", *judged->confirmation}, {"state", "queued"}});
            context_.jobs.wake();
        }
    }
}

bidi::Task<> HistoryKeeper::tell() {
    const auto untold = co_await context_.write([this] { return store::Alerts(context_.store).untold(); });
    if (untold.empty()) co_return;
    Json list = Json::array();
    for (const auto& alert : untold) list.push_back(alerts::to_json(alert));
    const std::int64_t now = now_ms();
    const auto messages = notify::messages_about_alerts(list, receivers_, base_url_, now);
    co_await context_.write([&] {
        std::vector<store::Delivery> deliveries;
        for (const auto& message : messages) deliveries.push_back(to_store(message));
        store::Alerts(context_.store).note_told(untold, deliveries, now);
    });
    if (!messages.empty()) webhooks_.wake();
}

}  // namespace foxbench::daemon
