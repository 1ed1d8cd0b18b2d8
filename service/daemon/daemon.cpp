#include "service/daemon/daemon.hpp"

#include <csignal>
#include <cstdlib>

#include <boost/asio.hpp>

#include "service/browser/profile.hpp"
#include "service/config/changes.hpp"
#include "service/config/secrets.hpp"
#include "service/daemon/context.hpp"
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
#include "service/run/run_files.hpp"
#include "service/text/words.hpp"

namespace foxbench::daemon {

namespace asio = boost::asio;
using std::chrono::milliseconds;

namespace {

/// Event numbers of one start of the daemon: enough for a century of progress, so that the store is asked once.
constexpr std::int64_t kEventIds = std::int64_t{1} << 32;
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
        webhooks.push_back(std::move(webhook));
    }
    return webhooks;
}

/// Runs what was lost with the last daemon get their state and their files. Their ids.
std::vector<std::string> recover(store::Store& store) {
    auto lost = store.recover();
    for (const auto& run : lost) {
        if (const auto fault = run::try_write_run_files(store, run)) log::warn("run.trouble", *fault, {{"run", run}});
    }
    return lost;
}

}  // namespace

class Daemon::Impl {
public:
    explicit Impl(DaemonOptions options)
        : options_(std::move(options)),
          config_(std::make_shared<const config::Config>(options_.config)),
          store_(config_->results),
          recovered_(recover(store_)),
          reader_(config_->results, store::Store::Mode::existing),
          next_event_id_(store_.reserve_event_ids(kEventIds)),
          events_(loop_.get_executor(),
                  [this] { return std::exchange(next_event_id_, next_event_id_ + http::EventHub::kBlock); }),
          metrics_(FOXBENCH_VERSION, now_ms()),
          deliveries_(store_),
          webhooks_(loop_.get_executor(), store_pool_, deliveries_, webhook_options()),
          run_events_(loop_.get_executor(), events_, metrics_, webhooks_, reader_, reader_pool_),
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
                   [this] { return reload(); },
                   now_ms(),
                   false},
          scheduler_(context_),
          retention_(context_),
          access_(std::make_shared<http::Access>(access_tokens(config_->server))),
          server_(loop_.get_executor(), server_options(), make_routes(context_, access_)),
          signals_(loop_, SIGINT, SIGTERM, SIGHUP) {
        webhooks_.configure(webhooks_of(*config_));
    }

    int run() {
        // A client that goes away must not end a measurement.
        std::signal(SIGPIPE, SIG_IGN);
        sweep_profiles();
        server_.start();
        const std::string url = config_->server.port == 0 ? url_with_port() : config_->server.url();
        log::info("daemon.listening", "ready", {{"url", url}, {"results", config_->results.string()}});
        if (options_.on_listening) options_.on_listening(url);
        manager_.ready("listening at " + url);
        announce_recovered();
        wait_for_signal();
        run_events_.on_told([this] { parts_ended_.cancel(); });
        spawn(jobs_.serve(), working_);
        spawn(scheduler_.run(), working_);
        spawn(retention_.run(), working_);
        spawn(webhooks_.run(), sending_);
        loop_.run();
        store_pool_.join();
        reader_pool_.join();
        log::info("daemon.ended", "everything that was finished is in the store");
        return failure_ ? 1 : 0;
    }

private:
    std::string url_with_port() const {
        auto server = config_->server;
        server.port = server_.port();
        return server.url();
    }

    notify::WebhooksOptions webhook_options() {
        notify::WebhooksOptions options;
        options.base_url = config_->server.url();
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

    void sweep_profiles() {
        for (const auto& stuck : browser::sweep(config_->profiles).stuck)
            log::warn("profile.stuck", "a profile of a browser that is gone could not be removed",
                      {{"folder", stuck.string()}});
    }

    void announce_recovered() {
        for (const auto& run : recovered_) {
            log::warn("run.recovered", "its daemon was lost; what was finished of it is kept", {{"run", run}});
            run::RunOutcome outcome;
            outcome.id = run;
            outcome.state = store_.load_summary(run).state;
            outcome.reason = store_.load_summary(run).reason.value_or("");
            run_events_.on_finished(outcome);
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
        const auto changes = config::describe_changes(present, *fresh);
        webhooks_.configure(webhooks_of(*fresh));
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
        manager_.stopping("finishing the running pass");
        scheduler_.stop();
        retention_.stop();
        jobs_.drain(context_.config->server.shutdown_grace);
        asio::co_spawn(loop_, finish(), asio::detached);
    }

    /// Ends the parts in order. The webhooks go on until the last run's message is recorded: it is sent after the next
    /// start, if not now.
    bidi::Task<> finish() {
        co_await until([this] { return working_ == 0 && run_events_.telling() == 0; });
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
    std::vector<std::string> recovered_;
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
    std::shared_ptr<http::Access> access_;
    http::Server server_;
    asio::signal_set signals_;
    asio::steady_timer parts_ended_{loop_};
    log::ServiceManager manager_ = log::ServiceManager::from_environment();
    int working_ = 0;  ///< of jobs, scheduler, retention: those that run
    int sending_ = 0;  ///< the same of the webhooks
    bool failure_ = false;
};

Daemon::Daemon(DaemonOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Daemon::~Daemon() = default;

int Daemon::run() {
    return impl_->run();
}

}  // namespace foxbench::daemon
