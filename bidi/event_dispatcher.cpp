#include "bidi/event_dispatcher.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace bidi {

namespace detail {

void HandlerTable::add(const std::shared_ptr<EventHandler>& handler) {
    auto& list = lists_[handler->event];
    auto longer = list ? std::make_shared<List>(*list) : std::make_shared<List>();
    longer->push_back(handler);
    list = std::move(longer);
}

void HandlerTable::remove(const EventHandler& handler) noexcept {
    const auto found = lists_.find(handler.event);
    if (found == lists_.end()) return;
    auto shorter = std::make_shared<List>();
    shorter->reserve(found->second->size());
    std::ranges::copy_if(*found->second, std::back_inserter(*shorter),
                         [&handler](const auto& each) { return each.get() != &handler; });
    if (shorter->empty()) {
        lists_.erase(found);
    } else {
        found->second = std::move(shorter);
    }
}

std::shared_ptr<const HandlerTable::List> HandlerTable::find(std::string_view event) const {
    const auto found = lists_.find(event);
    return found == lists_.end() ? nullptr : found->second;
}

}  // namespace detail

Subscription::Subscription(std::shared_ptr<detail::EventHandler> handler) noexcept : handler_(std::move(handler)) {}

Subscription& Subscription::operator=(Subscription&& other) noexcept {
    if (this != &other) {
        cancel();
        handler_ = std::move(other.handler_);
    }
    return *this;
}

Subscription::~Subscription() {
    cancel();
}

void Subscription::cancel() noexcept {
    const auto handler = std::exchange(handler_, nullptr);
    if (!handler) return;
    handler->active = false;
    if (const auto table = handler->table.lock()) table->remove(*handler);
}

Subscription EventDispatcher::subscribe(std::string event, std::function<void(const json&)> handler) {
    auto entry = std::make_shared<detail::EventHandler>();
    entry->event = std::move(event);
    entry->call = std::move(handler);
    entry->table = table_;
    table_->add(entry);
    return Subscription(std::move(entry));
}

void EventDispatcher::dispatch(std::string_view event, const json& params, const FailureHandler& on_failure) const {
    const auto handlers = table_->find(event);
    if (!handlers) return;
    for (const auto& handler : *handlers) {
        if (!handler->active) continue;
        try {
            handler->call(params);
        } catch (const std::exception& error) {
            on_failure(error.what());
        } catch (...) {
            on_failure("an exception of an unknown type");
        }
    }
}

void EventDispatcher::clear() {
    const auto old = std::exchange(table_, std::make_shared<detail::HandlerTable>());
}

}  // namespace bidi
