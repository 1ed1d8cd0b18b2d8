#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bidi/deadlines.hpp"
#include "bidi/error.hpp"
#include "bidi/json.hpp"
#include "bidi/subscription.hpp"
#include "bidi/task.hpp"

namespace bidi {

/// How one command is awaited.
///
/// Like all options of the library it has constructors, so that it is no aggregate: GCC 12 copies temporary aggregates,
/// also default arguments, byte by byte within a `co_await` expression, which breaks their strings.
struct CallOptions {
    CallOptions() = default;
    CallOptions(std::chrono::milliseconds deadline_of_call, std::string context_of_call = {})
        : deadline(deadline_of_call), context(std::move(context_of_call)) {}

    /// How long to wait for the answer; zero: the default of the command's class (see `Deadlines`).
    std::chrono::milliseconds deadline{};
    /// For script commands: the browsing context whose navigation or end discards the call. Empty: what the command's
    /// `target` says.
    std::string context;
};

/// How a connection behaves. The defaults suit a browser on the same machine.
struct ConnectionOptions {
    ConnectionOptions() = default;

    /// The longest message that is accepted. A longer one closes the connection with 1009 (RFC 6455, section 7.4.1),
    /// since what a page answers must not be able to exhaust this process's memory.
    std::size_t max_message_bytes = std::size_t{64} << 20;
    /// For the connection and the opening handshake together.
    std::chrono::milliseconds handshake_deadline{10'000};
    /// For the peer's half of the closing handshake, after which the socket is dropped all the same.
    std::chrono::milliseconds close_deadline{2'000};
    /// For `explain_loss`.
    std::chrono::milliseconds explain_deadline{3'000};
    Deadlines deadlines{};
    /// Asked once when the socket is lost unexpectedly, before the pending calls fail: the owner of the browser's
    /// process can answer a `CrashedError` with exit status and log tail. No answer (null, an exception, too late): a
    /// `ClosedError`.
    std::function<Task<std::shared_ptr<Error>>()> explain_loss{};
    /// Told about everything that the connection ignores: messages that are no JSON or no BiDi, answers to unknown ids,
    /// error answers without an id, handlers that throw. One line each; see also `Counters`. It must not throw.
    std::function<void(std::string_view what)> on_anomaly{};
};

/// How often a connection ignored something.
struct Counters {
    std::uint64_t malformed_messages = 0;  ///< no JSON, or neither answer nor event
    std::uint64_t malformed_events = 0;    ///< events whose parameters do not fit their type
    std::uint64_t late_answers = 0;        ///< to commands that were given up or answered before
    std::uint64_t unknown_answers = 0;     ///< to ids that were never used
    std::uint64_t errors_without_id = 0;   ///< error answers that name no command
    std::uint64_t handler_failures = 0;    ///< event handlers that threw
};

/// A WebDriver BiDi connection: sends commands, matches the answers, dispatches the events.
///
/// Not thread-safe: it belongs to the executor of the coroutine that opened it, which must run on one thread (or be a
/// strand), and every function is called there. Commands may be sent concurrently. A pending call keeps the connection
/// alive; dropping the last reference drops the socket.
///
/// A lost connection is never opened again: a Firefox that loses its connection does not give up its session, so that
/// another connection could not use it.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    /// Connects and does the opening handshake.
    /// @param url `ws://HOST:PORT/PATH`; for Firefox the address it prints, followed by `/session`
    /// @throws ClosedError when it cannot connect or the other side does not accept a WebSocket; TimeoutError
    [[nodiscard]] static Task<std::shared_ptr<Connection>> open(std::string url, ConnectionOptions options = {});

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// Sends a command and yields the answer's `result`. The awaiting coroutine may be cancelled (terminal or partial),
    /// which gives the call up; the browser executes the command all the same.
    ///
    /// Parameters in braces have to be built before the `co_await` expression: GCC 12 does not compile them within one.
    ///
    /// `script.evaluate` and `script.callFunction` are discarded when their page goes away, provided that the session
    /// is subscribed to the events that say so: `browsingContext.contextDestroyed`,
    /// `browsingContext.navigationStarted`, `script.realmCreated`, `script.realmDestroyed`.
    /// @throws ProtocolError for an error answer, TimeoutError, DiscardedError, CancelledError, and what ended the
    /// connection
    [[nodiscard]] Task<json> call(std::string method, json params = json::object(), CallOptions options = {});

    /// Calls `handler` with the parameters of each event of that name, in the order of arrival. The browser sends only
    /// the events that the session is subscribed to. Handlers may subscribe, unsubscribe, call and abort; a handler
    /// that throws is counted and the connection goes on. One that holds the connection keeps it until it is closed.
    [[nodiscard]] Subscription on(std::string event, std::function<void(const json& params)> handler);

    /// Closes politely: pending calls fail with a ClosedError, the closing handshake is done, within a deadline. Never
    /// throws because of the peer; returns at once when the connection is closed already.
    [[nodiscard]] Task<> close();

    /// Drops the socket and fails every pending call with `why`. Only the first reason counts; does nothing afterwards.
    void abort(std::shared_ptr<const Error> why);

    /// Whether commands can be sent.
    [[nodiscard]] bool is_open() const noexcept;

    /// Why the connection ended; null as long as it has not.
    [[nodiscard]] std::shared_ptr<const Error> reason() const noexcept;

    [[nodiscard]] const Counters& counters() const noexcept;

    /// Counts an event whose parameters could not be understood. For typed handlers.
    void note_malformed_event(std::string_view event, std::string_view what);

private:
    class Impl;
    explicit Connection(std::shared_ptr<Impl> impl) noexcept;

    std::shared_ptr<Impl> impl_;
};

/// Calls `handler` with each event of type `Event`, which names itself in `Event::kMethod` and is read by its
/// `from_json`. An event that does not fit its type is counted and ignored.
template <class Event>
[[nodiscard]] Subscription on(Connection& connection, std::function<void(const Event&)> handler) {
    std::weak_ptr<Connection> weak = connection.weak_from_this();
    return connection.on(std::string(Event::kMethod), [weak, handler = std::move(handler)](const json& params) {
        Event event;
        try {
            params.get_to(event);
        } catch (const json::exception& error) {
            if (const auto self = weak.lock()) self->note_malformed_event(Event::kMethod, error.what());
            return;
        }
        handler(event);
    });
}

}  // namespace bidi
