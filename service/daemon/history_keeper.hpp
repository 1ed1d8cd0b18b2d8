#pragma once

#include <string>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "service/daemon/context.hpp"
#include "service/notify/webhooks.hpp"

namespace foxbench::daemon {

/// Keeps the histories and the alerts up with the runs: takes each run in that has ended or was imported, judges it,
/// has suspected changes measured again, and tells the webhooks.
///
/// It works before the next job is begun and while none is being carried out, never beside a measurement. Lives on the
/// event loop's thread.
class HistoryKeeper {
public:
    HistoryKeeper(Context& context, notify::Webhooks& webhooks);

    /// Works whenever there may be something to do and nothing is measured, until stop().
    [[nodiscard]] bidi::Task<> run();
    /// Does what there is to do now, for half a minute at the most. For the job runner, before it takes the next job.
    [[nodiscard]] bidi::Task<> catch_up();

    /// Alerts are told to these from now on; links in the messages begin with `base_url`.
    void tell_to(std::vector<notify::Webhook> receivers, std::string base_url);

    /// A run may have come that is not in the histories yet.
    void wake();
    void stop();

private:
    [[nodiscard]] bool has_time() const;
    [[nodiscard]] bidi::Task<> take_in();
    [[nodiscard]] bidi::Task<> judge();
    [[nodiscard]] bidi::Task<> tell();

    Context& context_;
    notify::Webhooks& webhooks_;
    std::vector<notify::Webhook> receivers_;
    std::string base_url_;
    boost::asio::steady_timer timer_;
    boost::asio::steady_timer done_;               ///< cancelled when a catch_up() has ended
    std::chrono::steady_clock::time_point until_;  ///< this catch_up() has time until then
    bool woken_ = false;
    bool working_ = false;
    bool stopped_ = false;
};

}  // namespace foxbench::daemon
