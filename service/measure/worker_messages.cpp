#include "service/measure/worker_messages.hpp"

#include <cmath>

#include "service/document/purpose.hpp"
#include "service/error.hpp"

namespace foxbench::measure {
namespace {

using document::Json;

[[noreturn]] void refuse(const std::string& what) {
    throw Error(ErrorCode::browser, "the workload's worker sent something wrong: " + what);
}

template <class T>
T member(const Json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end()) refuse(std::string("no '") + name + "'");
    try {
        return found->get<T>();
    } catch (const Json::exception&) {
        refuse(std::string("'") + name + "' is " + found->dump().substr(0, 100));
    }
}

template <class T>
std::optional<T> optional_member(const Json& object, const char* name) {
    if (!object.contains(name) || object.at(name).is_null()) return std::nullopt;
    return member<T>(object, name);
}

document::Environment read_environment(const Json& message) {
    document::Environment environment;
    environment.user_agent = member<std::string>(message, "user_agent");
    environment.platform = member<std::string>(message, "platform");
    environment.timestamp = member<std::string>(message, "timestamp");
    environment.hardware_concurrency = member<std::int64_t>(message, "hardware_concurrency");
    environment.timer_resolution_us = member<double>(message, "timer_resolution_us");
    environment.cross_origin_isolated = member<bool>(message, "cross_origin_isolated");
    const auto estimate = member<Json>(message, "storage_estimate");
    environment.storage_usage_bytes = member<double>(estimate, "usage");
    environment.storage_quota_bytes = member<double>(estimate, "quota");
    return environment;
}

/// A latency or a sum of them: no clock that only goes forward gives anything else.
void check_duration(double value, const std::string& what) {
    if (!std::isfinite(value) || value < 0) refuse(what + " is " + std::to_string(value));
}

FinishedPass read_pass(const Json& message, const workload::Plan& plan) {
    FinishedPass finished;
    finished.sequence = member<std::size_t>(message, "sequence");
    finished.pass = member<std::int64_t>(message, "pass");
    if (finished.sequence >= plan.sequences.size() || finished.pass < 0 || finished.pass > plan.passes)
        refuse("a pass that is not planned");
    const auto& planned = plan.sequences[finished.sequence].series;
    const auto series = member<std::vector<Json>>(message, "series");
    if (series.size() != planned.size())
        refuse(std::to_string(series.size()) + " series where " + std::to_string(planned.size()) + " are planned");

    for (std::size_t i = 0; i < series.size(); ++i) {
        const std::string name = member<std::string>(series[i], "name");
        if (name != planned[i].name) refuse("the series '" + name + "' where '" + planned[i].name + "' is planned");
        document::Pass pass;
        pass.total_ms = member<double>(series[i], "total_ms");
        pass.started_at_ms = member<double>(message, "started_at_ms");
        pass.finished_at_ms = member<double>(message, "finished_at_ms");
        pass.latencies_us = member<std::vector<double>>(series[i], "latencies_us");
        if (const auto planted = optional_member<double>(series[i], document::kPlantedMean)) {
            check_duration(*planted, "what was planted into " + name);
            pass.extra[document::kPlantedMean] = *planted;
        }
        if (message.contains("verified")) pass.verified = message.at("verified");
        if (static_cast<std::int64_t>(pass.latencies_us.size()) != planned[i].calls) {
            refuse(name + " with " + std::to_string(pass.latencies_us.size()) + " calls where " +
                   std::to_string(planned[i].calls) + " are planned");
        }
        check_duration(pass.total_ms, "the total of " + name);
        for (const double latency : pass.latencies_us) check_duration(latency, "a latency of " + name);
        finished.series.push_back(std::move(pass));
    }
    return finished;
}

WorkerFailure read_failure(const Json& message) {
    WorkerFailure failure;
    failure.name = optional_member<std::string>(message, "name").value_or("Error");
    failure.message = optional_member<std::string>(message, "message").value_or("");
    failure.stack = optional_member<std::string>(message, "stack").value_or("");
    failure.series = optional_member<std::string>(message, "series").value_or("");
    failure.pass = optional_member<std::int64_t>(message, "pass");
    failure.call = optional_member<std::int64_t>(message, "call");
    return failure;
}

}  // namespace

std::string WorkerFailure::describe() const {
    std::string text;
    if (!series.empty()) text += series;
    if (pass) text += *pass == 0 ? ", warm-up pass" : ", pass " + std::to_string(*pass);
    if (call) text += ", call " + std::to_string(*call + 1);
    if (!text.empty()) text += ": ";
    return text + name + ": " + message;
}

WorkerMessage read_worker_message(std::string_view text, const workload::Plan& plan) {
    const Json message = Json::parse(text, nullptr, false);
    if (!message.is_object()) refuse("no JSON object");
    const auto type = member<std::string>(message, "type");
    if (type == "environment") return read_environment(message);
    if (type == "pass") return read_pass(message, plan);
    if (type == "error") return read_failure(message);
    if (type == "done") return WorkerDone{};
    refuse("a message of the type '" + type + "'");
}

std::optional<std::string> MessageParts::add(std::string_view part) {
    if (part.empty() || (part.front() != '+' && part.front() != '.')) refuse("a part without its mark");
    if (text_.size() + part.size() > kMaxBytes)
        refuse("a message of more than " + std::to_string(kMaxBytes) + " bytes");
    text_ += part.substr(1);
    if (part.front() == '+') return std::nullopt;
    return std::exchange(text_, {});
}

}  // namespace foxbench::measure
