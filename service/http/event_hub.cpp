#include "service/http/event_hub.hpp"

#include <charconv>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace foxbench::http {

namespace asio = boost::asio;

namespace {

const std::shared_ptr<const std::string>& comment_text() {
    static const auto text = std::make_shared<const std::string>(":\n\n");
    return text;
}

const std::shared_ptr<const std::string>& overflow_text() {
    static const auto text =
        std::make_shared<const std::string>(event_text(std::nullopt, "overflow", Json{{"reason", "client too slow"}}));
    return text;
}

}  // namespace

Subscription::Subscription(asio::any_io_executor executor, std::optional<std::string> run, std::size_t capacity)
    : wake_(std::move(executor), asio::steady_timer::time_point::max()), run_(std::move(run)), capacity_(capacity) {}

bidi::Task<std::optional<std::string>> Subscription::next() {
    while (waiting_.empty() && !closed_) {
        // Never expires: cancelling it is what wakes.
        wake_.expires_at(asio::steady_timer::time_point::max());
        co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    if (waiting_.empty()) co_return std::nullopt;
    std::string text;
    for (const auto& part : waiting_) text += *part;
    waiting_.clear();
    resumed_ = 0;
    co_return text;
}

void Subscription::close() {
    closed_ = true;
    wake_.cancel();
}

void Subscription::offer(std::shared_ptr<const std::string> text) {
    if (closed_) return;
    if (waiting_.size() >= capacity_ + resumed_) {
        // What waits is still sent: it follows what the client has without a gap, so that it can resume after it.
        overflowed_ = true;
        waiting_.push_back(overflow_text());
        close();
        return;
    }
    waiting_.push_back(std::move(text));
    wake_.cancel();
}

void Subscription::keep_alive() {
    if (waiting_.empty()) offer(comment_text());
}

/// Held also by what waits for the timer, which may come after the hub's end.
class EventHub::State : public std::enable_shared_from_this<State> {
public:
    State(const asio::any_io_executor& executor, std::chrono::milliseconds comment)
        : timer_(executor), comment_(comment) {}

    void add(std::weak_ptr<Subscription> subscription) {
        subscriptions_.push_back(std::move(subscription));
        if (!ticking_) tick();
    }

    template <class Action>
    void each(Action action) {
        std::erase_if(subscriptions_, [](const auto& one) {
            const auto subscription = one.lock();
            return !subscription || subscription->is_closed();
        });
        for (const auto& one : subscriptions_) {
            if (const auto subscription = one.lock()) action(*subscription);
        }
    }

    std::size_t size() const {
        std::size_t open = 0;
        for (const auto& one : subscriptions_) {
            const auto subscription = one.lock();
            if (subscription && !subscription->is_closed()) ++open;
        }
        return open;
    }

    void stop() {
        each([](Subscription& subscription) { subscription.close(); });
        timer_.cancel();
    }

private:
    /// One timer for all streams, and none while there is no stream: an idle daemon is not woken.
    void tick() {
        ticking_ = true;
        timer_.expires_after(comment_);
        timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
            self->ticking_ = false;
            if (error) return;
            self->each([](Subscription& subscription) { subscription.keep_alive(); });
            if (!self->subscriptions_.empty()) self->tick();
        });
    }

    asio::steady_timer timer_;
    std::chrono::milliseconds comment_;
    std::vector<std::weak_ptr<Subscription>> subscriptions_;
    bool ticking_ = false;
};

EventHub::EventHub(asio::any_io_executor executor, std::function<std::int64_t()> next_block, EventHubOptions options)
    : executor_(std::move(executor)),
      state_(std::make_shared<State>(executor_, options.comment)),
      next_block_(std::move(next_block)),
      options_(options) {
    const auto first = next_block_();
    block_end_ = first + kBlock;
    last_id_ = horizon_ = first - 1;
}

EventHub::~EventHub() {
    state_->stop();
}

std::int64_t EventHub::take_id() {
    if (last_id_ + 1 == block_end_) {
        const auto first = next_block_();
        block_end_ = first + kBlock;
        last_id_ = first - 1;
    }
    return ++last_id_;
}

void EventHub::publish(std::string_view type, const std::optional<std::string>& run, const Json& data) {
    if (closed_) return;
    const auto id = take_id();
    const auto text = std::make_shared<const std::string>(event_text(id, type, data));
    ring_.push_back(Kept{id, run, text});
    if (ring_.size() > options_.ring) {
        horizon_ = ring_.front().id;
        ring_.pop_front();
    }
    state_->each([&](Subscription& subscription) {
        if (!subscription.run_ || subscription.run_ == run) subscription.offer(text);
    });
}

std::shared_ptr<Subscription> EventHub::subscribe(std::optional<std::string> run,
                                                  std::optional<std::int64_t> last_event_id) {
    auto subscription = std::make_shared<Subscription>(executor_, run, options_.queue);
    const auto add = [&](std::string text) {
        subscription->waiting_.push_back(std::make_shared<const std::string>(std::move(text)));
    };
    add("retry: " + std::to_string(options_.retry.count()) + "\n\n");
    if (last_event_id) {
        const bool known = *last_event_id >= horizon_ && *last_event_id <= last_id_;
        const auto after = known ? *last_event_id : horizon_;
        // It carries the number up to which things are missed, so that a client that loses its connection again is not
        // told the same again.
        if (!known) add(event_text(horizon_, "gap", Json{{"after", *last_event_id}, {"oldest", horizon_ + 1}}));
        for (const auto& kept : ring_) {
            if (kept.id > after && (!run || kept.run == run)) subscription->waiting_.push_back(kept.text);
        }
    }
    subscription->resumed_ = subscription->waiting_.size();
    if (closed_) {
        subscription->close();
    } else {
        state_->add(subscription);
    }
    return subscription;
}

void EventHub::close() {
    closed_ = true;
    state_->stop();
}

std::size_t EventHub::subscribers() const noexcept {
    return state_->size();
}

std::string event_text(std::optional<std::int64_t> id, std::string_view type, const Json& data) {
    std::string text;
    if (id) text += "id: " + std::to_string(*id) + "\n";
    text += "event: ";
    text += type;
    // JSON written compactly has no line breaks: those of its texts are escaped.
    return text + "\ndata: " + document::to_text(data) + "\n\n";
}

std::optional<std::int64_t> event_id_from(std::string_view text) noexcept {
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size() || id < 0) return std::nullopt;
    return id;
}

}  // namespace foxbench::http
