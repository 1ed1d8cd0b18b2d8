#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <boost/asio.hpp>
#include <unistd.h>

#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/script.hpp"
#include "service/browser/browser.hpp"
#include "service/browser/build.hpp"
#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/settings.hpp"
#include "service/error.hpp"
#include "service/host/facts.hpp"
#include "service/host/lock.hpp"
#include "service/host/noise.hpp"
#include "service/measure/page_server.hpp"
#include "service/report/numbers.hpp"
#include "service/run/preparation.hpp"
#include "service/text/words.hpp"

namespace foxbench::cli {
namespace {

namespace asio = boost::asio;

/// Above this share of the processors something else is working, and it will be in the figures.
constexpr double kQuietLoadPerThread = 0.5;
/// With less free space the next runs, or the browser's own files, may not fit.
constexpr std::uint64_t kComfortableFreeBytes = std::uint64_t{2} << 30;
/// No disk that really keeps what it is given answers a sync so soon: somewhere below syncs are ignored.
constexpr double kUnlikelySync_us = 20;
/// A clock of this step or finer is what a cross-origin isolated page has.
constexpr double kIsolatedStep_us = 20;

constexpr const char* kAnotherFolder = "name a folder on a disk, profiles: in the configuration";

enum class Verdict { ok, advice, fault };

struct Check {
    std::string name;
    Verdict verdict = Verdict::ok;
    std::string found;
    std::string advice;  ///< what to do about it; empty when ok
};

const char* word(Verdict verdict) {
    switch (verdict) {
        case Verdict::ok:
            return "ok";
        case Verdict::advice:
            return "advice";
        case Verdict::fault:
            return "fault";
    }
    return "";
}

/// What a page of a started browser says of itself.
struct PageFacts {
    double start_ms = 0;
    bool isolated = false;
    bool has_opfs = false;
    double step_us = 0;
};

constexpr std::string_view kAskPage =
    "(() => { let step = Infinity, last = performance.now(); const end = last + 30;"
    " while (last < end) { const now = performance.now(); if (now > last) step = Math.min(step, now - last); last = "
    "now; }"
    " return JSON.stringify({ isolated: crossOriginIsolated, opfs: !!navigator.storage?.getDirectory, step: step * "
    "1000 }); })()";

bidi::Task<PageFacts> ask_browser(browser::LaunchOptions options, workload::Manifest manifest) {
    const measure::PageServer server(co_await asio::this_coro::executor, manifest.folder, manifest.module);
    const auto browser = co_await browser::Browser::launch(std::move(options));
    bidi::browsing_context::NavigateOptions navigation;
    navigation.wait = bidi::browsing_context::ReadinessState::complete;
    co_await bidi::browsing_context::navigate(browser->connection(), browser->first_context(), server.url(),
                                              navigation);
    const bidi::script::Target page = bidi::script::ContextTarget{browser->first_context(), {}};
    const auto result = co_await bidi::script::evaluate(browser->connection(), kAskPage, page, false);
    const auto answer = document::Json::parse(result.value().plain().get<std::string>());
    PageFacts facts;
    facts.start_ms =
        browser->timings().profile_ms + browser->timings().spawn_to_listening_ms + browser->timings().to_session_ms;
    facts.isolated = answer.at("isolated").get<bool>();
    facts.has_opfs = answer.at("opfs").get<bool>();
    facts.step_us = answer.at("step").get<double>();
    (void)co_await browser->stop();
    co_return facts;
}

PageFacts ask(const browser::LaunchOptions& options, const workload::Manifest& manifest) {
    asio::io_context loop(1);
    std::exception_ptr failure;
    PageFacts facts;
    asio::co_spawn(loop, ask_browser(options, manifest), [&](std::exception_ptr error, PageFacts answered) {
        failure = error;
        facts = answered;
    });
    loop.run();
    if (failure) std::rethrow_exception(failure);
    return facts;
}

class Examination {
public:
    Examination(const config::Config& config, std::vector<config::Target> targets)
        : config_(config), targets_(std::move(targets)) {}

