#include "service/run/quiet_wait.hpp"

#include <algorithm>
#include <cstdio>

#include <boost/asio.hpp>

#include "service/host/noise.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::run {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::optional<double> load_now() {
    const auto text = host::read_text("/proc/loadavg");
    if (!text) return std::nullopt;
    return host::parse_load_1m(*text);
}

std::string two_decimals(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

}  // namespace

bidi::Task<QuietOutcome> wait_until_quiet(config::Quiet quiet, std::function<void(const std::string&)> tell,
                                          std::function<std::optional<double>()> load, milliseconds pause) {
    if (!load) load = load_now;
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
    const auto begin = Clock::now();
    bool told = false;
    for (;;) {
        QuietOutcome outcome;
        outcome.load_1m = load();
        outcome.waited = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
        outcome.quiet = !outcome.load_1m || *outcome.load_1m < quiet.load_below;
        if (outcome.quiet || outcome.waited >= quiet.wait) co_return outcome;
        if (!told) {
            tell("waiting until the machine is quiet: its load is " + two_decimals(*outcome.load_1m) +
                 ", wanted below " + two_decimals(quiet.load_below));
        }
        told = true;
        timer.expires_after(std::min(pause, quiet.wait - outcome.waited));
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
}

}  // namespace foxbench::run
