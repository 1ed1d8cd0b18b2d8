#include "bidi/websocket_engine.hpp"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/random.h>
#include <websocketpp/client.hpp>
#include <websocketpp/concurrency/none.hpp>
#include <websocketpp/config/core_client.hpp>
#include <websocketpp/logger/stub.hpp>

namespace bidi {

namespace {

/// Masks must come from a strong source of entropy (RFC 6455, section 5.3). The kernel's is asked for many at once,
/// since a system call for each frame would be felt in a round trip.
class KernelRandom {
public:
    std::uint32_t operator()() {
        if (next_ == pool_.size()) refill();
        return pool_[next_++];
    }

private:
    void refill() {
        if (::getentropy(pool_.data(), sizeof pool_) != 0) {
            throw std::system_error(errno, std::generic_category(), "reading random numbers from the kernel");
        }
        next_ = 0;
    }

    std::array<std::uint32_t, 64> pool_{};  // 256 bytes: the most that getentropy(3) gives at once
    std::size_t next_ = pool_.size();
};

/// websocketpp's own client configuration, without logs and locks: it is used on one thread.
struct EngineConfig : websocketpp::config::core_client {
    using type = EngineConfig;
    using base = websocketpp::config::core_client;
    using concurrency_type = websocketpp::concurrency::none;
    using elog_type = websocketpp::log::stub;
    using alog_type = websocketpp::log::stub;
    using rng_type = KernelRandom;
    static constexpr bool enable_multithreading = false;

    struct transport_config : base::transport_config {
        using concurrency_type = EngineConfig::concurrency_type;
        using elog_type = EngineConfig::elog_type;
        using alog_type = EngineConfig::alog_type;
        static constexpr bool enable_multithreading = false;
    };
    using transport_type = websocketpp::transport::iostream::endpoint<transport_config>;

    /// As much as the socket is asked for at once.
    static constexpr std::size_t connection_read_buffer_size = std::size_t{64} << 10;
};

using Client = websocketpp::client<EngineConfig>;
namespace close_status = websocketpp::close::status;
namespace session_state = websocketpp::session::state;

std::string close_text(std::uint16_t code, const std::string& reason) {
    std::string text = "WebSocket close " + std::to_string(code);
    if (!reason.empty()) text += ", \"" + reason + '"';
    return text;
}

}  // namespace

class WebSocketEngine::Impl {
public:
    Impl(const WebSocketUrl& url, std::size_t max_message_bytes) : max_message_bytes_(max_message_bytes) {
        client_.set_user_agent("");
        websocketpp::lib::error_code error;
        connection_ = client_.get_connection(
            websocketpp::lib::make_shared<websocketpp::uri>(false, url.bracketed_host(), url.port, url.resource),
            error);
        if (error) throw std::system_error(error, "preparing a WebSocket handshake");
        connection_->set_max_message_size(max_message_bytes);
        // The engine's own time-outs do not exist with this transport; the owner of the socket has deadlines.
        connection_->set_open_handshake_timeout(0);
        connection_->set_close_handshake_timeout(0);
        connection_->set_write_handler([this](websocketpp::connection_hdl, const char* data, std::size_t size) {
            output_.append(data, size);
            return websocketpp::lib::error_code();
        });
        connection_->set_vector_write_handler(
            [this](websocketpp::connection_hdl, const std::vector<websocketpp::transport::buffer>& pieces) {
                std::size_t size = output_.size();
                for (const auto& piece : pieces) size += piece.len;
                output_.reserve(size);
                for (const auto& piece : pieces) output_.append(piece.buf, piece.len);
                return websocketpp::lib::error_code();
            });
        connection_->set_open_handler([this](websocketpp::connection_hdl) { was_open_ = true; });
        connection_->set_message_handler([this](websocketpp::connection_hdl, const Client::message_ptr& message) {
            messages_->push_back(WebSocketMessage{std::move(message->get_raw_payload()),
                                                  message->get_opcode() == websocketpp::frame::opcode::text});
        });
    }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    // An unfinished read inside websocketpp holds its connection: only an end releases it.
    ~Impl() { connection_->eof(); }

    void start() { client_.connect(connection_); }