    std::vector<Check> examine() {
        store();
        profiles();
        disk();
        sync();
        free_space();
        load();
        governor();
        lock();
        for (const auto& target : targets_) browser(target);
        return std::move(checks_);
    }

private:
    void add(std::string name, Verdict verdict, std::string found, std::string advice = {}) {
        checks_.push_back(
            {std::move(name), verdict, std::move(found), verdict == Verdict::ok ? "" : std::move(advice)});
    }

    void store() {
        try {
            const auto store = open_or_create(config_.results);
            add("results", Verdict::ok, config_.results.string());
        } catch (const Error& error) {
            add("results", Verdict::fault, error.what(),
                "name a folder that can be written: --results DIR, or results: in the configuration");
        }
    }

    void profiles() {
        const auto found = host::read_profiles(config_.profiles);
        const std::string text = config_.profiles.string() + " on " +
                                 found.filesystem.value_or("an unknown filesystem") + " (" + found.mount.value_or("?") +
                                 ", " + found.device.value_or("?") + ")";
        if (!host::is_tmpfs(found)) return add("profiles", Verdict::ok, text);
        if (config_.allow_tmpfs)
            return add("profiles", Verdict::advice, text,
                       "syncs are free there (allow_tmpfs: true): compare with nothing that was measured on a disk");
        add("profiles", Verdict::fault, text, std::string("syncs are free there: ") + kAnotherFolder);
    }

    void disk() {
        const auto layers = host::read_disk_of(config_.profiles);
        add("disk", Verdict::ok, layers.empty() ? "none to be seen under the profiles" : host::in_words(layers));
    }

    void sync() {
        std::error_code ignored;
        std::filesystem::create_directories(config_.profiles, ignored);
        const auto probe = host::probe_fsync(config_.profiles);
        if (!probe) return add("sync", Verdict::fault, "the folder of the profiles cannot be written", kAnotherFolder);
        add("sync", probe->median_us < kUnlikelySync_us ? Verdict::advice : Verdict::ok,
            "4 KiB written and synced in " + report::cost(probe->median_us) + " (median of " +
                std::to_string(probe->writes) + ")",
            "no disk is that fast: is a cache in between, as of a virtual machine, told to ignore syncs?");
    }

    void free_space() {
        const auto free = host::free_bytes(config_.profiles);
        if (!free)
            return add("free space", Verdict::advice, "unknown",
                       "see that the disk of the profiles has at least 2 GiB to spare");
        add("free space", *free < kComfortableFreeBytes ? Verdict::advice : Verdict::ok,
            report::gigabytes(static_cast<double>(*free)) + " GB",
            "make room: a run with --preset full writes 80 MB a pass, and a full disk makes it invalid");
    }

    void load() {
        const auto snapshot = host::take_noise_snapshot();
        const auto threads = host::read_host().threads.value_or(1);
        if (!snapshot.load_1m)
            return add("load", Verdict::advice, "unknown", "see that nothing else works on this machine");
        add("load",
            *snapshot.load_1m > kQuietLoadPerThread * static_cast<double>(threads) ? Verdict::advice : Verdict::ok,
            report::decimal(*snapshot.load_1m, 2) + " on " + std::to_string(threads) + " threads",
            "something else is working; wait, or stop it: it will be in the figures");
    }

    void governor() {
        const auto governor = host::read_sensors().governor;
        if (!governor) return add("governor", Verdict::ok, "none to be seen (as on most virtual machines)");
        add("governor", *governor == "performance" ? Verdict::ok : Verdict::advice, *governor,
            "clock speeds will vary; as root: cpupower frequency-set -g performance");
    }

    void lock() {
        try {
            const auto file = config_.lock.empty() ? host::default_lock_path() : config_.lock;
            const bool free = host::HostLock::try_acquire(file).has_value();
            add("host lock", free ? Verdict::ok : Verdict::advice, file.string() + (free ? "" : ", held"),
                "another measurement is going on; a run waits for its end");
        } catch (const Error& error) {
            add("host lock", Verdict::fault, error.what(),
                "name a file that can be written, lock: in the configuration");
        }
    }

