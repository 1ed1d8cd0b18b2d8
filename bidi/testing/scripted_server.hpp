#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "bidi/json.hpp"

namespace bidi::testing {

/// A WebSocket server on 127.0.0.1 that answers as a test tells it to, in the place of a browser.
///
/// It serves one connection at a time (the newest one), on the executor given. What it is told to send before there is
/// a connection waits for one. Not thread-safe: use it on that executor's thread.
class ScriptedServer {
public:
    /// Yields everything to send for a command, in this order: answers, events, nothing.
    using CommandHandler = std::function<std::vector<json>(const json& command)>;

    explicit ScriptedServer(boost::asio::any_io_executor executor);
    /// For tests: the executor of an `io_context`.
    template <class Context>
    requires requires(Context& context) { context.get_executor(); }
    explicit ScriptedServer(Context& context) : ScriptedServer(boost::asio::any_io_executor(context.get_executor())) {}
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;
    ~ScriptedServer();

    /// `ws://127.0.0.1:PORT/session`
    [[nodiscard]] std::string url() const;

    /// Decides about every command for which `answer` and `refuse` have nothing. Without it such commands get the error
    /// `unknown command`.
    void on_command(CommandHandler handler);
    /// From now on commands of that method succeed with `result`.
    void answer(std::string method, json result = json::object());
    /// From now on commands of that method fail with the error `code`.
    void refuse(std::string method, std::string code, std::string message = "refused by the test");

    /// Every command received so far, whole (`id`, `method`, `params`), in order.
    [[nodiscard]] const std::vector<json>& commands() const noexcept;

    void send(const json& message);
    /// An event with these parameters.
    void send_event(std::string_view method, json params);
    /// Any text in one frame, JSON or not.
    void send_raw(std::string text);
    void send_binary(std::string bytes);
    void ping(std::string payload);
    /// The closing handshake, begun by the server, after everything sent before.
    void close(std::uint16_t code, std::string reason = {});
    /// Forgets what has not been sent yet, since its connection ended before.
    void forget_unsent();
    /// Drops the connection with a TCP reset, without a WebSocket close.
    void reset();

    /// Called when the peer has closed, with the code of its close frame; 1006 if there was none.
    void on_closed(std::function<void(std::uint16_t code)> handler);

    /// The successful answer to `command`.
    [[nodiscard]] static json success(const json& command, json result = json::object());
    /// The error answer to `command`.
    [[nodiscard]] static json error(const json& command, std::string_view code,
                                    std::string_view message = "refused by the test");
    [[nodiscard]] static json event(std::string_view method, json params);

private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace bidi::testing
