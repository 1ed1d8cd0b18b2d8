#include "service/notify/webhooks.hpp"

#include <algorithm>
#include <list>
#include <type_traits>
#include <utility>

#include <boost/asio.hpp>

#include "service/host/clock.hpp"
#include "service/log/log.hpp"
#include "service/notify/signature.hpp"

namespace foxbench::notify {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

/// One receiver that does not answer must not hold up the others; more at once are not worth their sockets.
constexpr std::size_t kAtOnce = 8;
/// After the log failed (the disk is full): it is not asked again at once.
constexpr std::chrono::milliseconds kLogPause = 10s;
/// Attempts are due by the wall clock; somebody may set that while this sleeps.
constexpr std::chrono::milliseconds kLongestSleep = 5min;

}  // namespace

class Webhooks::State : public std::enable_shared_from_this<State> {
public:
    State(asio::any_io_executor executor, asio::thread_pool& pool, DeliveryLog& log, WebhooksOptions options)
        : executor_(std::move(executor)),
          strand_(pool.get_executor()),
          log_(log),
          options_(std::move(options)),
          poster_(options_.poster),
          alarm_(executor_),
          batch_done_(executor_) {
        if (!options_.now_ms) options_.now_ms = host::now_ms;
    }

    void configure(std::vector<Webhook> webhooks) { webhooks_ = std::move(webhooks); }

    static bidi::Task<> run(std::shared_ptr<State> self) {
        while (!self->stopped_) {
            self->woken_ = false;
            std::string fault;
            std::optional<std::chrono::milliseconds> pause;
            try {
                pause = co_await send_due(self);
            } catch (const std::exception& error) {
                fault = error.what();
            }
            if (self->stopped_) break;
            if (!fault.empty()) {
                log::error("webhook.log_failed", "the record of webhook deliveries cannot be used",
                           {{"reason", fault}});
                pause = kLogPause;
            }
            if (pause) co_await sleep(self, *pause);
        }
    }

    void wake() {
        woken_ = true;
        alarm_.cancel();
    }

    void stop() {
        stopped_ = true;
        wake();
        for (auto& signal : cancel_) signal.emit(asio::cancellation_type::terminal);
    }

private:
    /// Does `work` on the pool, one after the other, and comes back with its result.
    template <class Work>
    static bidi::Task<std::invoke_result_t<Work>> on_pool(std::shared_ptr<State> self, Work work) {
        using Result = std::invoke_result_t<Work>;
        auto wrapped = [](Work inner) -> bidi::Task<Result> { co_return inner(); };
        co_return co_await asio::co_spawn(self->strand_, wrapped(std::move(work)), asio::use_awaitable);
    }

    /// Sends one batch. Returns how long there is nothing to do; nothing after a batch, since there may be more.
    static bidi::Task<std::optional<std::chrono::milliseconds>> send_due(std::shared_ptr<State> self) {
        const auto now = self->options_.now_ms();
        auto find_due = [log = &self->log_, now] { return log->due(now, kAtOnce); };
        auto due = co_await on_pool(self, std::move(find_due));
        if (self->stopped_) co_return std::nullopt;
        if (due.empty()) {
            auto find_next = [log = &self->log_] { return log->next_at_ms(); };
            const auto next = co_await on_pool(self, std::move(find_next));
            if (!next) co_return std::chrono::milliseconds::max();
            co_return std::clamp(std::chrono::milliseconds(*next - self->options_.now_ms()), 1ms, kLongestSleep);
        }
        self->update_failed_ = false;
        for (auto& delivery : due) start(self, std::move(delivery));
        while (self->going_ > 0) {
            self->batch_done_.expires_at(std::chrono::steady_clock::time_point::max());
            co_await self->batch_done_.async_wait(asio::as_tuple(asio::use_awaitable));
        }
        self->cancel_.clear();
        // What was sent but not noted is due still, and would be sent again and again.
        if (self->update_failed_) co_return kLogPause;
        co_return std::nullopt;
    }

    static void start(const std::shared_ptr<State>& self, Delivery delivery) {
        ++self->going_;
        asio::co_spawn(
            self->executor_, attempt(self, std::move(delivery)),
            asio::bind_cancellation_slot(self->cancel_.emplace_back().slot(), [self](const std::exception_ptr&) {
                --self->going_;
                self->batch_done_.cancel();
            }));
    }

