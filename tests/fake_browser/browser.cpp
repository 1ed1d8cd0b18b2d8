#include "tests/fake_browser/browser.hpp"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <signal.h>
#include <unistd.h>

#include "tests/fake_browser/grandchild.hpp"

namespace foxbench::fake_browser {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::size_t kReadBytes = std::size_t{64} * 1024;
constexpr std::uint16_t kNormalClosure = 1000;  // RFC 6455, section 7.4.1

double wall_clock_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void say(const std::string& text, bool to_stdout) {
    (to_stdout ? std::cout : std::cerr) << text << std::flush;
}

std::string from_hexadecimal(const std::string& text) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
    return bytes;
}

/// An end without goodbye: nothing is closed or flushed but what was written.
[[noreturn]] void end(int code) {
    std::_Exit(code);
}

/// A fault of the script must be seen, and must not look like any behaviour that was ordered.
[[noreturn]] void refuse(const std::exception& error) {
    say(std::string("fake browser: ") + error.what() + "\n", false);
    end(99);
}

}  // namespace

Browser::Browser(asio::io_context& loop, Script script, Identity identity, std::string folder)
    : loop_(loop),
      script_(std::move(script)),
      identity_(std::move(identity)),
      folder_(std::move(folder)),
      acceptor_(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
      proceed_(loop) {}

bidi::Task<> Browser::run() {
    Place start;
    start.by_default = [](const json&) {};
    co_await come_to("start", "", std::move(start));
    asio::co_spawn(loop_, accept(), asio::detached);
    Place line;
    line.by_default = [this](const json&) {
        say("WebDriver BiDi listening on ws://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "\n",
            false);
    };
    co_await come_to("line", "", std::move(line));
}

// ---- what the script orders

bidi::Task<> Browser::come_to(std::string at, std::string what, Place place) {
    const auto actions = script_.decide(at, what);
    if (!actions) {
        place.by_default(json::object());
        co_return;
    }
    for (const json& action : *actions) co_await act(action, place);
}

bidi::Task<> Browser::act(json action, const Place& place) {
    const auto is = [&action](const char* name) { return action.contains(name); };
    try {
        if (is("default")) place.by_default(json::object());
        if (is("patch")) place.by_default(action.at("patch"));
        if (is("answer") || is("error")) {
            json message;
            if (is("answer")) message = place.message_of(action.at("answer"));
            if (is("error")) message = failure(place.command, {action.at("error"), action.value("message", "")});
            if (is("id")) message["id"] = action.at("id");
            send(place.peer, message.dump());
        }
        act_on_process(action);
        if (place.peer) act_on_socket(action, place.peer);
    } catch (const std::exception& error) {
        refuse(error);
    }
    if (is("wait_ms")) {
        asio::steady_timer timer(loop_, std::chrono::milliseconds(action.at("wait_ms").get<int>()));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

void Browser::act_on_process(const json& action) {
    const auto is = [&action](const char* name) { return action.contains(name); };
    if (is("write")) {
        auto text = action.at("write").get<std::string>();
        constexpr std::string_view kPort = "{port}";
        if (const auto at = text.find(kPort); at != std::string::npos)
            text.replace(at, kPort.size(), std::to_string(acceptor_.local_endpoint().port()));
        say(text, action.value("to", "stderr") == "stdout");
    }
    if (is("ignore")) ::signal(action.at("ignore").get<int>(), SIG_IGN);
    if (is("replace")) std::ofstream(folder_ + "/" + action.at("replace").get<std::string>()) << wall_clock_ms();
    if (is("grandchild")) {
        const json& what = action.at("grandchild");
        start_grandchild(std::chrono::milliseconds(what.at("ms").get<int>()),
                         what.value("writes", false) ? identity_.profile : "");
    }
    if (is("signal")) ::kill(::getpid(), action.at("signal").get<int>());
    if (is("exit")) end(action.at("exit").get<int>());
}

void Browser::act_on_socket(const json& action, const PeerRef& peer) {
    const auto is = [&action](const char* name) { return action.contains(name); };
    if (is("style")) {
        const auto style = action.at("style").get<std::string>();
        peer->style = style == "bytes" ? Style::bytes : style == "fragments" ? Style::fragments : Style::whole;
    }
    if (is("event")) send(peer, event(action.at("event"), action.value("params", json::object())).dump());
    if (is("send")) send(peer, action.at("send").get<std::string>());
    if (is("binary")) write(peer, frame(Opcode::binary, action.at("binary").get<std::string>()));
    if (is("ping")) write(peer, frame(Opcode::ping, action.at("ping").get<std::string>()));
    if (is("bytes")) write(peer, from_hexadecimal(action.at("bytes")));
    if (is("text")) write(peer, action.at("text").get<std::string>());
    if (is("close")) {
        peer->engine.close(action.at("close").get<std::uint16_t>(), action.value("reason", ""));
        flush(peer);
    }
    if (is("reset")) {
        error_code ignored;
        peer->socket.set_option(asio::socket_base::linger(true, 0), ignored);
        peer->socket.close(ignored);
    }
}

// ---- connections

bidi::Task<> Browser::accept() {
    for (;;) {
        error_code error;
        tcp::socket socket(loop_);
        co_await acceptor_.async_accept(socket, asio::redirect_error(asio::use_awaitable, error));
        if (error) continue;
        socket.set_option(tcp::no_delay(true), error);
        const auto peer = std::make_shared<Peer>(std::move(socket));
        Place place;
        place.peer = peer;
        place.by_default = [this, peer](const json&) { asio::co_spawn(loop_, serve(peer), asio::detached); };
        asio::co_spawn(loop_, come_to("connection", "", std::move(place)), asio::detached);
    }
}

bidi::Task<> Browser::serve(PeerRef peer) {
    std::string buffer(kReadBytes, '\0');
    std::vector<std::string> messages;
    while (!peer->engine.is_closed()) {
        error_code error;
        const auto size = co_await peer->socket.async_read_some(asio::buffer(buffer),
                                                                asio::redirect_error(asio::use_awaitable, error));
        if (error) break;
        peer->engine.receive(std::string_view(buffer).substr(0, size), messages);
        flush(peer);
        for (const auto& message : std::exchange(messages, {})) receive(peer, message);
    }
    error_code ignored;
    peer->socket.close(ignored);
}

void Browser::receive(const PeerRef& peer, const std::string& text) {
    const json command = json::parse(text, nullptr, false);
    // As Firefox: no answer to what is no command.
    if (!command.is_object() || !command.contains("id") || !command.contains("method")) return;
    Place place;
    place.peer = peer;
    place.command = command;
    place.by_default = [this, peer, command](const json& patch) { answer(peer, command, patch); };
    place.message_of = [command](json body) { return success(command, std::move(body)); };
    asio::co_spawn(loop_, come_to(command.at("method"), text, std::move(place)), asio::detached);
}

// ---- what it does by itself

void Browser::answer(const PeerRef& peer, const json& command, const json& patch) {
    const auto method = command.at("method").get<std::string>();
    if (!change_session(peer, command)) return;
    if (method == "browsingContext.navigate") navigate(peer, command);
    const std::string function = command.at("params").value("functionDeclaration", "");
    if (function.find("foxbench.start") != std::string::npos) {
        asio::co_spawn(loop_, work(peer, command), asio::detached);
        return;  // answered when the worker is done
    }
    auto result = result_of(command, identity_);
    if (const auto* refusal = std::get_if<Refusal>(&result)) {
        send(peer, failure(command, *refusal).dump());
        return;
    }
    std::get<json>(result).merge_patch(patch);
    send(peer, success(command, std::get<json>(result)).dump());
    if (function.find("foxbench.proceed") != std::string::npos) {
        proceeded_ = static_cast<std::int64_t>(command.at("params").at("arguments").at(0).at("value").get<double>());
        proceed_.cancel();
    }
    if (method == "browser.close") {
        peer->engine.close(kNormalClosure, "");
        flush(peer);
        end(0);
    }
}

/// False when the command was refused because of the session.
bool Browser::change_session(const PeerRef& peer, const json& command) {
    const auto method = command.at("method").get<std::string>();
    if (method == "session.status") {
        send(peer, success(command, {{"ready", !session_taken_}, {"message", ""}}).dump());
        return false;
    }
    if (method == "session.new") {
        if (session_taken_) {
            send(peer, failure(command, {"session not created", "Maximum number of active sessions"}).dump());
            return false;
        }
        session_taken_ = true;
        session_ = peer;
    } else if (session_.lock() != peer) {
        send(peer, failure(command, {"invalid session id", "no session"}).dump());
        return false;
    }
    if (method == "session.end") session_taken_ = false;
    if (method == "session.subscribe") {
        for (const json& name : command.at("params").at("events")) events_.insert(name.get<std::string>());
    }
    return true;
}

void Browser::navigate(const PeerRef& peer, const json& command) {
    const json url = command.at("params").at("url");
    send_event(peer, "browsingContext.navigationStarted",
               {{"context", kTab}, {"navigation", "navigation-1"}, {"url", url}, {"timestamp", wall_clock_ms()}});
    send_event(peer, "script.realmCreated",
               {{"realm", kRealm}, {"type", "window"}, {"context", kTab}, {"origin", "http://127.0.0.1"}});
}

/// The page and its worker, from the start to the worker's last word.
bidi::Task<> Browser::work(PeerRef peer, json command) {
    const json arguments = command.at("params").at("arguments");
    const auto channel = arguments.at(0).at("value").at("channel").get<std::string>();
    const Worker worker(json::parse(arguments.at(1).at("value").get<std::string>()), script_.latency_us());

    Place place;
    place.peer = peer;
    place.message_of = [this, channel](json body) {
        if (body.is_object()) worker_failed_ = worker_failed_ || body.value("type", "") == "error";
        // The mark of a message's last part (service/measure/page/page.js).
        return channel_message(channel, body.is_string() ? body.get<std::string>() : "." + body.dump());
    };
    const auto saying = [&](json body) {
        Place said = place;
        said.by_default = [this, peer, body = std::move(body), message_of = place.message_of](const json& patch) {
            json changed = body;
            changed.merge_patch(patch);
            send(peer, message_of(std::move(changed)).dump());
        };
        return said;
    };

    Place said = saying(worker.environment());
    co_await come_to("environment", "", std::move(said));
    for (std::size_t pass = 0; pass < worker.passes() && !worker_failed_; ++pass) {
        co_await wait_for_proceed(static_cast<std::int64_t>(pass));
        const json message = worker.pass(pass, wall_clock_ms());
        std::string what = message.at("series").at(0).at("name");
        said = saying(message);
        co_await come_to("pass", std::move(what), std::move(said));
    }
    if (!worker_failed_) {
        co_await wait_for_proceed(static_cast<std::int64_t>(worker.passes()));
        const json done = {{"type", "done"}};
        said = saying(done);
        co_await come_to("done", "", std::move(said));
    }
    const json undefined = {{"type", "undefined"}};
    send(peer, success(command, script_result(undefined)).dump());
}

bidi::Task<> Browser::wait_for_proceed(std::int64_t number) {
    while (proceeded_ < number) {
        error_code woken;
        proceed_.expires_at(asio::steady_timer::time_point::max());
        co_await proceed_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
}

// ---- bytes

void Browser::send(const PeerRef& peer, const std::string& text) {
    if (peer->style != Style::fragments) return write(peer, frame(Opcode::text, text));
    const std::size_t third = text.size() / 3;
    write(peer, frame(Opcode::text, text.substr(0, third), false));
    write(peer, frame(Opcode::ping, "between"));
    write(peer, frame(Opcode::continuation, text.substr(third, third), false));
    write(peer, frame(Opcode::ping, ""));
    write(peer, frame(Opcode::continuation, text.substr(2 * third)));
}

void Browser::send_event(const PeerRef& peer, const std::string& method, json params) {
    if (events_.count(method) != 0) send(peer, event(method, std::move(params)).dump());
}

/// All at once, waiting: whoever reads goes on reading.
void Browser::write(const PeerRef& peer, std::string_view bytes) {
    error_code ignored;  // the client is gone: the reading side sees it
    if (peer->style != Style::bytes) {
        asio::write(peer->socket, asio::buffer(bytes.data(), bytes.size()), ignored);
        return;
    }
    for (const char byte : bytes) asio::write(peer->socket, asio::buffer(&byte, 1), ignored);
}

void Browser::flush(const PeerRef& peer) {
    write(peer, peer->engine.take_output());
}

}  // namespace foxbench::fake_browser
