#include "service/measure/launch.hpp"

#include <array>

#include <boost/asio.hpp>

#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/events.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"
#include "service/error.hpp"
#include "service/log/log.hpp"
#include "service/measure/mailbox.hpp"
#include "service/text/words.hpp"

namespace foxbench::measure {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

constexpr std::string_view kChannel = "foxbench";

/// Without script.message there are no results. The others tell that the page is gone (w3c/webdriver-bidi#378) or that
/// something disturbs the measurement; a browser that lacks one of them can still be measured.
constexpr std::string_view kNeededEvent = bidi::script::Message::kMethod;
constexpr std::array kUsefulEvents{
    bidi::script::RealmCreated::kMethod,
    bidi::script::RealmDestroyed::kMethod,
    bidi::browsing_context::ContextDestroyed::kMethod,
    bidi::browsing_context::NavigationStarted::kMethod,
    bidi::browsing_context::UserPromptOpened::kMethod,
    bidi::log::EntryAdded::kMethod,
};

/// What a pass may take: a start, then for each call more than a sync on a slow disk, several of which a file costs.
constexpr std::chrono::minutes kPatienceForAPass{2};
constexpr milliseconds kPatienceForACall{250};
/// The call that starts the worker is answered when the worker is done, so its deadline is nobody's but the passes'.
constexpr std::chrono::hours kNoDeadline{24 * 365};

/// One measurement in one browser: what the handlers of the events share with the coroutine that drives it.
class Measurement {
public:
    Measurement(browser::Browser& browser, LaunchSetup setup, LaunchListener& listener, asio::any_io_executor executor)
        : browser_(browser),
          connection_(browser.connection()),
          setup_(std::move(setup)),
          listener_(listener),
          executor_(executor),
          inbox_(std::make_shared<Inbox>(executor)) {}

    bidi::Task<> run() {
        co_await subscribe();
        co_await load_page();
        start_worker();
        co_await begin();
        const auto& sequences = setup_.plan.sequences;
        std::int64_t stored = 0;
        for (std::size_t sequence = 0; sequence < sequences.size(); ++sequence) {
            for (std::int64_t pass = 0; pass <= setup_.plan.passes; ++pass) {
                auto finished = co_await next<FinishedPass>(pass_patience(sequences[sequence]),
                                                            sequences[sequence].series.front().name);
                if (finished.sequence != sequence || finished.pass != pass) {
                    throw Error(ErrorCode::browser, "the workload's worker sent its passes out of order");
                }
                co_await listener_.on_pass(std::move(finished));
                co_await proceed(++stored);
            }
        }
        (void)co_await next<WorkerDone>(kPatienceForAPass, "the end of the workload");
    }

private:
    using Inbox = Mailbox<WorkerMessage>;

    bidi::Task<> subscribe() {
        prompts_ = bidi::on<bidi::browsing_context::UserPromptOpened>(connection_, [this](const auto& prompt) {
            listener_.on_anomaly("the page opened a prompt, which was dismissed: " + prompt.message);
        });
        log_ = bidi::on<bidi::log::EntryAdded>(connection_, [this](const auto& entry) {
            if (entry.level == bidi::log::Level::error)
                listener_.on_anomaly("error in the page's log: " + entry.text.value_or("(no text)"));
        });
        messages_ = bidi::on<bidi::script::Message>(connection_, [this](const auto& message) { receive(message); });

        std::vector<std::string> event{std::string(kNeededEvent)};
        co_await bidi::session::subscribe(connection_, event);
        for (const auto useful : kUsefulEvents) {
            event = {std::string(useful)};
            // One unknown name makes the whole command fail, so each goes alone.
            try {
                co_await bidi::session::subscribe(connection_, event);
            } catch (const bidi::ProtocolError& error) {
                if (setup_.lacking && !setup_.lacking->insert(event.front()).second) continue;
                log::info("browser.lacks", event.front() + " is not to be had in this browser",
                          {{"code", error.code()}});
            }
        }
    }

    void receive(const bidi::script::Message& message) {
        if (message.channel != kChannel) return;
        try {
            const auto plain = message.data.plain();
            if (!plain.is_string())
                throw Error(ErrorCode::browser, "the workload's page sent something that is no text");
            if (auto text = parts_.add(plain.get_ref<const std::string&>()))
                inbox_->put(read_worker_message(*text, setup_.plan));
        } catch (const Error&) {
            inbox_->fail(std::current_exception());
        }
    }

