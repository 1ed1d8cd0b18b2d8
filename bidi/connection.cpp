#include "bidi/connection.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "bidi/codec.hpp"
#include "bidi/event_dispatcher.hpp"
#include "bidi/pending_table.hpp"
#include "bidi/script_realms.hpp"
#include "bidi/waiter.hpp"
#include "bidi/websocket_stream.hpp"

namespace bidi {

namespace asio = boost::asio;
using boost::system::error_code;
using TimePoint = PendingCall::TimePoint;

namespace {

constexpr std::uint16_t kNormalClosure = 1000;  // RFC 6455, section 7.4.1

// Longer deadlines mean "none", and are kept where adding them to the present time cannot overflow.
constexpr std::chrono::milliseconds kLongestDeadline = std::chrono::hours(24 * 365);

std::string text_of(const json& object, const char* name) {
    const auto member = object.find(name);
    return member != object.end() && member->is_string() ? member->get<std::string>() : std::string();
}

}  // namespace

/// Lives as long as its read loop or its Connection, whichever is longer; the loop alone does not keep a Connection.
class Connection::Impl : public std::enable_shared_from_this<Impl> {
public:
    Impl(asio::any_io_executor executor, std::string url, ConnectionOptions options,
         std::shared_ptr<WebSocketStream> stream)
        : executor_(std::move(executor)),
          name_("the connection to " + std::move(url)),
          options_(std::move(options)),
          stream_(std::move(stream)),
          timers_(std::in_place, executor_) {}

    void start() { asio::co_spawn(executor_, read_loop(LoopOwner(shared_from_this())), asio::detached); }

    template <class Handler>
    void call(Handler handler, std::string method, const json& params, const CallOptions& options);

    void finish(std::shared_ptr<const Error> why);
    void abort(std::shared_ptr<const Error> why);
    static Task<> close(std::shared_ptr<Impl> self);

    void note(std::uint64_t& counter, std::string_view what) {
        ++counter;
        if (options_.on_anomaly) options_.on_anomaly(what);
    }

    [[nodiscard]] bool is_open() const noexcept { return !reason_ && !losing_; }
    [[nodiscard]] const std::shared_ptr<const Error>& reason() const noexcept { return reason_; }
    [[nodiscard]] Counters& counters() noexcept { return counters_; }
    [[nodiscard]] EventDispatcher& events() noexcept { return events_; }

private:
    /// Lies in the frame of the read loop. When the loop is destroyed in the middle, since its io_context is, the
    /// waiting coroutines have to be destroyed too: they hold what holds them.
    class LoopOwner {
    public:
        explicit LoopOwner(std::shared_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
        LoopOwner(LoopOwner&&) noexcept = default;
        LoopOwner& operator=(LoopOwner&&) = delete;
        ~LoopOwner() {
            if (impl_) impl_->abandon();
        }

    private:
        std::shared_ptr<Impl> impl_;
    };

    struct Timers {
        explicit Timers(const asio::any_io_executor& executor)
            : deadline(executor), ended(executor, TimePoint::max()) {}
        asio::steady_timer deadline;
        asio::steady_timer
            ended;  // never fires before the read loop's end but for a closer that has waited long enough
    };

    Task<> read_loop(LoopOwner owner);
    Task<std::shared_ptr<const Error>> loss(std::string fault);
    Task<std::shared_ptr<const Error>> explanation();
    void abandon() noexcept;
    void release() noexcept;

    void receive(const WebSocketMessage& message);
    void receive_answer(Answer& answer);
    void receive_event(const IncomingEvent& event);
    void forget_contexts(const json& root, const std::string& event);
    void discard(PendingTable::Calls calls, const std::string& event);

    void fail_later(std::unique_ptr<Completion> completion, std::exception_ptr error);
    void give_up(std::uint64_t id);
    void expect(TimePoint deadline);
    void expire();

