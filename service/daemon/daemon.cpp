#include "service/daemon/daemon.hpp"

#include <csignal>
#include <cstdlib>

#include <boost/asio.hpp>

#include "service/browser/profile.hpp"
#include "service/config/changes.hpp"
#include "service/config/secrets.hpp"
#include "service/daemon/context.hpp"
#include "service/daemon/history_keeper.hpp"
#include "service/daemon/report_cache.hpp"
#include "service/daemon/retention.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_events.hpp"
#include "service/daemon/scheduler.hpp"
#include "service/daemon/store_adapters.hpp"
#include "service/error.hpp"
#include "service/http/server.hpp"
#include "service/log/log.hpp"
#include "service/log/service_manager.hpp"
#include "service/notify/webhooks.hpp"
#include "service/text/words.hpp"

namespace foxbench::daemon {

namespace asio = boost::asio;
using std::chrono::milliseconds;

namespace {

/// Event numbers of one start of the daemon: enough for a century of progress, so that the store is asked once.
constexpr std::int64_t kEventIds = std::int64_t{1} << 32;
/// What the end may take besides `shutdown_grace`: the browser's, the run's last words, the requests'.
constexpr std::chrono::seconds kEndGrace{60};
/// For requests that are being answered when the daemon ends.
constexpr milliseconds kRequestGrace{2'000};

std::vector<http::AccessToken> access_tokens(const config::Server& server) {
    std::vector<http::AccessToken> tokens;
    if (server.token_file.empty()) return tokens;
    for (auto& token : config::read_tokens(server.token_file)) {
        http::AccessToken one;
        one.scope = token.may_run ? http::Scope::run : http::Scope::read;
        one.token = std::move(token.token);
        tokens.push_back(std::move(one));
    }
    return tokens;
}

std::vector<notify::Webhook> webhooks_of(const config::Config& config) {
    std::vector<notify::Webhook> webhooks;
    for (const auto& one : config.webhooks) {
        notify::Webhook webhook;
        webhook.url = one.url;
        if (!one.secret_file.empty()) webhook.secret = config::read_secret(one.secret_file);
        webhook.on = one.on;
        webhook.alerts = one.alerts;
        webhook.secret_file = one.secret_file.string();
        webhooks.push_back(std::move(webhook));
    }
    return webhooks;
}

}  // namespace

class Daemon::Impl {
public:
    explicit Impl(DaemonOptions options)
        : options_(std::move(options)),
          config_(std::make_shared<const config::Config>(options_.config)),
          store_(config_->results),
          reader_(config_->results, store::Store::Mode::existing),
          next_event_id_(store_.reserve_event_ids(kEventIds)),
          events_(loop_.get_executor(),
                  [this] { return std::exchange(next_event_id_, next_event_id_ + http::EventHub::kBlock); }),
          metrics_(FOXBENCH_VERSION, now_ms()),
          deliveries_(store_),
          webhooks_(loop_.get_executor(), store_pool_, deliveries_, webhook_options()),
          run_events_(events_, metrics_, webhooks_),
          jobs_(loop_.get_executor(), store_, store_pool_, run_events_, [this] { return context_.config; }),
          context_{loop_.get_executor(),
                   config_,
                   store_,
                   store_pool_,
                   reader_,
                   reader_pool_,
                   events_,
                   metrics_,
                   jobs_,
                   run_events_,
                   scheduler_,
                   reports_,
                   [this] { histories_.wake(); },
                   [this] { return reload(); },
                   now_ms(),
                   false},
          scheduler_(context_),
          retention_(context_),
          histories_(context_, webhooks_),
          access_(std::make_shared<http::Access>(access_tokens(config_->server))),
          server_(loop_.get_executor(), server_options(), make_routes(context_, access_)),
          signals_(loop_, SIGINT, SIGTERM, SIGHUP) {}

