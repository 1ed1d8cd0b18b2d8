#include "service/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "service/compare/source_range.hpp"
#include "service/document/json_text.hpp"
#include "service/document/purpose.hpp"
#include "service/history/points.hpp"
#include "service/host/noise_rules.hpp"
#include "service/report/numbers.hpp"
#include "service/stats/measured_passes.hpp"
#include "service/stats/summary.hpp"

namespace foxbench::compare {
namespace {

using document::Json;
using document::RunDocument;
using document::Series;
using document::Target;
using stats::Verdict;

/// Steps of the clock up to this are fine enough not to matter to one another.
constexpr double kFineStepUs = 1;
/// A step is itself measured: as the smallest one seen.
constexpr double kSameStepRatio = 1.5;

const Target& target_of(const Side& side) {
    return side.run->targets.at(side.target);
}

std::string in_words(const Json& value) {
    return value.is_string() ? value.get<std::string>() : document::to_text(value);
}

std::string word_of(const std::optional<std::string>& text) {
    return text.value_or("");
}

std::optional<double> clock_step(const Side& side) {
    for (const auto& launch : target_of(side).launches) {
        if (launch.environment && launch.environment->timer_resolution_us)
            return launch.environment->timer_resolution_us;
    }
    return std::nullopt;
}

bool same_step(const std::optional<double>& a, const std::optional<double>& b) {
    if (!a || !b || (*a <= kFineStepUs && *b <= kFineStepUs)) return true;
    return std::max(*a, *b) <= std::min(*a, *b) * kSameStepRatio;
}

/// The workload's parameters: what `config` says of the work itself.
Json work_of(const Side& side) {
    return history::key_of(*side.run, target_of(side), Series{}).parameters;
}

std::size_t measured_launches(const Target& target) {
    return static_cast<std::size_t>(std::ranges::count_if(target.launches, [](const auto& launch) {
        return std::ranges::any_of(launch.series,
                                   [](const Series& s) { return stats::summarise(s).mean_us.has_value(); });
    }));
}

SideFacts facts_of(const Side& side) {
    const auto& target = target_of(side);
    const auto& browser = target.browser;
    SideFacts facts;
    facts.run = side.run->id;
    facts.target = target.name;
    facts.browser = browser.name + (browser.version.empty() ? "" : " " + browser.version);
    facts.label = side.run->label;
    facts.build_id = browser.build_id;
    facts.source_stamp = browser.source_stamp;
    facts.source_repository = browser.source_repository;
    if (side.run->host) facts.host = side.run->host->name;
    facts.started_at = side.run->started_at;
    facts.launches = measured_launches(target);
    return facts;
}

// ---- what they do not have in common ----

void add_if_different(std::vector<Difference>& all, std::string what, std::string base, std::string next) {
    if (base != next) all.push_back({std::move(what), std::move(base), std::move(next)});
}

/// Member by member of two objects, absent ones as empty.
void add_members(std::vector<Difference>& all, const std::string& what, const Json& base, const Json& next) {
    std::set<std::string> names;
    for (const auto* object : {&base, &next}) {
        if (!object->is_object()) continue;
        for (const auto& [name, value] : object->items()) names.insert(name);
    }
    const auto value_of = [](const Json& object, const std::string& name) {
        return object.is_object() && object.contains(name) ? in_words(object.at(name)) : std::string();
    };
    for (const auto& name : names)
        add_if_different(all, what.empty() ? name : what + " " + name, value_of(base, name), value_of(next, name));
}

std::string host_words(const RunDocument& run) {
    return run.host ? word_of(run.host->name) : std::string();
}

std::string filesystem_words(const RunDocument& run) {
    if (!run.profiles) return {};
    std::string words = word_of(run.profiles->filesystem);
    if (run.profiles->mount) words += " (" + *run.profiles->mount + ")";
    return words;
}

std::vector<Difference> differences_of(const Side& base, const Side& next) {
    std::vector<Difference> all;
    const auto& a = target_of(base);
    const auto& b = target_of(next);
    const auto add = [&](const char* what, const std::string& x, const std::string& y) {
        add_if_different(all, what, x, y);
    };
    add("browser", a.browser.name, b.browser.name);
    add("version", a.browser.version, b.browser.version);
    add("build id", word_of(a.browser.build_id), word_of(b.browser.build_id));
    add("source repository", word_of(a.browser.source_repository), word_of(b.browser.source_repository));
    add("source stamp", word_of(a.browser.source_stamp), word_of(b.browser.source_stamp));
    add("binary", word_of(a.browser.binary), word_of(b.browser.binary));
    add("SHA-256", word_of(a.browser.sha256), word_of(b.browser.sha256));
    add_members(all, "preference", a.prefs.value_or(Json()), b.prefs.value_or(Json()));
    add_members(all, "environment", a.env.value_or(Json()), b.env.value_or(Json()));
    add_members(all, "", a.extra, b.extra);
    if (base.run != next.run) {
        add("workload", base.run->workload, next.run->workload);
        add_members(all, "", work_of(base), work_of(next));
        add("host", host_words(*base.run), host_words(*next.run));
        const document::Host unknown;
        const auto& x = base.run->host ? *base.run->host : unknown;
        const auto& y = next.run->host ? *next.run->host : unknown;
        add("host's id", word_of(x.id), word_of(y.id));
        add("processor", word_of(x.cpu), word_of(y.cpu));
        add("kernel", word_of(x.kernel), word_of(y.kernel));
        add("profiles' filesystem", filesystem_words(*base.run), filesystem_words(*next.run));
    }
    const auto step_words = [](const std::optional<double>& step) {
        return step ? report::resolution(*step) : std::string();
    };
    if (!same_step(clock_step(base), clock_step(next)))
        add("clock's step", step_words(clock_step(base)), step_words(clock_step(next)));
    add("launches", std::to_string(measured_launches(a)), std::to_string(measured_launches(b)));
    return all;
}

// ---- what has to be said first ----

std::string name_of(const Side& side) {
    return side.run->id + ":" + target_of(side).name;
}

std::size_t noisy_launches(const Side& side) {
    return static_cast<std::size_t>(std::ranges::count_if(
        target_of(side).launches,
        [&](const document::Launch& launch) { return !host::noise_flags(launch, *side.run).empty(); }));
}

bool has_samples(const Side& side) {
    return std::ranges::any_of(target_of(side).launches, [](const document::Launch& launch) {
        return std::ranges::any_of(launch.series, [](const Series& s) { return !stats::measured_passes(s).empty(); });
    });
}

void warn_of_side(std::vector<std::string>& warnings, const Side& side) {
    if (const double planted = document::planted_us(*side.run, target_of(side)); planted > 0)
        warnings.push_back(name_of(side) + " was measured with a planted slowdown of " +
                           std::to_string(std::llround(planted)) + " µs a call.");
    if (!has_samples(side))
        warnings.push_back(name_of(side) +
                           " has no passes of its own (it was imported from a report): its figures can "
                           "be put beside others, not tested against them.");
    const auto noisy = noisy_launches(side);
    if (noisy > 0)
        warnings.push_back(std::to_string(noisy) + " of the " + std::to_string(target_of(side).launches.size()) +
                           " launches of " + name_of(side) + " were noisy; the run's report says why.");
}

std::vector<std::string> warnings_of(const Side& base, const Side& next) {
    std::vector<std::string> warnings;
    const auto& a = target_of(base);
    const auto& b = target_of(next);
    if (base.run != next.run) {
        const auto id = [](const Side& side) {
            return side.run->host ? word_of(side.run->host->id ? side.run->host->id : side.run->host->name) : "";
        };
        if (id(base) != id(next))
            warnings.push_back("Different hosts (" + host_words(*base.run) + ", " + host_words(*next.run) +
                               "): what differs may be the machine.");
        if (filesystem_words(*base.run) != filesystem_words(*next.run))
            warnings.push_back("Different filesystems (" + filesystem_words(*base.run) + ", " +
                               filesystem_words(*next.run) + ").");
    }
    const auto m = measured_launches(a);
    const auto n = measured_launches(b);
    if (m != n)
        warnings.push_back("Different numbers of launches (" + std::to_string(m) + ", " + std::to_string(n) + ").");
    if (base.run == next.run && base.target == next.target) {
        warnings.emplace_back("Both sides are the same target of the same run.");
    } else if (a.browser.sha256 && a.browser.sha256 == b.browser.sha256 && a.prefs == b.prefs && a.env == b.env) {
        warnings.emplace_back("Both sides are the same build with the same settings.");
    }
    warn_of_side(warnings, base);
    if (base.run != next.run || base.target != next.target) warn_of_side(warnings, next);
    for (auto& obstacle : obstacles(base, next)) warnings.push_back(std::move(obstacle));
    return warnings;
}

// ---- the rows ----

/// The means of the passes of a target's only launch.
std::vector<double> pass_means(const Target& target, const std::string& series) {
    std::vector<double> means;
    for (const auto& launch : target.launches) {
        for (const auto& one : launch.series) {
            if (one.name != series) continue;
            for (const auto& pass : stats::measured_passes(one)) {
                if (pass.calls > 0) means.push_back(pass.total_ms * 1000 / static_cast<double>(pass.calls));
            }
        }
    }
    return means;
}

std::vector<const Series*> series_of(const Target& target) {
    std::vector<const Series*> all;
    for (const auto& launch : target.launches) {
        for (const auto& series : launch.series) {
            if (std::ranges::none_of(all, [&](const Series* known) { return known->name == series.name; }))
                all.push_back(&series);
        }
    }
    return all;
}

SeriesRow compare_series(const Side& base, const Side& next, const Series& a, const Series& b, const AaLookup& aa) {
    const auto base_means = history::launch_means(*base.run, target_of(base), a.name);
    const auto next_means = history::launch_means(*next.run, target_of(next), a.name);
    const auto base_passes = pass_means(target_of(base), a.name);
    const auto next_passes = pass_means(target_of(next), a.name);
    stats::ComparisonTerms terms;
    terms.clock_step_us = std::max(clock_step(base).value_or(0), clock_step(next).value_or(0));
    terms.calls = std::max<std::int64_t>(
        1, std::min(stats::summarise(a).summary.calls.value_or(1), stats::summarise(b).summary.calls.value_or(1)));
    if (aa) terms.aa = aa(base, a.name);
    SeriesRow row;
    row.series = a.name;
    row.table = a.table;
    row.base_launches = base_means.size();
    row.next_launches = next_means.size();
    row.verdict = stats::compare_series({base_means, base_passes}, {next_means, next_passes}, terms);
    return row;
}

}  // namespace

std::vector<std::string> obstacles(const Side& base, const Side& next) {
    std::vector<std::string> all;
    for (const auto* side : {&base, &next}) {
        if (side == &next && base.run == next.run) break;
        const auto state = side->run->state;
        if (state != document::RunState::completed)
            all.push_back("The run " + side->run->id + " is " + document::to_string(state) +
                          ": only completed runs are compared.");
    }
    if (base.run->workload != next.run->workload) {
        all.push_back("Different workloads (" + base.run->workload + ", " + next.run->workload + ").");
        return all;
    }
    std::vector<Difference> work;
    add_members(work, "", work_of(base), work_of(next));
    for (const auto& one : work) {
        all.push_back("Different work: " + one.what + " is " + (one.base.empty() ? "not given" : one.base) + " and " +
                      (one.next.empty() ? "not given" : one.next) + ".");
    }
    const auto a = clock_step(base);
    const auto b = clock_step(next);
    if (!same_step(a, b))
        all.push_back("Different steps of the clock (" + report::resolution(*a) + ", " + report::resolution(*b) + ").");
    return all;
}

Comparison compare(const Side& base, const Side& next, const AaLookup& aa) {
    Comparison comparison;
    comparison.base = facts_of(base);
    comparison.next = facts_of(next);
    comparison.warnings = warnings_of(base, next);
    comparison.differences = differences_of(base, next);
    comparison.range = source_range(target_of(base).browser, target_of(next).browser);
    const auto base_series = series_of(target_of(base));
    const auto next_series = series_of(target_of(next));
    for (const Series* series : base_series) {
        const auto other = std::ranges::find_if(next_series, [&](const Series* s) { return s->name == series->name; });
        if (other == next_series.end())
            comparison.only_base.push_back(series->name);
        else
            comparison.rows.push_back(compare_series(base, next, *series, **other, aa));
    }
    for (const Series* series : next_series) {
        if (std::ranges::none_of(base_series, [&](const Series* s) { return s->name == series->name; }))
            comparison.only_next.push_back(series->name);
    }
    return comparison;
}

}  // namespace foxbench::compare
