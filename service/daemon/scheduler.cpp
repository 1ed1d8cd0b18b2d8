#include "service/daemon/scheduler.hpp"

#include <algorithm>
#include <filesystem>

#include <boost/asio.hpp>

#include "service/daemon/run_json.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/log/log.hpp"
#include "service/run/frozen_request.hpp"
#include "service/run/preparation.hpp"
#include "service/schedule/planner.hpp"
#include "service/text/words.hpp"

namespace foxbench::daemon {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// As many as people want to see at a glance.
constexpr std::size_t kShownFirings = 5;
/// A firing must not be found a moment early and then once more.
constexpr milliseconds kAfterDue{50};

schedule::Instant instant(std::int64_t at_ms) {
    return schedule::Instant(std::chrono::floor<seconds>(milliseconds(at_ms)));
}
std::int64_t in_ms(schedule::Instant instant) {
    return milliseconds(instant.time_since_epoch()).count();
}

const config::Schedule& find_schedule(const config::Config& config, const std::string& name) {
    std::vector<std::string> known;
    for (const auto& one : config.schedules) {
        if (one.name == name) return one;
        known.push_back(one.name);
    }
    throw Error(ErrorCode::not_found, "there is no schedule '" + name + "'." + text::suggestion(name, known));
}

/// When a run that begins after `after_ms` has to end.
std::int64_t next_moment(const std::string& clock, const schedule::TimeZone& zone, std::int64_t after_ms) {
    const auto colon = clock.find(':');
    const auto daily =
        schedule::CronExpression::parse(clock.substr(colon + 1) + " " + clock.substr(0, colon) + " * * *");
    return in_ms(schedule::next_firing(daily, zone, instant(after_ms)).value());
}

/// The date of a firing where it fires: what the histories call its night.
std::string night_of(std::int64_t due_at_ms, const schedule::TimeZone& zone) {
    constexpr std::size_t kDateCharacters = 10;
    const auto offset = std::chrono::duration_cast<milliseconds>(zone.stretch_at(instant(due_at_ms)).offset);
    return document::utc_text(due_at_ms + offset.count()).substr(0, kDateCharacters);
}

}  // namespace

std::string times_of(const config::Schedule& schedule) {
    return schedule.cron.text() + " " + schedule.zone.name();
}

store::NewJob make_scheduled_job(const config::Schedule& schedule, const config::Config& config, std::int64_t due_at_ms,
                                 std::int64_t now_ms, bool by_hand) {
    run::Wanted wanted;
    wanted.workload = schedule.workload;
    wanted.preset = schedule.preset;
    wanted.overrides = schedule.overrides;
    wanted.targets = schedule.targets;
    wanted.launches = schedule.launches;
    wanted.label = schedule.label.empty() ? schedule.name : schedule.label;
    wanted.note = schedule.note;

    wanted.purpose = schedule.purpose;

    run::Job asked;
    asked.request = run::resolve(wanted, config);
    asked.request.trigger = {{"kind", "schedule"},
                             {"name", schedule.name},
                             {"due_at", document::utc_text(due_at_ms)},
                             {"night", night_of(due_at_ms, schedule.zone)}};
    asked.terms.quiet = schedule.quiet ? schedule.quiet : config.quiet;
    asked.terms.before = schedule.before;
    asked.terms.before_folder = std::filesystem::absolute(config.file).parent_path();
    asked.terms.skip_if_same_build = schedule.skip_if_same_build && !by_hand;
    asked.terms.max_duration = schedule.max_duration;
    if (schedule.finish_by) asked.terms.finish_by_ms = next_moment(*schedule.finish_by, schedule.zone, due_at_ms);

    store::NewJob job;
    job.skeleton = run::make_queued_document(asked.request, config, now_ms);
    job.request = run::freeze(asked);
    job.job_class = store::JobClass::scheduled;
    job.queued_at_ms = now_ms;
    job.schedule = schedule.name;
    return job;
}

Scheduler::Scheduler(Context& context) : context_(context), timer_(context.executor) {}

