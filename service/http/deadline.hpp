#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace foxbench::http {

/// Cancels whatever waits on a socket once a time has passed. The socket stays open, so that the client can be told;
/// beast::tcp_stream would have closed it. Not thread-safe; it has to end before the socket.
class Deadline {
public:
    explicit Deadline(boost::asio::ip::tcp::socket& socket) : state_(std::make_shared<State>(socket)) {}
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    ~Deadline() { state_->stop(); }

    /// From now on, in place of any deadline before.
    void set(std::chrono::milliseconds time) {
        state_->stop();
        state_->passed = false;
        state_->start(time);
    }
    /// None any more; passed() stays as it is.
    void clear() { state_->stop(); }
    [[nodiscard]] bool passed() const noexcept { return state_->passed; }

private:
    /// An operation of several steps may be between two of them when it is cancelled: so it is cancelled again until it
    /// has ended.
    static constexpr std::chrono::milliseconds kAgain{50};

    struct State : std::enable_shared_from_this<State> {
        explicit State(boost::asio::ip::tcp::socket& its_socket)
            : socket(its_socket), timer(its_socket.get_executor()) {}

        void start(std::chrono::milliseconds time) {
            timer.expires_after(time);
            // A wait that was stopped may have its turn all the same, if its time had come already.
            timer.async_wait([self = shared_from_this(), number = number](const boost::system::error_code& error) {
                if (error || number != self->number) return;
                self->passed = true;
                boost::system::error_code ignored;
                self->socket.cancel(ignored);
                self->start(kAgain);
            });
        }
        void stop() {
            ++number;
            timer.cancel();
        }

        boost::asio::ip::tcp::socket& socket;  ///< not used after stop()
        boost::asio::steady_timer timer;
        std::uint64_t number = 0;
        bool passed = false;
    };

    std::shared_ptr<State> state_;
};

}  // namespace foxbench::http