    void receive(std::string_view bytes, std::vector<WebSocketMessage>& messages) {
        messages_ = &messages;
        connection_->read_all(bytes.data(), bytes.size());
        messages_ = nullptr;
    }

    void end_of_input() { connection_->eof(); }

    bool send(std::string text) {
        const auto message = connection_->get_message(websocketpp::frame::opcode::text, 0);
        message->get_raw_payload() = std::move(text);
        return !connection_->send(message);
    }

    void close(std::uint16_t code, std::string_view reason) {
        websocketpp::lib::error_code ignored;  // not open: nothing to close
        connection_->close(code, std::string(reason), ignored);
    }

    std::string take_output() { return std::exchange(output_, std::string()); }

    State state() const {
        switch (connection_->get_state()) {
            case session_state::connecting:
                return State::connecting;
            case session_state::open:
                return State::open;
            case session_state::closing:
                return State::closing;
            case session_state::closed:
                break;
        }
        return State::closed;
    }

    bool finished() const { return state() == State::closed || close_frame_came(); }

    std::uint16_t remote_close_code() const { return connection_->get_remote_close_code(); }

    bool ended_by_fault() const {
        const auto local = connection_->get_local_close_code();
        return local == close_status::protocol_error || local == close_status::invalid_payload ||
               local == close_status::message_too_big;
    }

    std::string end_text() const {
        if (!was_open_) return handshake_text();
        const auto local = connection_->get_local_close_code();
        if (local == close_status::message_too_big) {
            return "a message longer than the limit of " + std::to_string(max_message_bytes_) +
                   " bytes arrived (WebSocket close 1009)";
        }
        if (close_frame_came()) {
            return "the other side closed it (" +
                   close_text(connection_->get_remote_close_code(), connection_->get_remote_close_reason()) + ")";
        }
        if (ended_by_fault()) {
            return "the other side broke the WebSocket protocol (" +
                   close_text(local, connection_->get_local_close_reason()) + ")";
        }
        return "it was lost without a WebSocket close (1006)";
    }

private:
    bool close_frame_came() const { return connection_->get_remote_close_code() != close_status::abnormal_close; }

    std::string handshake_text() const {
        const int status = static_cast<int>(connection_->get_response_code());
        if (status == 0) return "the other side gave no answer to the WebSocket handshake";
        if (status != 101) {
            return "the other side refused the WebSocket handshake with HTTP status " + std::to_string(status) + ' ' +
                   connection_->get_response_msg();
        }
        return "the other side answered the WebSocket handshake wrongly: " + connection_->get_ec().message();
    }

    std::size_t max_message_bytes_;
    bool was_open_ = false;
    std::string output_;
    std::vector<WebSocketMessage>* messages_ = nullptr;  // set while bytes are taken in
    Client client_;                                      // must outlive its connection
    Client::connection_ptr connection_;
};

WebSocketEngine::WebSocketEngine(const WebSocketUrl& url, std::size_t max_message_bytes)
    : impl_(std::make_unique<Impl>(url, max_message_bytes)) {}
WebSocketEngine::WebSocketEngine(WebSocketEngine&&) noexcept = default;
WebSocketEngine& WebSocketEngine::operator=(WebSocketEngine&&) noexcept = default;
WebSocketEngine::~WebSocketEngine() = default;

void WebSocketEngine::start() {
    impl_->start();
}
void WebSocketEngine::receive(std::string_view bytes, std::vector<WebSocketMessage>& messages) {
    impl_->receive(bytes, messages);
}
void WebSocketEngine::end_of_input() {
    impl_->end_of_input();
}
bool WebSocketEngine::send(std::string text) {
    return impl_->send(std::move(text));
}
void WebSocketEngine::close(std::uint16_t code, std::string_view reason) {
    impl_->close(code, reason);
}
std::string WebSocketEngine::take_output() {
    return impl_->take_output();
}
WebSocketEngine::State WebSocketEngine::state() const {
    return impl_->state();
}
bool WebSocketEngine::finished() const {
    return impl_->finished();
}
std::uint16_t WebSocketEngine::remote_close_code() const {
    return impl_->remote_close_code();
}
bool WebSocketEngine::ended_by_fault() const {
    return impl_->ended_by_fault();
}
std::string WebSocketEngine::end_text() const {
    return impl_->end_text();
}

}  // namespace bidi