    int run() {
        // A client that goes away must not end a measurement.
        std::signal(SIGPIPE, SIG_IGN);
        auto webhooks = webhooks_of(*config_);
        server_.start();
        const std::string url = own_url();
        use_webhooks(std::move(webhooks));
        // Hundreds of profiles take their time; no job begins before it is done.
        asio::post(store_pool_, [this] { sweep_profiles(); });
        log::info("daemon.listening", "ready", {{"url", url}, {"results", config_->results.string()}});
        if (options_.on_listening) options_.on_listening(url);
        manager_.ready("listening at " + url);
        wait_for_signal();
        // Judged before the next job begins, so that it never disturbs a measurement.
        jobs_.before_each([this] { return histories_.catch_up(); });
        spawn(jobs_.serve(), working_);
        spawn(scheduler_.run(), working_);
        spawn(retention_.run(), working_);
        spawn(histories_.run(), working_);
        spawn(webhooks_.run(), sending_);
        loop_.run();
        store_pool_.join();
        reader_pool_.join();
        log::info("daemon.ended", "everything that was finished is in the store");
        return failure_ ? 1 : 0;
    }

private:
    /// With the port that was bound, where the configuration leaves it open.
    std::string own_url() const {
        auto server = config_->server;
        server.port = server_.port();
        return server.url();
    }

    /// Runs that end from now on are told to these. In order with what else the store is asked for.
    void use_webhooks(std::vector<notify::Webhook> webhooks) {
        asio::post(store_pool_, [this, outbox = outbox_for(webhooks, own_url())] { store_.set_outbox(outbox); });
        histories_.tell_to(webhooks, own_url());
        webhooks_.configure(std::move(webhooks));
    }

    notify::WebhooksOptions webhook_options() {
        notify::WebhooksOptions options;
        options.on_attempt = [this](const notify::Delivery& delivery) { tell_attempt(delivery); };
        return options;
    }

    void tell_attempt(const notify::Delivery& delivery) {
        using notify::DeliveryState;
        const bool delivered = delivery.state == DeliveryState::delivered;
        metrics_.webhook_delivery(delivered                                 ? metrics::WebhookOutcome::delivered
                                  : delivery.state == DeliveryState::failed ? metrics::WebhookOutcome::failed
                                                                            : metrics::WebhookOutcome::retried);
        log::event(delivered ? log::Level::info : log::Level::warn, "webhook.attempt",
                   delivered ? "delivered" : delivery.last_error.value_or("not delivered"),
                   {{"run", delivery.run}, {"url", delivery.url}, {"attempts", delivery.attempts}});
    }

    http::ServerOptions server_options() {
        http::ServerOptions options;
        options.addresses = config_->server.addresses;
        options.port = config_->server.port;
        options.host_names = config_->server.host_names;
        options.access = access_;
        options.idempotency = std::make_shared<StoredAnswers>(store_, store_pool_);
        options.pool = reader_pool_.get_executor();
        options.on_fault = [](std::string_view event, const std::string& message) { log::error(event, message); };
        options.on_answer = [this](const http::Answered& answered) {
            metrics_.http_request(answered.route ? http::to_string(answered.route->method) : "",
                                  answered.route ? answered.route->pattern : "", answered.status,
                                  std::chrono::duration<double>(answered.took).count());
        };
        return options;
    }

    /// On the store's pool.
    void sweep_profiles() const {
        try {
            for (const auto& stuck : browser::sweep(config_->profiles).stuck)
                log::warn("profile.stuck", "a profile of a browser that is gone could not be removed",
                          {{"folder", stuck.string()}});
        } catch (const std::exception& fault) {
            log::error("profile.fault", fault.what());
        }
    }

