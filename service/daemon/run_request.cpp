#include "service/daemon/run_request.hpp"

#include <array>
#include <functional>

#include "service/document/json_text.hpp"
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
bool is_names(const Json& value) {
    if (!value.is_array()) return false;
    for (const auto& item : value) {
        if (!item.is_string()) return false;
    }
    return true;
}

constexpr std::array kMembers{Member{"workload", "a text", is_text},
                              Member{"preset", "a text", is_text},
                              Member{"overrides", "an object of parameters", is_object},
                              Member{"targets", "a list of names", is_names},
                              Member{"launches", "a whole number", is_whole},
                              Member{"label", "a text", is_text},
                              Member{"note", "a text", is_text},
                              Member{"priority", "a whole number of -1000 to 1000", is_whole}};

[[noreturn]] void refuse(std::vector<http::BodyFault> faults) {
    http::Problem problem(422, "the run cannot be asked for like that: " + faults.front().detail);
    problem.errors = std::move(faults);
    throw problem;
}

void check_members(const Json& body) {
    if (!body.is_object()) refuse({{"", "expected an object"}});
    std::vector<std::string> known;
    for (const auto& member : kMembers) known.emplace_back(member.name);
    std::vector<http::BodyFault> faults;
    for (const auto& [name, value] : body.items()) {
        const auto member = std::ranges::find(kMembers, name, &Member::name);
        const std::string pointer = document::pointer_to("", name);
        if (member == kMembers.end()) {
            faults.push_back(
                {pointer, "there is no member '" + document::printable(name) + "'." + text::suggestion(name, known)});
        } else if (!value.is_null() && !member->fits(value)) {
            faults.push_back({pointer, name + ": expected " + std::string(member->expected)});
        }
    }
    if (!faults.empty()) refuse(std::move(faults));
}

template <class T>
T value_or(const Json& body, const char* member, T otherwise) {
    const auto found = body.find(member);
    return found == body.end() || found->is_null() ? otherwise : found->get<T>();
}

}  // namespace

AskedRun parse_run_request(const Json& body, const config::Config& config) {
    check_members(body);
    AskedRun asked;
    asked.priority = value_or<std::int64_t>(body, "priority", 0);
    if (asked.priority < -kMaxPriority || asked.priority > kMaxPriority)
        refuse({{"/priority", "priority: expected a whole number of -1000 to 1000"}});
    run::Wanted wanted;
    wanted.workload = value_or<std::string>(body, "workload", "");
    wanted.preset = value_or<std::string>(body, "preset", "");
    wanted.overrides = value_or<Json>(body, "overrides", Json::object());
    wanted.targets = value_or<std::vector<std::string>>(body, "targets", {});
    if (const auto launches = body.find("launches"); launches != body.end() && !launches->is_null())
        wanted.launches = launches->get<std::int64_t>();
    wanted.label = value_or<std::string>(body, "label", "");
    wanted.note = value_or<std::string>(body, "note", "");
    try {
        asked.job.request = run::resolve(wanted, config);
    } catch (const run::RequestError& error) {
        refuse({{"/" + error.member(), error.what()}});
    }
    asked.job.request.trigger = {{"kind", "http"}};
    asked.job.terms.quiet = config.quiet;
    return asked;
}

}  // namespace foxbench::daemon
