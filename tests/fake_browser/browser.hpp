#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "bidi/json.hpp"
#include "bidi/task.hpp"
#include "tests/fake_browser/answers.hpp"
#include "tests/fake_browser/script.hpp"
#include "tests/fake_browser/websocket_server.hpp"
#include "tests/fake_browser/worker.hpp"

namespace foxbench::fake_browser {

/// The browser's process: one event loop, and every action of the script. Does not return from an end by itself.
class Browser {
public:
    /// @param folder of the installation, in which `replace` writes
    Browser(boost::asio::io_context& loop, Script script, Identity identity, std::string folder);

    /// Starts as the script says, listens, and serves until the loop ends.
    bidi::Task<> run();

private:
    /// How messages are cut into frames and writes.
    enum class Style { whole, bytes, fragments };

    struct Peer {
        explicit Peer(boost::asio::ip::tcp::socket accepted) : socket(std::move(accepted)) {}
        boost::asio::ip::tcp::socket socket;
        WebSocketServer engine;
        Style style = Style::whole;
    };
    using PeerRef = std::shared_ptr<Peer>;

    /// What the actions of a rule are done for.
    struct Place {
        PeerRef peer;                                       ///< null before anybody has connected
        json command;                                       ///< null where it is none
        std::function<void(const json& patch)> by_default;  ///< what happens without a rule
        std::function<json(json body)> message_of;          ///< the whole message of a result, or of a worker's word
    };

    bidi::Task<> come_to(std::string at, std::string what, Place place);
    bidi::Task<> act(json action, const Place& place);
    void act_on_process(const json& action);
    void act_on_socket(const json& action, const PeerRef& peer);

    bidi::Task<> accept();
    bidi::Task<> serve(PeerRef peer);
    void receive(const PeerRef& peer, const std::string& text);
    void answer(const PeerRef& peer, const json& command, const json& patch);
    bool change_session(const PeerRef& peer, const json& command);
    void navigate(const PeerRef& peer, const json& command);
    bidi::Task<> work(PeerRef peer, json command);
    bidi::Task<> wait_for_proceed(std::int64_t number);

    void send(const PeerRef& peer, const std::string& text);
    void send_event(const PeerRef& peer, const std::string& method, json params);
    void write(const PeerRef& peer, std::string_view bytes);
    void flush(const PeerRef& peer);

    boost::asio::io_context& loop_;
    Script script_;
    Identity identity_;
    std::string folder_;
    boost::asio::ip::tcp::acceptor acceptor_;
    std::weak_ptr<Peer> session_;   ///< who has it
    bool session_taken_ = false;    ///< stays so when its connection is lost, as in Firefox
    std::set<std::string> events_;  ///< that are subscribed to
    std::int64_t proceeded_ = -1;   ///< what the worker was told last
    bool worker_failed_ = false;    ///< it has said so, which is its last word
    boost::asio::steady_timer proceed_;
};

}  // namespace foxbench::fake_browser
