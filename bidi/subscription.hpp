#pragma once

#include <memory>

namespace bidi {

namespace detail {
struct EventHandler;
}

/// Holds an event handler in place: as long as this object lives (and the connection does) the handler is called.
///
/// It may outlive its connection, and it may be destroyed or cancelled while events are dispatched, also by its own
/// handler; from that moment on the handler is not called again. Not thread-safe: use it on the connection's executor.
class [[nodiscard]] Subscription {
public:
    Subscription() = default;
    explicit Subscription(std::shared_ptr<detail::EventHandler> handler) noexcept;
    Subscription(Subscription&& other) noexcept = default;
    Subscription& operator=(Subscription&& other) noexcept;
    ~Subscription();

    /// Ends the subscription now. Does nothing the second time.
    void cancel() noexcept;

private:
    std::shared_ptr<detail::EventHandler> handler_;
};

}  // namespace bidi