    static bidi::Task<> attempt(std::shared_ptr<State> self, Delivery delivery) {
        const Webhook* webhook = self->webhook_of(delivery);
        Attempt result;
        const bool wanted = webhook != nullptr;
        if (wanted) {
            auto headers = headers_of(delivery, webhook->secret);
            result = co_await self->poster_.post(delivery.url, std::move(headers), delivery.body);
        } else {
            result.error = "the configuration has no webhook with this address any more";
        }
        if (self->stopped_) co_return;
        self->judge(delivery, result, wanted);

        std::string fault;
        auto update = [log = &self->log_, &delivery] { log->update(delivery); };
        try {
            co_await on_pool(self, std::move(update));
        } catch (const std::exception& error) {
            fault = error.what();
        }
        if (!fault.empty()) {
            self->update_failed_ = true;
            log::error("webhook.log_failed", "the outcome of a webhook delivery cannot be recorded",
                       {{"delivery", delivery.id}, {"reason", fault}});
        }
        if (self->options_.on_attempt) self->options_.on_attempt(delivery);
    }

    /// Null: the configuration has none for it any more.
    [[nodiscard]] const Webhook* webhook_of(const Delivery& delivery) const {
        std::vector<const Webhook*> candidates;
        for (const auto& webhook : webhooks_) {
            if (webhook.url != delivery.url) continue;
            if (!delivery.secret_file || webhook.secret_file == *delivery.secret_file) return &webhook;
            candidates.push_back(&webhook);
        }
        return candidates.size() == 1 ? candidates.front() : nullptr;
    }

    static Poster::Headers headers_of(const Delivery& delivery, const std::string& secret) {
        Poster::Headers headers{{"X-Foxbench-Event", delivery.event},
                                {"X-Foxbench-Delivery", std::to_string(delivery.id)}};
        if (!secret.empty()) headers.emplace_back("X-Foxbench-Signature", signature_header(secret, delivery.body));
        return headers;
    }

    void judge(Delivery& delivery, const Attempt& result, bool wanted) const {
        delivery.last_status = result.status;
        delivery.last_error = result.delivered() ? std::nullopt : std::optional(result.error);
        if (wanted) ++delivery.attempts;
        if (result.delivered()) {
            delivery.state = DeliveryState::delivered;
        } else if (const auto wait = wanted ? options_.back_off(delivery.attempts) : std::nullopt) {
            delivery.next_attempt_at_ms = options_.now_ms() + wait->count();
        } else {
            delivery.state = DeliveryState::failed;
        }
    }

    static bidi::Task<> sleep(std::shared_ptr<State> self, std::chrono::milliseconds pause) {
        if (self->woken_) co_return;
        if (pause == std::chrono::milliseconds::max())
            self->alarm_.expires_at(std::chrono::steady_clock::time_point::max());
        else
            self->alarm_.expires_after(pause);
        co_await self->alarm_.async_wait(asio::as_tuple(asio::use_awaitable));
    }

    asio::any_io_executor executor_;
    asio::strand<asio::thread_pool::executor_type> strand_;
    DeliveryLog& log_;
    WebhooksOptions options_;
    Poster poster_;
    std::vector<Webhook> webhooks_;
    asio::steady_timer alarm_;                     ///< of run(), between batches
    asio::steady_timer batch_done_;                ///< cancelled when an attempt has ended
    std::size_t going_ = 0;                        ///< attempts of this batch that have not ended
    std::list<asio::cancellation_signal> cancel_;  ///< one for each attempt of this batch
    bool woken_ = false;                           ///< something is due since run() looked last
    bool update_failed_ = false;                   ///< in this batch
    bool stopped_ = false;
};

Webhooks::Webhooks(asio::any_io_executor executor, asio::thread_pool& pool, DeliveryLog& log, WebhooksOptions options)
    : state_(std::make_shared<State>(std::move(executor), pool, log, std::move(options))) {}

Webhooks::~Webhooks() {
    state_->stop();
}

void Webhooks::configure(std::vector<Webhook> webhooks) {
    state_->configure(std::move(webhooks));
}

void Webhooks::wake() {
    state_->wake();
}

bidi::Task<> Webhooks::run() {
    return State::run(state_);
}

void Webhooks::stop() {
    state_->stop();
}

}  // namespace foxbench::notify
