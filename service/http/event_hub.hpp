#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "bidi/task.hpp"
#include "service/http/limits.hpp"
#include "service/http/request.hpp"

/// Server-sent events (https://html.spec.whatwg.org/#server-sent-events).
namespace foxbench::http {

/// One client's view of the events: what it has not been sent yet. Made by EventHub::subscribe(). Not thread-safe.
class Subscription {
public:
    Subscription(boost::asio::any_io_executor executor, std::optional<std::string> run, std::size_t capacity);

    /// Waits for something to send; returns the text of everything that waits, ready for the wire, or nothing once the
    /// stream has ended.
    [[nodiscard]] bidi::Task<std::optional<std::string>> next();
    /// Ends the stream; what waits is still given out. May be called more than once.
    void close();

    [[nodiscard]] bool is_closed() const noexcept { return closed_; }
    /// It ended because its client was too slow.
    [[nodiscard]] bool overflowed() const noexcept { return overflowed_; }

private:
    friend class EventHub;

    void offer(std::shared_ptr<const std::string> text);
    void keep_alive();

    boost::asio::steady_timer wake_;
    std::optional<std::string> run_;
    std::size_t capacity_;
    std::size_t resumed_ = 0;  ///< of `waiting_`: what was there from the beginning, and not because the client is slow
    std::deque<std::shared_ptr<const std::string>> waiting_;
    bool closed_ = false;
    bool overflowed_ = false;
};

/// The numbers of a hub that tests make smaller.
struct EventHubOptions {
    std::size_t ring = kEventRing;
    std::size_t queue = kEventQueue;
    std::chrono::milliseconds comment = kEventComment;
    std::chrono::milliseconds retry = kEventRetry;
};

/// Gives every event to everybody who listens, and keeps the last ones for those who come back. Not thread-safe:
/// everything on its executor. May be destroyed before its subscriptions, which it then ends.
class EventHub {
public:
    /// How many numbers `next_block` reserves at a time.
    static constexpr std::int64_t kBlock = 4096;

    /// `next_block` reserves kBlock event numbers for ever and gives the first of them; they grow across restarts. It
    /// is called here and then once each kBlock events.
    EventHub(boost::asio::any_io_executor executor, std::function<std::int64_t()> next_block,
             EventHubOptions options = {});
    EventHub(const EventHub&) = delete;
    EventHub& operator=(const EventHub&) = delete;
    ~EventHub();

    /// `type` is the event's name ("run.started": letters, digits, '.', '_', '-'), `run` the run it belongs to.
    void publish(std::string_view type, const std::optional<std::string>& run, const Json& data);

    /// Events from now on, of one run or of all. With `last_event_id`: first those that came after it; where these
    /// are not known any more, first an event `gap` with {"after", "oldest"}, upon which a client reads the state anew.
    [[nodiscard]] std::shared_ptr<Subscription> subscribe(std::optional<std::string> run,
                                                          std::optional<std::int64_t> last_event_id);

    /// Ends every stream, and those that are asked for later.
    void close();

    [[nodiscard]] std::size_t subscribers() const noexcept;
    [[nodiscard]] std::int64_t last_id() const noexcept { return last_id_; }

private:
    class State;

    struct Kept {
        std::int64_t id;
        std::optional<std::string> run;
        std::shared_ptr<const std::string> text;
    };

    [[nodiscard]] std::int64_t take_id();

    boost::asio::any_io_executor executor_;
    std::shared_ptr<State> state_;  ///< the subscriptions, and the timer of their comments
    std::function<std::int64_t()> next_block_;
    EventHubOptions options_;
    std::deque<Kept> ring_;
    std::int64_t last_id_ = 0;
    std::int64_t block_end_ = 0;
    std::int64_t horizon_ = 0;  ///< everything after this number is in the ring
    bool closed_ = false;
};

/// "id: 5\nevent: run.started\ndata: {...}\n\n"; without id where there is none.
[[nodiscard]] std::string event_text(std::optional<std::int64_t> id, std::string_view type, const Json& data);
/// Reads Last-Event-ID: a whole number, or nothing.
[[nodiscard]] std::optional<std::int64_t> event_id_from(std::string_view text) noexcept;

}  // namespace foxbench::http
