#include "tests/fake_browser/websocket_server.hpp"

#include <utility>

#include <websocketpp/concurrency/none.hpp>
#include <websocketpp/config/core.hpp>
#include <websocketpp/logger/stub.hpp>
#include <websocketpp/server.hpp>

namespace foxbench::fake_browser {

namespace {

/// websocketpp's own server configuration, without logs and locks: it is used on one thread.
struct ServerConfig : websocketpp::config::core {
    using type = ServerConfig;
    using base = websocketpp::config::core;
    using concurrency_type = websocketpp::concurrency::none;
    using elog_type = websocketpp::log::stub;
    using alog_type = websocketpp::log::stub;
    static constexpr bool enable_multithreading = false;

    struct transport_config : base::transport_config {
        using concurrency_type = ServerConfig::concurrency_type;
        using elog_type = ServerConfig::elog_type;
        using alog_type = ServerConfig::alog_type;
        static constexpr bool enable_multithreading = false;
    };
    using transport_type = websocketpp::transport::iostream::endpoint<transport_config>;
};

using Server = websocketpp::server<ServerConfig>;

}  // namespace

class WebSocketServer::Impl {
public:
    Impl() : connection_(server_.get_connection()) {
        // There are no time-outs with this transport.
        connection_->set_open_handshake_timeout(0);
        connection_->set_close_handshake_timeout(0);
        connection_->set_write_handler([this](websocketpp::connection_hdl, const char* data, std::size_t size) {
            output_.append(data, size);
            return websocketpp::lib::error_code();
        });
        connection_->set_message_handler([this](websocketpp::connection_hdl, const Server::message_ptr& message) {
            messages_->push_back(std::move(message->get_raw_payload()));
        });
        connection_->start();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    // An unfinished read inside websocketpp holds its connection: only an end releases it.
    ~Impl() { connection_->eof(); }

    void receive(std::string_view bytes, std::vector<std::string>& messages) {
        messages_ = &messages;
        connection_->read_all(bytes.data(), bytes.size());
        messages_ = nullptr;
    }

    void close(std::uint16_t code, std::string_view reason) {
        websocketpp::lib::error_code ignored;  // not open: nothing to close
        connection_->close(code, std::string(reason), ignored);
    }

    std::string take_output() { return std::exchange(output_, std::string()); }

    bool is_closed() const { return connection_->get_state() == websocketpp::session::state::closed; }

private:
    std::string output_;
    std::vector<std::string>* messages_ = nullptr;  // set while bytes are taken in
    Server server_;                                 // must outlive its connection
    Server::connection_ptr connection_;
};

WebSocketServer::WebSocketServer() : impl_(std::make_unique<Impl>()) {}
WebSocketServer::~WebSocketServer() = default;

void WebSocketServer::receive(std::string_view bytes, std::vector<std::string>& messages) {
    impl_->receive(bytes, messages);
}
void WebSocketServer::close(std::uint16_t code, std::string_view reason) {
    impl_->close(code, reason);
}
std::string WebSocketServer::take_output() {
    return impl_->take_output();
}
bool WebSocketServer::is_closed() const {
    return impl_->is_closed();
}

std::string frame(Opcode opcode, std::string_view payload, bool fin) {
    constexpr std::size_t kLargestShortLength = 125;
    constexpr std::size_t kLargestTwoByteLength = 0xffff;
    std::string bytes(1, static_cast<char>((fin ? 0x80U : 0U) | static_cast<std::uint8_t>(opcode)));
    int length_bytes = 0;
    if (payload.size() <= kLargestShortLength) {
        bytes += static_cast<char>(payload.size());
    } else if (payload.size() <= kLargestTwoByteLength) {
        bytes += static_cast<char>(126);
        length_bytes = 2;
    } else {
        bytes += static_cast<char>(127);
        length_bytes = 8;
    }
    while (length_bytes-- > 0) bytes += static_cast<char>((payload.size() >> (8 * length_bytes)) & 0xff);
    bytes += payload;
    return bytes;
}

}  // namespace foxbench::fake_browser