    void browser(const config::Target& target) {
        const std::string name = "target " + target.name;
        std::vector<run::PreparedTarget> prepared;
        try {
            browser::HashCache cache(config_.results / "build-hashes.json");
            prepared = run::prepare_targets({target}, config_.profiles, cache);
        } catch (const Error& error) {
            return add(name, Verdict::fault, error.what(), "install firefox-esr, or name a binary: --firefox PATH");
        }
        const auto& build = prepared.front().document.browser;
        add(name, Verdict::ok,
            build.name + " " + build.version + ", build " + build.build_id.value_or("unknown") + ", " +
                build.binary.value_or("?"));
        try {
            std::filesystem::create_directories(config_.profiles);
            const auto facts =
                ask(prepared.front().launch, workload::find_workload(config_.workloads, config_.defaults.workload));
            add(name + ": start", Verdict::ok,
                "answers after " + report::total(facts.start_ms) + " with a new profile");
            add(name + ": OPFS", facts.has_opfs ? Verdict::ok : Verdict::fault, facts.has_opfs ? "there" : "missing",
                "nothing can be measured; is dom.fs.enabled off?");
            add(name + ": isolation", facts.isolated ? Verdict::ok : Verdict::fault,
                facts.isolated ? "cross-origin isolated" : "not cross-origin isolated",
                "the clock would step by a millisecond; which preference of the target switches isolation off?");
            add(name + ": clock", facts.step_us <= kIsolatedStep_us ? Verdict::ok : Verdict::advice,
                "steps by " + report::resolution(facts.step_us),
                "percentiles will be coarse; is privacy.resistFingerprinting on?");
        } catch (const std::exception& error) {
            add(name + ": start", Verdict::fault, error.what(), "foxbench -v doctor says more");
        }
    }

    const config::Config& config_;
    std::vector<config::Target> targets_;
    std::vector<Check> checks_;
};

struct Options {
    StoreOptions store;
    std::string targets, firefox;
    bool json = false;
};

int doctor(const Options& options) {
    const auto config = options.store.load();
    auto targets = config.choose_targets(text::split_list(options.targets));
    if (!options.firefox.empty()) {
        targets.resize(1);
        targets.front() = {};
        targets.front().name = "firefox";
        targets.front().binary = options.firefox;
    }
    const auto checks = Examination(config, std::move(targets)).examine();
    bool fault = false;
    auto list = document::Json::array();
    std::vector<std::vector<std::string>> rows;
    for (const auto& check : checks) {
        fault |= check.verdict == Verdict::fault;
        list.push_back({{"name", check.name},
                        {"verdict", word(check.verdict)},
                        {"found", check.found},
                        {"advice", check.advice.empty() ? document::Json(nullptr) : document::Json(check.advice)}});
        rows.push_back({word(check.verdict), check.name, for_terminal(check.found)});
        if (!check.advice.empty()) rows.push_back({"", "", "-> " + check.advice});
    }
    print(options.json ? document::Json{{"ok", !fault}, {"checks", list}}.dump(
                             2, ' ', false, document::Json::error_handler_t::replace) +
                             "\n"
                       : align_columns(rows));
    return fault ? 1 : 0;
}

}  // namespace

void add_doctor(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("doctor", "Check what a run needs, and say what to do about what is missing",
                                 "  foxbench doctor\n"
                                 "  foxbench doctor --firefox ~/firefox/obj-opt/dist/bin/firefox\n"
                                 "  foxbench doctor --json | jq '.checks[] | select(.verdict != \"ok\")'",
                                 [options] { return doctor(*options); });
    command
        .add_option("--targets", options->targets, "targets of the configuration, with commas (default: as configured)")
        ->type_name("NAMES");
    command.add_option("--firefox", options->firefox, "check this Firefox instead")->type_name("PATH");
    command.add_flag("--json", options->json, "print as JSON");
    options->store.add_to(command);
}

}  // namespace foxbench::cli