    std::vector<std::string> reload() {
        manager_.reloading();
        struct Ready {
            const log::ServiceManager& manager;
            ~Ready() { manager.ready(); }
        } const ready{manager_};
        if (!options_.load) throw Error(ErrorCode::usage, "there is no configuration file to read again");
        const auto fresh = std::make_shared<const config::Config>(options_.load());
        config::check_references(*fresh);
        const auto& present = *context_.config;
        if (const auto fixed = config::changes_that_need_a_restart(present, *fresh); !fixed.empty()) {
            throw Error(ErrorCode::usage,
                        text::join(fixed) + ": cannot be changed while the daemon runs, so nothing was; restart it");
        }
        auto changes = config::describe_changes(present, *fresh);
        auto webhooks = webhooks_of(*fresh);
        if (access_->replace(access_tokens(fresh->server)) && present.server.token_file == fresh->server.token_file)
            changes.emplace_back("server.token_file: its tokens are others than before");
        use_webhooks(std::move(webhooks));
        context_.config = fresh;
        scheduler_.wake();
        for (const auto& change : changes) log::info("config.changed", change);
        if (changes.empty()) log::info("config.unchanged", "the configuration was read again; nothing has changed");
        events_.publish("config.reloaded", std::nullopt, {{"changes", changes}});
        return changes;
    }

    void wait_for_signal() {
        signals_.async_wait([this](const boost::system::error_code& error, int signal) {
            if (error) return;
            if (signal == SIGHUP) {
                try {
                    static_cast<void>(reload());
                } catch (const std::exception& fault) {
                    log::error("config.refused", std::string("nothing was changed: ") + fault.what());
                }
            } else if (context_.stopping) {
                std::_Exit(1);  // browsers die with us
            } else {
                shut_down();
            }
            wait_for_signal();
        });
    }

    void shut_down() {
        if (std::exchange(context_.stopping, true)) return;
        log::info("daemon.stopping", "no new work; the running pass may be finished",
                  {{"grace_ms", context_.config->server.shutdown_grace.count()}});
        const auto grace = context_.config->server.shutdown_grace;
        manager_.stopping("finishing the running pass", grace + kEndGrace);
        scheduler_.stop();
        retention_.stop();
        histories_.stop();
        jobs_.drain(grace);
        asio::co_spawn(loop_, finish(), asio::detached);
    }

    /// Ends the parts in order. A message about the last run that does not get away now is sent after the next start.
    bidi::Task<> finish() {
        co_await until([this] { return working_ == 0; });
        events_.close();
        co_await server_.stop(kRequestGrace);
        webhooks_.stop();
        co_await until([this] { return sending_ == 0; });
        signals_.cancel();
        loop_.stop();
    }

    template <class Condition>
    bidi::Task<> until(Condition condition) {
        while (!condition()) {
            parts_ended_.expires_at(asio::steady_timer::time_point::max());
            co_await parts_ended_.async_wait(asio::as_tuple(asio::use_awaitable));
        }
    }

    /// Runs a part of the daemon, counted while it runs; one that fails takes the daemon with it.
    void spawn(bidi::Task<> part, int& count) {
        ++count;
        asio::co_spawn(loop_, std::move(part), [this, &count](std::exception_ptr failure) {
            --count;
            parts_ended_.cancel();
            if (!failure) return;
            failure_ = true;
            try {
                std::rethrow_exception(failure);
            } catch (const std::exception& error) {
                log::error("daemon.failed", error.what());
            }
            shut_down();
        });
    }

    DaemonOptions options_;
    std::shared_ptr<const config::Config> config_;  ///< of the start
    asio::io_context loop_{1};
    asio::thread_pool store_pool_{1}, reader_pool_{1};
    store::Store store_;
    store::Store reader_;
    std::int64_t next_event_id_;
    http::EventHub events_;
    metrics::Metrics metrics_;
    StoredDeliveries deliveries_;
    notify::Webhooks webhooks_;
    RunEvents run_events_;
    run::JobRunner jobs_;
    ReportCache reports_;
    Context context_;
    Scheduler scheduler_;
    Retention retention_;
    HistoryKeeper histories_;
    std::shared_ptr<http::Access> access_;
    http::Server server_;
    asio::signal_set signals_;
    asio::steady_timer parts_ended_{loop_};
    log::ServiceManager manager_ = log::ServiceManager::from_environment();
    int working_ = 0;  ///< of jobs, scheduler, retention, histories: those that run
    int sending_ = 0;  ///< the same of the webhooks
    bool failure_ = false;
};

Daemon::Daemon(DaemonOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Daemon::~Daemon() = default;

int Daemon::run() {
    return impl_->run();
}

}  // namespace foxbench::daemon
