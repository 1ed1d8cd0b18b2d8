#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio.hpp>

/// A server for the client's tests that says, byte by byte, what a test wants said.
namespace foxbench::client::testing_support {

/// Answers its connections in turn: each gets the next of the answers, once its request has come, and is closed then.
/// An answer `kSilence` is none: the connection stays open. After the last one it stops listening.
class ScriptedDaemon {
public:
    static constexpr const char* kSilence = "(silence)";

    explicit ScriptedDaemon(std::deque<std::string> answers)
        : acceptor_(loop_, {boost::asio::ip::address_v4::loopback(), 0}),
          port_(acceptor_.local_endpoint().port()),
          answers_(std::move(answers)) {
        accept();
        thread_ = std::thread([this] { loop_.run(); });
    }
    ScriptedDaemon(const ScriptedDaemon&) = delete;
    ScriptedDaemon& operator=(const ScriptedDaemon&) = delete;
    ~ScriptedDaemon() {
        loop_.stop();
        thread_.join();
    }

    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

    /// The requests so far, header and body as they came.
    [[nodiscard]] std::vector<std::string> requests() const {
        const std::lock_guard guard(mutex_);
        return requests_;
    }

    /// An answer with a length.
    static std::string answer(const std::string& status, const std::string& type, const std::string& body,
                              const std::string& headers = {}) {
        return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\n" + headers +
               "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }

    /// A chunked event stream of these pieces that is cut off before its last chunk.
    static std::string stream(const std::vector<std::string>& pieces) {
        std::string text = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (const auto& piece : pieces) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            text +=
                std::string() + kDigits[piece.size() >> 4 & 15] + kDigits[piece.size() & 15] + "\r\n" + piece + "\r\n";
        }
        return text;
    }

private:
    using Socket = boost::asio::ip::tcp::socket;

    void accept() {
        if (answers_.empty()) return acceptor_.close();
        acceptor_.async_accept([this](const boost::system::error_code& error, Socket socket) {
            if (error) return;
            auto text = std::move(answers_.front());
            answers_.pop_front();
            serve(std::make_shared<Socket>(std::move(socket)), std::move(text));
            accept();
        });
    }

    void serve(std::shared_ptr<Socket> socket, std::string text) {
        auto request = std::make_shared<std::string>();
        auto buffer = boost::asio::dynamic_buffer(*request);
        boost::asio::async_read_until(
            *socket, buffer, "\r\n\r\n", [=, this](const boost::system::error_code& error, std::size_t header) {
                if (error) return;
                const auto missing =
                    header + body_bytes(*request) - std::min(request->size(), header + body_bytes(*request));
                boost::asio::async_read(
                    *socket, boost::asio::dynamic_buffer(*request), boost::asio::transfer_exactly(missing),
                    [=, this](const boost::system::error_code&, std::size_t) { reply(socket, *request, text); });
            });
    }

    void reply(const std::shared_ptr<Socket>& socket, const std::string& request, const std::string& text) {
        {
            const std::lock_guard guard(mutex_);
            requests_.push_back(request);
        }
        if (text == kSilence)
            silent_.push_back(socket);
        else
            boost::asio::write(*socket, boost::asio::buffer(text));
    }

    static std::size_t body_bytes(const std::string& request) {
        constexpr std::string_view kName = "\r\nContent-Length: ";
        const auto found = request.find(kName);
        return found == std::string::npos ? 0 : std::stoul(request.substr(found + kName.size()));
    }

    boost::asio::io_context loop_{1};
    boost::asio::ip::tcp::acceptor acceptor_;
    unsigned port_;
    std::deque<std::string> answers_;
    std::vector<std::shared_ptr<Socket>> silent_;
    mutable std::mutex mutex_;
    std::vector<std::string> requests_;
    std::thread thread_;
};

}  // namespace foxbench::client::testing_support