    asio::any_io_executor executor_;
    std::string name_;
    ConnectionOptions options_;
    std::shared_ptr<WebSocketStream> stream_;
    PendingTable pending_;
    ScriptRealms realms_;
    EventDispatcher events_;
    Counters counters_;
    std::optional<Timers> timers_;
    TimePoint armed_for_ = TimePoint::max();  // when the deadline timer fires; later than the earliest deadline never
    std::shared_ptr<const Error> reason_;
    bool losing_ = false;        // the socket is lost, the reason is not known yet
    bool end_expected_ = false;  // the browser was told to end
};

// ---- calls

template <class Handler>
void Connection::Impl::call(Handler handler, std::string method, const json& params, const CallOptions& options) {
    auto slot = asio::get_associated_cancellation_slot(handler);
    auto completion = std::make_unique<Waiter<Handler>>(std::move(handler), executor_);
    if (reason_) return fail_later(std::move(completion), reason_->as_exception());

    PendingCall call;
    call.id = pending_.next_id();
    std::string text;
    try {
        text = encode_command(call.id, method, params);
    } catch (const json::exception& error) {
        const ProtocolError refused(method, "invalid argument", error.what());  // texts that are no UTF-8
        return fail_later(std::move(completion), refused.as_exception());
    }
    call.timeout =
        options.deadline > std::chrono::milliseconds::zero() ? options.deadline : options_.deadlines.of(method);
    call.timeout = std::min(call.timeout, kLongestDeadline);
    call.deadline = std::chrono::steady_clock::now() + call.timeout;
    call.scope = script_scope(method, params, options.context);
    if (call.scope) call.scope->expected_realm = realms_.current(call.scope->context, call.scope->sandbox);
    call.method = std::move(method);
    call.completion = std::move(completion);

    if (slot.is_connected()) {
        slot.assign([weak = weak_from_this(), id = call.id](asio::cancellation_type type) {
            constexpr auto kHonoured = asio::cancellation_type::terminal | asio::cancellation_type::partial;
            if ((type & kHonoured) == asio::cancellation_type::none) return;
            if (const auto self = weak.lock()) self->give_up(id);
        });
    }
    expect(call.deadline);
    pending_.add(std::move(call));
    if (!losing_) stream_->send(std::move(text));
}

void Connection::Impl::fail_later(std::unique_ptr<Completion> completion, std::exception_ptr error) {
    asio::post(executor_, [completion = std::move(completion), error = std::move(error)]() mutable {
        completion->complete(std::move(error), json());
    });
}

void Connection::Impl::give_up(std::uint64_t id) {
    if (auto call = pending_.take(id)) {
        const CancelledError error(call->method + ": given up by the caller");
        fail_later(std::move(call->completion), error.as_exception());
    }
}

/// One timer serves all calls. It is only ever set earlier, never later: a call that is answered leaves it alone, so
/// that in a row of quick calls no time is spent on it.
void Connection::Impl::expect(TimePoint deadline) {
    if (deadline >= armed_for_) return;
    armed_for_ = deadline;
    timers_->deadline.expires_at(deadline);
    timers_->deadline.async_wait([weak = weak_from_this()](const error_code& error) {
        if (error) return;
        if (const auto self = weak.lock()) self->expire();
    });
}

void Connection::Impl::expire() {
    armed_for_ = TimePoint::max();
    for (PendingCall& call : pending_.take_expired(std::chrono::steady_clock::now())) {
        const TimeoutError error(call.method + ": no answer within " + std::to_string(call.timeout.count()) + " ms");
        fail_later(std::move(call.completion), error.as_exception());
    }
    if (const auto next = pending_.next_deadline()) expect(*next);
}

// ---- the end

void Connection::Impl::finish(std::shared_ptr<const Error> why) {
    if (reason_) return;
    reason_ = std::move(why);
    timers_->deadline.cancel();
    for (PendingCall& call : pending_.take_all()) fail_later(std::move(call.completion), reason_->as_exception());
}

void Connection::Impl::abort(std::shared_ptr<const Error> why) {
    finish(why ? std::move(why) : std::make_shared<const ClosedError>(name_ + " was dropped by this side"));
    if (stream_) stream_->drop();
}

Task<> Connection::Impl::close(std::shared_ptr<Impl> self) {
    const bool first = !self->reason_;
    if (first) {
        self->finish(std::make_shared<const ClosedError>(self->name_ + " was closed by this side"));
        self->stream_->close(kNormalClosure, {});
        self->timers_->ended.expires_after(self->options_.close_deadline);
    }
    error_code ignored;
    if (self->timers_) co_await self->timers_->ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (first && self->stream_) self->stream_->drop();
}

void Connection::Impl::abandon() noexcept {
    if (!timers_) return;
    if (!reason_) reason_ = std::make_shared<const ClosedError>(name_ + " ended together with its event loop");
    const auto calls = pending_.take_all();
    release();
}

/// Lets go of everything that belongs to the event loop: a Connection may be destroyed after its io_context.
void Connection::Impl::release() noexcept {
    stream_->drop();
    stream_.reset();
    timers_.reset();  // whoever waits for the end is resumed
    events_.clear();
}

Task<std::shared_ptr<const Error>> Connection::Impl::loss(std::string fault) {
    if (!fault.empty()) co_return std::make_shared<const ClosedError>(name_ + " failed: " + fault);
    if (!end_expected_ && options_.explain_loss) {
        auto explained = co_await explanation();
        if (explained) co_return explained;
    }
    co_return std::make_shared<const ClosedError>(name_ + " ended: " + stream_->end_text());
}

/// What the owner of the browser knows about the loss; null if it knows nothing in time. Its coroutine is not waited
/// for any longer than that, even if it cannot be cancelled.
Task<std::shared_ptr<const Error>> Connection::Impl::explanation() {
    struct State {
        explicit State(const asio::any_io_executor& executor) : done(executor) {}
        asio::steady_timer done;
        std::shared_ptr<Error> error;
        bool answered = false;
    };
    std::optional<Task<std::shared_ptr<Error>>> question;
    try {
        question.emplace(options_.explain_loss());
    } catch (const std::exception&) {
        co_return nullptr;
    }
    const auto state = std::make_shared<State>(executor_);
    state->done.expires_after(options_.explain_deadline);
    asio::co_spawn(executor_, std::move(*question), [state](std::exception_ptr, std::shared_ptr<Error> error) {
        state->error = std::move(error);
        state->answered = true;
        state->done.cancel();
    });
    error_code ignored;
    if (!state->answered) co_await state->done.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    co_return state->error;
}

// ---- what comes in

Task<> Connection::Impl::read_loop([[maybe_unused]] LoopOwner owner) {
    std::string fault;
    try {
        std::vector<WebSocketMessage> messages;
        while (!reason_ && co_await stream_->read(messages)) {
            for (WebSocketMessage& message : messages) {
                if (reason_) break;
                receive(message);
                message.payload = {};
            }
            messages.clear();
        }
        // After a close by this side only its echo is of interest.
        while (reason_ && co_await stream_->read(messages)) messages.clear();
    } catch (const std::exception& error) {
        fault = error.what();
    }
    if (!reason_) {
        losing_ = true;
        finish(co_await loss(std::move(fault)));
    }
    events_.clear();
    co_await stream_->part(options_.close_deadline);
    release();
}

void Connection::Impl::receive(const WebSocketMessage& message) {
    Incoming incoming = message.text ? decode_message(message.payload) : Malformed{"a binary message"};
    if (auto* const answer = std::get_if<Answer>(&incoming)) return receive_answer(*answer);
    if (auto* const event = std::get_if<IncomingEvent>(&incoming)) return receive_event(*event);
    const auto& malformed = std::get<Malformed>(incoming);
    note(malformed.event ? counters_.malformed_events : counters_.malformed_messages, malformed.what + " was ignored");
}

void Connection::Impl::receive_answer(Answer& answer) {
    if (!answer.id) {
        return note(counters_.errors_without_id,
                    "an error that belongs to no command: " + answer.code + ": " + answer.message);
    }
    auto call = pending_.take(*answer.id);
    if (!call) {
        const bool late = pending_.stray(*answer.id) == PendingTable::Stray::late;
        return note(late ? counters_.late_answers : counters_.unknown_answers,
                    "an answer to command " + std::to_string(*answer.id) + ", which nobody waits for, was ignored");
    }
    if (answer.failed) {
        const ProtocolError error(std::move(call->method), std::move(answer.code), std::move(answer.message),
                                  std::move(answer.stacktrace));
        return call->completion->complete(error.as_exception(), json());
    }
    if (call->scope) realms_.learn(*call->scope, answer.result);
    if (call->method == "browser.close" || call->method == "session.end") end_expected_ = true;
    call->completion->complete(nullptr, std::move(answer.result));
}

void Connection::Impl::receive_event(const IncomingEvent& event) {
    const auto& [method, params] = event;
    if (method == "script.realmCreated") {
        realms_.created(params);
    } else if (method == "script.realmDestroyed") {
        const std::string realm = text_of(params, "realm");
        discard(pending_.take_of_realm(realm, realms_), method);
        realms_.destroyed(realm);
    } else if (method == "browsingContext.navigationStarted") {
        discard(pending_.take_of_context(text_of(params, "context"), true), method);
    } else if (method == "browsingContext.contextDestroyed") {
        forget_contexts(params, method);
    }

    events_.dispatch(method, params, [this, &event](std::string_view what) {
        note(counters_.handler_failures, "a handler of " + event.method + " failed: " + std::string(what));
    });
}

/// A context goes together with those in it, which the event lists in the contexts' `children`.
void Connection::Impl::forget_contexts(const json& root, const std::string& event) {
    std::vector<const json*> left{&root};
    while (!left.empty()) {
        const json& info = *left.back();
        left.pop_back();
        if (!info.is_object()) continue;
        const std::string context = text_of(info, "context");
        discard(pending_.take_of_context(context, false), event);
        realms_.context_destroyed(context);
        const auto children = info.find("children");
        if (children == info.end() || !children->is_array()) continue;
        for (const json& child : *children) left.push_back(&child);
    }
}

void Connection::Impl::discard(PendingTable::Calls calls, const std::string& event) {
    for (PendingCall& call : calls) {
        const std::string& context = call.scope->context;
        const std::string where = context.empty() ? "realm " + call.scope->realm : "browsing context " + context;
        const DiscardedError error(call.method + ": the page in " + where + " is gone (" + event + ")");
        fail_later(std::move(call.completion), error.as_exception());
    }
}

// ---- Connection

Task<std::shared_ptr<Connection>> Connection::open(std::string url, ConnectionOptions options) {
    const auto address = WebSocketUrl::parse(url);
    if (!address)
        throw ClosedError("cannot connect to \"" + url + "\": not an address like ws://127.0.0.1:9222/session");
    const auto executor = co_await asio::this_coro::executor;
    auto stream = co_await WebSocketStream::connect(*address, options.max_message_bytes, options.handshake_deadline);
    auto impl = std::make_shared<Impl>(executor, std::move(url), std::move(options), std::move(stream));
    impl->start();
    co_return std::shared_ptr<Connection>(new Connection(std::move(impl)));
}

Connection::Connection(std::shared_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

Connection::~Connection() {
    impl_->abort(nullptr);
}

Task<json> Connection::call(std::string method, json params, CallOptions options) {
    return asio::async_initiate<const asio::use_awaitable_t<>, void(std::exception_ptr, json)>(
        [](auto handler, const std::shared_ptr<Connection>& self, std::string name, const json& parameters,
           const CallOptions& how) { self->impl_->call(std::move(handler), std::move(name), parameters, how); },
        asio::use_awaitable, shared_from_this(), std::move(method), std::move(params), std::move(options));
}

Subscription Connection::on(std::string event, std::function<void(const json&)> handler) {
    return impl_->events().subscribe(std::move(event), std::move(handler));
}

Task<> Connection::close() {
    return Impl::close(impl_);
}

void Connection::abort(std::shared_ptr<const Error> why) {
    impl_->abort(std::move(why));
}

bool Connection::is_open() const noexcept {
    return impl_->is_open();
}

std::shared_ptr<const Error> Connection::reason() const noexcept {
    return impl_->reason();
}

const Counters& Connection::counters() const noexcept {
    return impl_->counters();
}

void Connection::note_malformed_event(std::string_view event, std::string_view what) {
    impl_->note(impl_->counters().malformed_events, std::string(event) + ": " + std::string(what));
}

}  // namespace bidi
