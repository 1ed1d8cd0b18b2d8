// foxbench selftest: does what it promises, tried on this machine's own browser.

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "service/alerts/alert_json.hpp"
#include "service/alerts/watch.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/in_process_run.hpp"
#include "service/cli/progress_printer.hpp"
#include "service/cli/settings.hpp"
#include "service/document/purpose.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/host/clock.hpp"
#include "service/run/frozen_request.hpp"
#include "service/run/preparation.hpp"
#include "service/stats/nightly.hpp"
#include "service/store/alerts.hpp"
#include "service/text/words.hpp"

namespace foxbench::cli {
namespace {

using document::Json;
using store::Alert;
using store::Alerts;
using store::AlertState;

constexpr std::int64_t kDayMs = 24 * 60 * 60 * 1000;
constexpr const char* kSeries = "small-append";

struct Options {
    StoreOptions store;
    std::string firefox, target;
    std::int64_t planted_us = 50, calls = 300;
    bool json = false, quiet = false, keep = false;
};

/// A folder of results that is gone at the end, with everything measured for the self-test: none of it may get into a
/// history that somebody reads.
class ScratchResults {
public:
    ScratchResults(const std::filesystem::path& beside, bool keep) : keep_(keep) {
        folder_ = beside / ("selftest-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    ScratchResults(const ScratchResults&) = delete;
    ScratchResults& operator=(const ScratchResults&) = delete;
    ~ScratchResults() {
        std::error_code ignored;
        if (!keep_) std::filesystem::remove_all(folder_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    std::filesystem::path folder_;
    bool keep_;
};

/// The target that is measured: with a fine clock, since a step of 20 µs would hide what is planted.
config::Target target_of(const Options& options, const config::Config& config) {
    config::Target target;
    target.name = "firefox";
    if (!options.firefox.empty()) {
        target.binary = options.firefox;
    } else {
        std::vector<std::string> wanted;
        if (!options.target.empty()) wanted.push_back(options.target);
        target = config.choose_targets(wanted).front();
    }
    target.precise_timer = true;
    return target;
}

/// What became of one night.
struct Night {
    std::string run, date;
    std::vector<Alert> suspected;  ///< that night
    std::optional<std::string> confirmation;
};

class Selftest {
public:
    Selftest(const Options& options, config::Config config)
        : options_(options),
          scratch_((std::filesystem::create_directories(config.results), config.results), options.keep),
          config_(std::move(config)),
          printer_(options.quiet                ? ProgressPrinter::Style::quiet
                   : isatty(STDERR_FILENO) != 0 ? ProgressPrinter::Style::bar
                                                : ProgressPrinter::Style::lines),
          store_((config_.results = scratch_.folder())) {
        config_.targets = {target_of(options, config_)};
        config_.defaults.targets.clear();
    }

    int run() {
        for (std::size_t i = 0; i < stats::kMinNights; ++i) {
            say("night " + std::to_string(i + 1) + " of " + std::to_string(stats::kMinNights + 2));
            (void)measure_night(0);
        }
        say("a night with nothing planted: it has to stay silent");
        const Night clean = measure_night(0);
        const auto after_clean = confirmed_of(clean);
        say("a night with " + std::to_string(options_.planted_us) + " µs planted into every timed call");
        const Night planted = measure_night(options_.planted_us);
        const auto after_planted = confirmed_of(planted);
        printer_.finish();
        return report(clean, after_clean, planted, after_planted);
    }

private:
    void say(const std::string& what) {
        if (options_.quiet) return;
        printer_.finish();
        std::cerr << "selftest: " << what << "\n";
    }

    run::RunRequest request(std::int64_t planted_us, const std::string& date) {
        run::Wanted wanted;
        wanted.overrides = {{workload::kCases, kSeries}, {"calls", options_.calls}, {"passes", 3}};
        if (planted_us > 0) wanted.overrides[document::kPlanted] = planted_us;
        wanted.launches = 1;
        wanted.label = "selftest";
        auto asked = run::resolve(wanted, config_);
        asked.trigger = {{"kind", "schedule"}, {"name", "selftest"}, {"night", date}};
        return asked;
    }

    /// Queues and measures one night of the scratch history, and judges it as the daemon does.
    Night measure_night(std::int64_t planted_us) {
        Night night;
        night.date = document::utc_text(next_night_ms_).substr(0, 10);
        next_night_ms_ += kDayMs;
        run::Job asked;
        asked.request = request(planted_us, night.date);
        store::NewJob job;
        job.skeleton = run::make_queued_document(asked.request, config_, host::now_ms());
        job.request = run::freeze(asked);
        job.job_class = store::JobClass::scheduled;
        job.queued_at_ms = host::now_ms();
        job.schedule = "selftest";
        night.run = store_.enqueue(job);
        measure_next();
        judge();
        for (auto& alert : Alerts(store_).list()) {
            if (alert.run == night.run && !alert.confirmation.empty()) {
                night.confirmation = alert.confirmation;
                night.suspected.push_back(std::move(alert));
            }
        }
        return night;
    }

    void measure_next() {
        auto job = store_.claim_next();
        if (!job) throw Error(ErrorCode::internal, "the self-test's queue is empty");
        const auto done = run_here(config_, store_, run::thaw(job->request, config_.workloads), job->run, printer_);
        if (done.interrupted) throw Error(ErrorCode::interrupted, "the self-test was interrupted");
        if (done.outcome.state != document::RunState::completed) {
            throw Error(ErrorCode::measurement, std::string("a run of the self-test is ") +
                                                    document::to_string(done.outcome.state) + ": " +
                                                    done.outcome.reason);
        }
    }

    void judge() { alerts::catch_up(store_, config_, host::now_ms(), alerts::Planted::counts); }

    /// Measures again what was suspected; gives what was confirmed.
    std::vector<Alert> confirmed_of(const Night& night) {
        if (night.confirmation) {
            say("something is suspected: it is measured again");
            measure_next();
            judge();
        }
        std::vector<Alert> confirmed;
        for (auto& alert : Alerts(store_).list()) {
            if (alert.run == night.run && alert.state == AlertState::confirmed) confirmed.push_back(std::move(alert));
        }
        return confirmed;
    }

    /// What the worker says that it really added to a call: the mean over the passes.
    std::optional<double> really_added_us(const std::string& run) {
        double sum = 0;
        std::size_t passes = 0;
        for (const auto& target : store_.load(run).targets) {
            for (const auto& launch : target.launches) {
                for (const auto& series : launch.series) {
                    for (const auto& pass : series.passes) {
                        const auto added =
                            pass.extra.is_object() ? pass.extra.value("planted_mean_us", Json()) : Json();
                        if (!added.is_number()) continue;
                        sum += added.get<double>();
                        ++passes;
                    }
                }
            }
        }
        if (passes == 0) return std::nullopt;
        return sum / static_cast<double>(passes);
    }

    int report(const Night& clean, const std::vector<Alert>& after_clean, const Night& planted,
               const std::vector<Alert>& after_planted) {
        const auto added = really_added_us(planted.run);
        const bool seen = !after_planted.empty() && after_planted.front().slower;
        const bool silent = after_clean.empty();
        if (options_.json) {
            Json alerts = Json::array();
            for (const auto& alert : after_planted)
                alerts.push_back(alerts::to_json(alert, Alerts(store_).trail(alert.id)));
            Json false_alerts = Json::array();
            for (const auto& alert : after_clean) false_alerts.push_back(alerts::to_json(alert));
            print_json({{"passed", seen && silent},
                        {"planted_us", options_.planted_us},
                        {"really_added_us", added ? Json(*added) : Json(nullptr)},
                        {"suspected_without", !clean.suspected.empty()},
                        {"alerts_without", false_alerts},
                        {"alerts_planted", alerts}});
            return seen && silent ? 0 : 1;
        }
        std::cout << (silent ? "ok    " : "FAIL  ") << "nothing planted: "
                  << (silent ? clean.suspected.empty() ? "silent" : "suspected once, not reproduced, silent"
                             : "an alert, though nothing had changed")
                  << "\n";
        std::cout << (seen ? "ok    " : "FAIL  ") << options_.planted_us << " µs planted: ";
        if (seen) {
            const auto& details = after_planted.front().details;
            char text[160];
            std::snprintf(text, sizeof text,
                          "reported: %s went from %.1f to %.1f µs; the worker says that it added %.1f µs", kSeries,
                          details.value("before_us", 0.0), details.value("after_us", 0.0), added.value_or(0));
            std::cout << text << "\n";
        } else {
            std::cout << (planted.suspected.empty() ? "not noticed" : "suspected, but not confirmed") << "\n";
        }
        if (options_.keep) std::cerr << "Its store is in " << scratch_.folder().string() << "\n";
        return seen && silent ? 0 : 1;
    }

    const Options& options_;
    ScratchResults scratch_;
    config::Config config_;
    ProgressPrinter printer_;
    store::Store store_;
    std::int64_t next_night_ms_ = host::now_ms() - (static_cast<std::int64_t>(stats::kMinNights) + 2) * kDayMs;
};

}  // namespace

void add_selftest(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("selftest", "Try foxbench's promises on this machine",
                                 "  foxbench selftest alerts\n"
                                 "  foxbench selftest alerts --firefox ~/firefox/obj-opt --planted 20",
                                 [] { return 0; });
    command.require_subcommand(1);
    auto* alerts = command.add_subcommand(
        "alerts",
        "Measure a short history, plant a slowdown into a real browser, and see that it is reported, and that "
        "nothing is where nothing was planted; takes about two minutes and leaves nothing behind");
    alerts->add_option("--planted", options->planted_us, "how much to plant into every timed call, µs")
        ->capture_default_str()
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{10'000}));
    alerts->add_option("--calls", options->calls, "calls of a pass")
        ->capture_default_str()
        ->check(CLI::Range(std::int64_t{10}, std::int64_t{100'000}));
    alerts->add_option("--firefox", options->firefox, "this Firefox")->type_name("PATH");
    alerts->add_option("--target", options->target, "this target of the configuration")->type_name("NAME");
    alerts->add_flag("--keep", options->keep, "leave the store with what was measured");
    alerts->add_flag("--json", options->json, "print as JSON");
    alerts->add_flag("-q,--quiet", options->quiet, "no progress");
    options->store.add_to(*alerts);
    command.callback([&chosen = registry.chosen, options] {
        chosen = [options] { return Selftest(*options, options->store.load()).run(); };
    });
}

}  // namespace foxbench::cli
