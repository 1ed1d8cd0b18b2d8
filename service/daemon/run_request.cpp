#include "service/daemon/run_request.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "service/document/json_text.hpp"
#include "service/document/purpose.hpp"
#include "service/http/problem.hpp"
#include "service/text/words.hpp"

namespace foxbench::daemon {
namespace {

using document::Json;

struct Member {
    std::string_view name;
    std::string_view expected;
    bool (*fits)(const Json&);
};

bool is_text(const Json& value) {
    return value.is_string();
}
bool is_whole(const Json& value) {
    return value.is_number_integer();
}
bool is_object(const Json& value) {
    return value.is_object();
}
bool is_number(const Json& value) {
    return value.is_number();
}
/// A target is its name, or an object of it where there is more to say.
bool is_targets(const Json& value) {
    return value.is_array() &&
           std::ranges::all_of(value, [](const Json& item) { return item.is_string() || item.is_object(); });
}

constexpr std::array kMembers{Member{"workload", "a text", is_text},
                              Member{"preset", "a text", is_text},
                              Member{"overrides", "an object of parameters", is_object},
                              Member{"targets", "a list of names", is_targets},
                              Member{"launches", "a whole number", is_whole},
                              Member{"label", "a text", is_text},
                              Member{"note", "a text", is_text},
                              Member{"purpose", "a text", is_text},
                              Member{"quiet", "an object", is_object},
                              Member{"priority", "a whole number of -1000 to 1000", is_whole}};
constexpr std::array kTargetMembers{Member{"name", "a text", is_text},
                                    Member{"planted_us", "a whole number", is_whole}};
constexpr std::array kQuietMembers{Member{"load_below", "a number", is_number},
                                   Member{"wait_seconds", "a number", is_number}};

[[noreturn]] void refuse(std::vector<http::BodyFault> faults) {
    http::Problem problem(422, "the run cannot be asked for like that: " + faults.front().detail);
    problem.errors = std::move(faults);
    throw problem;
}

/// Adds a fault for each member of the object that is unknown or of a wrong type; `at` is the object's pointer.
template <std::size_t N>
void check_members(const Json& object, const std::array<Member, N>& members, const std::string& at,
                   std::vector<http::BodyFault>& faults) {
    std::vector<std::string> known;
    for (const auto& member : members) known.emplace_back(member.name);
    for (const auto& [name, value] : object.items()) {
        const auto member = std::ranges::find(members, name, &Member::name);
        const std::string pointer = document::pointer_to(at, name);
        if (member == members.end()) {
            faults.push_back(
                {pointer, "there is no member '" + document::printable(name) + "'." + text::suggestion(name, known)});
        } else if (!value.is_null() && !member->fits(value)) {
            faults.push_back({pointer, name + ": expected " + std::string(member->expected)});
        }
    }
}

void check_body(const Json& body) {
    if (!body.is_object()) refuse({{"", "expected an object"}});
    std::vector<http::BodyFault> faults;
    check_members(body, kMembers, "", faults);
    if (const auto targets = body.find("targets"); targets != body.end() && is_targets(*targets)) {
        for (std::size_t i = 0; i < targets->size(); ++i) {
            const auto& target = (*targets)[i];
            if (!target.is_object()) continue;
            const std::string at = document::pointer_to("/targets", i);
            check_members(target, kTargetMembers, at, faults);
            if (!target.contains("name")) faults.push_back({at, "name: expected a text"});
        }
    }
    if (const auto quiet = body.find("quiet"); quiet != body.end() && quiet->is_object())
        check_members(*quiet, kQuietMembers, "/quiet", faults);
    if (!faults.empty()) refuse(std::move(faults));
}

template <class T>
T value_or(const Json& body, const char* member, T otherwise) {
    const auto found = body.find(member);
    return found == body.end() || found->is_null() ? otherwise : found->get<T>();
}

/// What is to be waited for: what the configuration says unless the body asks for more.
std::optional<config::Quiet> read_quiet(const Json& body, const config::Config& config) {
    const auto asked = body.find("quiet");
    if (asked == body.end() || asked->is_null()) return config.quiet;
    config::Quiet quiet = config.quiet_or_default();
    quiet.load_below = value_or<double>(*asked, "load_below", quiet.load_below);
    if (!std::isfinite(quiet.load_below) || quiet.load_below <= 0)
        refuse({{"/quiet/load_below", "load_below: expected a load above 0, such as 0.5"}});
    constexpr auto kMost = std::chrono::duration<double>(config::kLongestQuietWait);
    const std::chrono::duration<double> wait(
        value_or<double>(*asked, "wait_seconds", std::chrono::duration<double>(quiet.wait).count()));
    if (!(wait.count() >= 0 && wait <= kMost)) {
        refuse({{"/quiet/wait_seconds", "wait_seconds: expected 0 to " +
                                            std::to_string(static_cast<std::int64_t>(kMost.count())) + ", a day"}});
    }
    quiet.wait = std::chrono::duration_cast<std::chrono::milliseconds>(wait);
    return quiet;
}

void read_targets(const Json& body, run::Wanted& wanted) {
    const auto targets = body.find("targets");
    if (targets == body.end() || targets->is_null()) return;
    for (std::size_t i = 0; i < targets->size(); ++i) {
        const auto& target = (*targets)[i];
        auto name = target.is_string() ? target.get<std::string>() : value_or<std::string>(target, "name", "");
        if (target.is_object()) {
            const auto planted_us = target.find(document::kPlanted);
            if (planted_us != target.end() && !planted_us->is_null()) {
                if (*planted_us < 0 || *planted_us > config::kMaxPlanted_us) {
                    refuse({{document::pointer_to(document::pointer_to("/targets", i), document::kPlanted),
                             "planted_us: expected 0 to " + std::to_string(config::kMaxPlanted_us)}});
                }
                wanted.planted_us[name] = planted_us->get<std::int64_t>();
            }
        }
        wanted.targets.push_back(std::move(name));
    }
}

}  // namespace

AskedRun parse_run_request(const Json& body, const config::Config& config) {
    check_body(body);
    AskedRun asked;
    asked.priority = value_or<std::int64_t>(body, "priority", 0);
    if (asked.priority < -kMaxPriority || asked.priority > kMaxPriority)
        refuse({{"/priority", "priority: expected a whole number of -1000 to 1000"}});
    run::Wanted wanted;
    wanted.workload = value_or<std::string>(body, "workload", "");
    wanted.preset = value_or<std::string>(body, "preset", "");
    wanted.overrides = value_or<Json>(body, "overrides", Json::object());
    read_targets(body, wanted);
    if (const auto launches = body.find("launches"); launches != body.end() && !launches->is_null())
        wanted.launches = launches->get<std::int64_t>();
    wanted.label = value_or<std::string>(body, "label", "");
    wanted.note = value_or<std::string>(body, "note", "");
    wanted.purpose = value_or<std::string>(body, "purpose", "");
    try {
        asked.job.request = run::resolve(wanted, config);
    } catch (const run::RequestError& error) {
        refuse({{"/" + error.member(), error.what()}});
    }
    asked.job.request.trigger = {{"kind", "http"}};
    asked.job.terms.quiet = read_quiet(body, config);
    return asked;
}

}  // namespace foxbench::daemon
