#include "service/run/launch_noise.hpp"

#include <boost/asio.hpp>

#include "service/browser/off_loop.hpp"

namespace foxbench::run {

namespace asio = boost::asio;

bidi::Task<> LaunchNoise::look_before() {
    const auto begin = host::read_stall_times();
    asio::steady_timer pause(co_await asio::this_coro::executor, host::kStallPause);
    co_await pause.async_wait(asio::use_awaitable);
    const auto stalled = host::stalled_between(begin, host::read_stall_times());
    before_ = co_await browser::off_loop([&] {
        const auto probe = host::probe_fsync(profiles_);
        auto snapshot = host::take_noise_snapshot();
        snapshot.stalled = stalled;
        snapshot.probe = probe;
        return snapshot;
    });
}

bidi::Task<> LaunchNoise::look_after(pid_t browser_group) {
    after_ = co_await browser::off_loop([=] { return host::take_noise_snapshot(browser_group); });
}

bidi::Task<> LaunchNoise::probe_after() {
    const auto probe = co_await browser::off_loop([this] { return host::probe_fsync(profiles_); });
    if (after_) after_->probe = probe;
}

std::optional<document::Json> LaunchNoise::result() const {
    if (!before_ || !after_) return std::nullopt;
    return host::noise_between(*before_, *after_);
}

}  // namespace foxbench::run