    bidi::Task<> load_page() {
        bidi::browsing_context::NavigateOptions options;
        options.wait = bidi::browsing_context::ReadinessState::complete;
        bidi::CallOptions call;
        call.deadline = setup_.page_deadline;
        co_await bidi::browsing_context::navigate(connection_, browser_.first_context(), setup_.page_url, options,
                                                  call);
    }

    /// Starts the worker and leaves the call pending until the worker is done: when the page, its process or the
    /// connection is lost meanwhile, it is this call that fails, and with it whoever waits for the next message.
    void start_worker() {
        bidi::script::CallFunctionOptions options;
        options.arguments = {bidi::script::channel_value(kChannel),
                             bidi::script::string_value(setup_.plan.for_worker().dump())};
        bidi::CallOptions call;
        call.deadline = kNoDeadline;
        call.context = browser_.first_context();
        asio::co_spawn(executor_,
                       bidi::script::call_function(connection_, "(channel, plan) => foxbench.start(channel, plan)",
                                                   true, page(), options, call),
                       [inbox = inbox_](std::exception_ptr failure, const bidi::script::EvaluateResult& result) {
                           try {
                               if (failure) std::rethrow_exception(failure);
                               (void)result.value();
                           } catch (...) {
                               inbox->fail(std::current_exception());
                           }
                       });
    }

    /// Judges what the worker says of the browser, before anything is measured.
    bidi::Task<> begin() {
        auto environment = co_await next<document::Environment>(kPatienceForAPass, "the worker's start");
        if (!environment.cross_origin_isolated.value_or(false)) {
            throw Error(ErrorCode::browser,
                        "the workload's page is not cross-origin isolated, so its clock would step by a millisecond; "
                        "does a preference of this target switch isolation off?");
        }
        const double quota = environment.storage_quota_bytes.value_or(0);
        for (const auto& sequence : setup_.plan.sequences) {
            if (static_cast<double>(sequence.disk_bytes) > kMaxShareOfQuota * quota) {
                throw Error(ErrorCode::usage,
                            sequence.series.front().name + ": a pass would write " +
                                text::format_size(sequence.disk_bytes) + ", more than 60 % of the origin's quota of " +
                                text::format_size(static_cast<std::int64_t>(quota)) + "; take fewer calls or bytes");
            }
        }
        co_await listener_.on_environment(std::move(environment));
        if (setup_.settle.count() > 0) {
            asio::steady_timer settle(executor_, setup_.settle);
            co_await settle.async_wait(asio::use_awaitable);
        }
        co_await proceed(0);
    }

    bidi::Task<> proceed(std::int64_t number) {
        bidi::script::CallFunctionOptions options;
        options.arguments = {bidi::script::number_value(static_cast<double>(number))};
        const auto result = co_await bidi::script::call_function(connection_, "number => foxbench.proceed(number)",
                                                                 false, page(), options);
        (void)result.value();
    }

    /// The worker's next message, which has to be of this kind.
    template <class Message>
    bidi::Task<Message> next(milliseconds patience, std::string waiting_for) {
        auto message = co_await inbox_->take(patience);
        if (!message) {
            throw Error(ErrorCode::browser,
                        waiting_for + ": nothing came from the browser for " +
                            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(patience).count()) +
                            " s; it was given up");
        }
        if (const auto* failure = std::get_if<WorkerFailure>(&*message)) {
            throw WorkerError(failure->is_mismatch() ? ErrorCode::measurement : ErrorCode::browser, failure->describe(),
                              failure->stack);
        }
        auto* wanted = std::get_if<Message>(&*message);
        if (!wanted) throw Error(ErrorCode::browser, "the workload's worker sent another message than was due");
        co_return std::move(*wanted);
    }

    bidi::script::Target page() const { return bidi::script::ContextTarget{browser_.first_context(), {}}; }

    browser::Browser& browser_;
    bidi::Connection& connection_;
    LaunchSetup setup_;
    LaunchListener& listener_;
    asio::any_io_executor executor_;
    std::shared_ptr<Inbox> inbox_;  // shared with the pending call, which may end after this does
    MessageParts parts_;
    bidi::Subscription prompts_, log_, messages_;
};

}  // namespace

milliseconds pass_patience(const workload::Sequence& sequence) {
    return kPatienceForAPass + kPatienceForACall * sequence.series.front().calls;
}

bidi::Task<> measure_launch(browser::Browser& browser, LaunchSetup setup, LaunchListener& listener) {
    Measurement measurement(browser, std::move(setup), listener, co_await asio::this_coro::executor);
    co_await measurement.run();
}

}  // namespace foxbench::measure