bidi::Task<> Scheduler::run() {
    while (!stopped_) {
        std::string fault;
        woken_ = false;
        try {
            co_await tick();
        } catch (const std::exception& error) {
            fault = error.what();
        }
        if (!fault.empty()) log::error("scheduler.fault", "the schedules cannot be looked at: " + fault);
        if (stopped_) break;
        if (woken_) continue;
        std::int64_t wake_at = now_ms() + milliseconds(kLongestSleep).count();
        for (const auto& schedule : context_.config->schedules) {
            if (const auto next = schedule::next_firing(schedule.cron, schedule.zone, instant(now_ms())))
                wake_at = std::min(wake_at, in_ms(*next) + kAfterDue.count());
        }
        timer_.expires_after(milliseconds(std::max<std::int64_t>(wake_at - now_ms(), kAfterDue.count())));
        co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
}

void Scheduler::stop() {
    stopped_ = true;
    timer_.cancel();
}

void Scheduler::wake() {
    woken_ = true;
    timer_.cancel();
}

bidi::Task<> Scheduler::tick() {
    const auto config = context_.config;  // held: a reload replaces it
    if (config != seen_) {
        // One that went from the configuration is forgotten here, so that it owes nothing should it come back.
        std::vector<std::string> names;
        for (const auto& schedule : config->schedules) names.push_back(schedule.name);
        co_await context_.write([&] { context_.store.forget_schedules_but(names); });
        seen_ = config;
    }
    for (const auto& schedule : config->schedules) {
        if (context_.config != config) co_return;  // it was replaced, which woke us: what it says now comes next
        co_await look_at(*config, schedule);
    }
    last_tick_ms_ = now_ms();
    context_.metrics.scheduler_tick(last_tick_ms_);
}

bidi::Task<> Scheduler::look_at(const config::Config& config, const config::Schedule& schedule) {
    const std::int64_t now = now_ms();
    struct Past {
        store::ScheduleState state;
        std::int64_t handled_until = 0;
        bool busy = false;
    };
    const auto past = co_await context_.write([&] {
        Past known;
        known.state = context_.store.schedule_state(schedule.name, times_of(schedule), now);
        known.handled_until =
            std::max(known.state.known_since_ms, context_.store.last_firing(schedule.name, now).value_or(0));
        known.busy = context_.store.has_unfinished_job(schedule.name);
        return known;
    });
    const auto decisions = schedule::decide(schedule.cron, schedule.zone, schedule.missed, schedule.overlap,
                                            instant(past.handled_until), instant(now), past.state.paused, past.busy);
    for (const auto& decision : decisions) {
        store::Firing firing;
        firing.schedule = schedule.name;
        firing.due_at_ms = in_ms(decision.due);
        firing.recorded_at_ms = now;
        if (!decision.reason.empty()) firing.reason = decision.reason;
        bool queue = decision.act == schedule::Decision::Act::queue;
        store::NewJob job;
        if (queue) {
            try {
                job = make_scheduled_job(schedule, config, firing.due_at_ms, now);
                if (const auto end = job.request.at("terms").find("finish_by_ms");
                    end != job.request.at("terms").end() && end->get<std::int64_t>() <= now) {
                    queue = false;
                    firing.reason = "missed: it would have had to end by " + *schedule.finish_by;
                }
            } catch (const std::exception& error) {
                queue = false;
                firing.reason = error.what();
                log::error("schedule.impossible", error.what(), {{"schedule", schedule.name}});
            }
        }
        if (queue) {
            const auto run = co_await context_.write([&] { return context_.store.enqueue_firing(firing, job); });
            if (!run) continue;
            context_.metrics.schedule_firing(metrics::FiringOutcome::queued);
            announce(*run, schedule.name);
        } else {
            firing.outcome = store::kFiringSkipped;
            const bool recorded = co_await context_.write([&] { return context_.store.record_firing(firing); });
            if (!recorded) continue;
            context_.metrics.schedule_firing(metrics::FiringOutcome::skipped);
            log::info("schedule.skipped", firing.reason.value_or(""), {{"schedule", schedule.name}});
            context_.events.publish("schedule.skipped", std::nullopt,
                                    {{"schedule", schedule.name},
                                     {"due_at", time_or_null(firing.due_at_ms)},
                                     {"reason", or_null(firing.reason)}});
        }
    }
}

void Scheduler::announce(const std::string& run, const std::string& schedule) {
    log::info("run.queued", "a run was queued", {{"run", run}, {"schedule", schedule}});
    context_.events.publish("run.queued", run, {{"id", run}, {"state", "queued"}, {"schedule", schedule}});
    context_.jobs.wake();
}

bidi::Task<document::Json> Scheduler::describe() {
    const auto config = context_.config;
    const std::int64_t now = now_ms();
    document::Json list = document::Json::array();
    for (const auto& schedule : config->schedules) {
        const auto state = co_await context_.write(
            [&] { return context_.store.schedule_state(schedule.name, times_of(schedule), now); });
        const auto firings = co_await context_.read([&] {
            document::Json last = document::Json::array();
            for (const auto& firing : context_.reader.firings(schedule.name, kShownFirings)) {
                document::Json one = {{"due_at", time_or_null(firing.due_at_ms)},
                                      {"outcome", firing.outcome},
                                      {"reason", or_null(firing.reason)},
                                      {"run", or_null(firing.run)},
                                      {"state", nullptr}};
                try {
                    if (firing.run) one["state"] = document::to_string(context_.reader.load_summary(*firing.run).state);
                } catch (const Error&) {
                    // Removed since: the firing still tells that it was.
                }
                last.push_back(std::move(one));
            }
            return last;
        });
        document::Json next = document::Json::array();
        for (const auto& due : schedule::next_firings(schedule.cron, schedule.zone, instant(now), kShownFirings))
            next.push_back(time_or_null(in_ms(due)));
        list.push_back({{"name", schedule.name},
                        {"cron", schedule.cron.text()},
                        {"time_zone", schedule.zone.name()},
                        {"paused", state.paused},
                        {"next", next},
                        {"last", firings}});
    }
    co_return list;
}

bidi::Task<> Scheduler::trigger(std::string name, store::AnswerTo answer_to) {
    const auto config = context_.config;
    const std::int64_t now = now_ms();
    const auto job = make_scheduled_job(find_schedule(*config, name), *config, now, now, true);
    const auto run = co_await context_.write([&] { return context_.store.enqueue(job, answer_to); });
    announce(run, name);
}

bidi::Task<> Scheduler::set_paused(std::string name, bool paused) {
    const auto times = times_of(find_schedule(*context_.config, name));
    const std::int64_t now = now_ms();
    co_await context_.write([&] {
        static_cast<void>(context_.store.schedule_state(name, times, now));
        context_.store.set_paused(name, paused);
    });
    log::info(paused ? "schedule.paused" : "schedule.resumed", "by request", {{"schedule", name}});
    wake();
}

}  // namespace foxbench::daemon
