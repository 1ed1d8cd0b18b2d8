#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bidi/json.hpp"
#include "bidi/subscription.hpp"

namespace bidi {

namespace detail {

/// One handler in its place. Owned by its subscription and by the list that is being gone through.
struct EventHandler {
    std::string event;
    std::function<void(const json&)> call;
    std::weak_ptr<class HandlerTable> table;
    bool active = true;
};

/// The handlers by event. A list is never changed but replaced, so that one that is being gone through stays as it is.
class HandlerTable {
public:
    using List = std::vector<std::shared_ptr<EventHandler>>;

    void add(const std::shared_ptr<EventHandler>& handler);
    void remove(const EventHandler& handler) noexcept;
    [[nodiscard]] std::shared_ptr<const List> find(std::string_view event) const;

private:
    std::map<std::string, std::shared_ptr<const List>, std::less<>> lists_;
};

}  // namespace detail

/// Calls the handlers of events, in the order in which they subscribed. Pure: no I/O. Not thread-safe.
class EventDispatcher {
public:
    using FailureHandler = std::function<void(std::string_view what)>;

    [[nodiscard]] Subscription subscribe(std::string event, std::function<void(const json&)> handler);

    /// Calls every handler of the event. Handlers may subscribe (they miss this event) and unsubscribe (they are not
    /// called any more); one that throws is reported to `on_failure`, and the others are called all the same.
    void dispatch(std::string_view event, const json& params, const FailureHandler& on_failure) const;

    /// Forgets all handlers; their subscriptions become void.
    void clear();

private:
    std::shared_ptr<detail::HandlerTable> table_ = std::make_shared<detail::HandlerTable>();
};

}  // namespace bidi
