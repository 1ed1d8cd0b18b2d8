#include "service/history/render.hpp"
#include "service/history/wording.hpp"
#include "service/report/csv_sheet.hpp"
#include "service/report/json_values.hpp"

namespace foxbench::history {
namespace {

using document::Json;
using report::number_or_null;
using report::value_or_null;

/// A fraction in percent.
Json percent_or_null(const std::optional<double>& fraction) {
    return fraction ? number_or_null(*fraction * 100) : Json(nullptr);
}

const char* direction_of(const Step& step) {
    return step.slower() ? "slower" : "faster";
}

/// The members of an object that is written without looking for each name among those before: a history has thousands.
using Members = Json::object_t;

void add_build(Members& members, const Build& build) {
    members.emplace_back("version", build.version.empty() ? Json(nullptr) : Json(build.version));
    members.emplace_back("build_id", value_or_null(build.build_id));
    members.emplace_back("source_stamp", value_or_null(build.source_stamp));
    members.emplace_back("source_repository", value_or_null(build.source_repository));
}

Json build_of(const Build& build) {
    Members members;
    add_build(members, build);
    return Json(std::move(members));
}

Json night_of(const Night& night) {
    constexpr std::size_t kMembers = 12;
    Members members;
    members.reserve(kMembers);
    members.emplace_back("night", night.night);
    members.emplace_back("runs", night.runs);
    members.emplace_back("median_us", number_or_null(night.median_us));
    members.emplace_back("low_us", number_or_null(night.low_us));
    members.emplace_back("high_us", number_or_null(night.high_us));
    members.emplace_back("launches", night.launches);
    add_build(members, night.build);
    members.emplace_back("used", night.used);
    members.emplace_back("not_used", night.used ? Json(nullptr) : Json(night.not_used));
    return Json(std::move(members));
}

Json step_of(const Step& step) {
    const auto& change = step.change;
    const auto& interval = change.shift.relative_interval;
    return {{"last_good", step.last_good},
            {"first_bad", step.first_bad},
            {"direction", direction_of(step)},
            {"confirmed", step.confirmed},
            {"before_us", number_or_null(change.left_median)},
            {"after_us", number_or_null(change.right_median)},
            {"change_percent", percent_or_null(size_of(step))},
            {"change_low_percent", percent_or_null(interval ? std::optional(interval->low) : std::nullopt)},
            {"change_high_percent", percent_or_null(interval ? std::optional(interval->high) : std::nullopt)},
            {"p", step.confirmed ? Json(nullptr) : number_or_null(change.p)},
            {"build_before", build_of(step.build_before)},
            {"build_after", build_of(step.build_after)}};
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text.append(text.empty() ? "" : " ").append(word);
    return text;
}

}  // namespace

Json to_json(const SeriesHistory& history) {
    const auto& key = history.key;
    Json::array_t nights;
    nights.reserve(history.nights.size());
    for (const auto& night : history.nights) nights.push_back(night_of(night));
    Json steps = Json::array();
    for (const auto& step : history.steps) steps.push_back(step_of(step));
    Json json = {{"id", key.id()},
                 {"host", key.host},
                 {"host_name", key.host_name},
                 {"workload", key.workload},
                 {"target", key.target},
                 {"series", key.series},
                 {"table", key.table},
                 {"parameters", key.parameters},
                 {"since", value_or_null(history.since)},
                 {"nights_used", history.nights_used},
                 {"median_us", number_or_null(history.outlook.median_us)},
                 {"night_sd_percent", percent_or_null(history.outlook.night_sd)},
                 {"smallest_step_percent", percent_or_null(history.outlook.smallest_step)},
                 {"note", history.note.empty() ? Json(nullptr) : Json(history.note)},
                 {"missing", history.missing}};
    json["steps"] = std::move(steps);
    json["nights"] = std::move(nights);
    return json;
}

std::string to_csv(const SeriesHistory& history) {
    report::CsvSheet sheet({"series", "host", "target", "night", "run", "median_us", "low_us", "high_us", "launches",
                            "build_id", "version", "source_stamp", "used", "not_used", "step"});
    auto step = history.steps.begin();
    for (const auto& night : history.nights) {
        while (step != history.steps.end() && step->first_bad < night.night) ++step;
        const bool begins = step != history.steps.end() && step->first_bad == night.night;
        sheet.text(history.key.series).text(history.key.host).text(history.key.target).text(night.night);
        sheet.text(joined(night.runs)).number(std::optional(night.median_us)).number(night.low_us);
        sheet.number(night.high_us).count(night.launches).text(night.build.build_id.value_or(""));
        sheet.text(night.build.version).text(night.build.source_stamp.value_or("")).yes_no(night.used);
        sheet.text(night.used ? "" : night.not_used).text(begins ? direction_of(*step) : "");
        sheet.end();
    }
    return sheet.take();
}

}  // namespace foxbench::history
