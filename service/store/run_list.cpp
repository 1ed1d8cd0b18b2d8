#include "service/store/run_list.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "service/document/ids.hpp"
#include "service/document/json_text.hpp"
#include "service/document/levels.hpp"
#include "service/error.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/statements.hpp"

namespace foxbench::store {
namespace {

/// How many runs a message names before it only counts them.
constexpr std::int64_t kNamedCandidates = 5;
/// Among how many of the newest runs the nearest name is looked for: a typing error is about something recent.
constexpr std::int64_t kNearestAmong = 1000;

std::optional<std::string> text_member(const std::optional<document::Json>& object, const char* name) {
    if (!object || !object->is_object() || !object->contains(name) || !(*object)[name].is_string()) return std::nullopt;
    return (*object)[name].get<std::string>();
}

RunSummary make_summary(Database& database, std::int64_t run_key, std::int64_t listed_at_ms,
                        document::RunDocument own) {
    RunSummary summary;
    summary.id = std::move(own.id);
    summary.state = own.state;
    summary.workload = std::move(own.workload);
    summary.label = std::move(own.label);
    summary.note = std::move(own.note);
    summary.reason = std::move(own.reason);
    if (own.host) summary.host = std::move(own.host->name);
    summary.trigger_kind = text_member(own.trigger, "kind");
    summary.trigger_name = text_member(own.trigger, "name");
    summary.preset = text_member(own.config, "preset");
    summary.started_at = std::move(own.started_at);
    summary.finished_at = std::move(own.finished_at);
    summary.listed_at_ms = listed_at_ms;
    Statement names = database.prepare(sql::kTargetNames).bind(run_key);
    while (names.step()) summary.targets.push_back(names.text(0));
    return summary;
}

// ---- the list ----

/// The place of a run in the list: runs of the same millisecond follow in the order in which they were stored.
struct Place {
    std::int64_t listed_at_ms = 0;
    std::int64_t key = 0;
};

std::string to_cursor(const Place& place) {
    return std::to_string(place.listed_at_ms) + "." + std::to_string(place.key);
}

Place from_cursor(const std::string& cursor) {
    Place place;
    const char* const end = cursor.data() + cursor.size();
    const auto time = std::from_chars(cursor.data(), end, place.listed_at_ms);
    if (time.ec == std::errc{} && time.ptr != end && *time.ptr == '.') {
        const auto key = std::from_chars(time.ptr + 1, end, place.key);
        if (key.ec == std::errc{} && key.ptr == end) return place;
    }
    throw Error(ErrorCode::usage, "\"" + document::printable(cursor, 40) +
                                      "\" is no cursor of a list; take it from the \"next\" of a page");
}

/// Puts the list's statement together. Each filter has an index that ends with the time, so that the newest runs of a
/// kind are read in order and reading ends with the page, however many runs there are.
class ListQuery {
public:
    explicit ListQuery(const RunFilter& filter) {
        if (filter.target) {
            // The other way round SQLite may look at every run for its targets.
            from_ = "targets CROSS JOIN runs ON runs.key = targets.run_key";
            time_ = "targets.listed_at_ms";
            key_ = "targets.run_key";
        }
        equal("targets.name", filter.target);
        if (filter.state) equal("runs.state", std::string(document::to_string(*filter.state)));
        equal("runs.workload", filter.workload);
        equal("runs.label", filter.label);
        equal("runs.host", filter.host);
        equal("runs.trigger_kind", filter.trigger);
        if (filter.since_ms) where(time_ + " >= " + number(*filter.since_ms));
        if (filter.until_ms) where(time_ + " < " + number(*filter.until_ms));
        if (filter.cursor) {
            const Place place = from_cursor(*filter.cursor);
            where("(" + time_ + ", " + key_ + ") < (" + number(place.listed_at_ms) + ", " + number(place.key) + ")");
        }
    }

    [[nodiscard]] Statement prepare(Database& database, std::size_t limit) const {
        const std::string text = "SELECT runs.key, runs.listed_at_ms, runs.document FROM " + from_ + where_ +
                                 " ORDER BY " + time_ + " DESC, " + key_ + " DESC LIMIT " + std::to_string(limit);
        Statement statement = database.prepare_once("list the runs", text);
        for (std::size_t i = 0; i < texts_.size(); ++i) statement.bind_one(static_cast<int>(i) + 1, texts_[i]);
        return statement;
    }

private:
    void where(const std::string& condition) { where_ += (where_.empty() ? " WHERE " : " AND ") + condition; }
    void equal(const char* column, const std::optional<std::string>& value) {
        if (!value) return;
        texts_.push_back(*value);
        where(std::string(column) + " = ?" + std::to_string(texts_.size()));
    }
    static std::string number(std::int64_t value) { return std::to_string(value); }

    std::string from_ = "runs", time_ = "runs.listed_at_ms", key_ = "runs.key", where_;
    std::vector<std::string> texts_;
};

// ---- names ----

/// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::vector<std::string> newest_ids(Database& database, std::int64_t limit) {
    std::vector<std::string> ids;
    Statement rows = database.prepare(sql::kNewestIds).bind(limit);
    while (rows.step()) ids.push_back(rows.text(0));
    return ids;
}

[[noreturn]] void fail_not_found(Database& database, std::string_view text) {
    const auto ids = newest_ids(database, kNearestAmong);
    const std::string folder = database.path().parent_path().string();
    if (ids.empty()) throw Error(ErrorCode::not_found, "there are no runs in " + folder + " yet");
    const auto nearest = std::min_element(ids.begin(), ids.end(), [&](const std::string& a, const std::string& b) {
        return distance(a, text) < distance(b, text);
    });
    throw Error(ErrorCode::not_found,
                "there is no run \"" + std::string(text) + "\" in " + folder + "; the nearest is " + *nearest);
}

}  // namespace

RunPage list_runs(Database& database, const RunFilter& filter) {
    if (filter.limit < 1 || filter.limit > kMaxListLimit) {
        throw Error(ErrorCode::usage, "the limit of a list is 1 to " + std::to_string(kMaxListLimit));
    }
    RunPage page;
    Place last;
    Statement rows = ListQuery(filter).prepare(database, filter.limit + 1);
    while (rows.step()) {
        if (page.runs.size() == filter.limit) {
            page.next = to_cursor(last);
            break;
        }
        last = {rows.integer(1), rows.integer(0)};
        page.runs.push_back(
            make_summary(database, last.key, last.listed_at_ms,
                         document::run_from_own_members(document::parse_json(rows.bytes(2), "the store"))));
    }
    return page;
}

RunSummary summary_of(Database& database, const std::string& run) {
    RunRow row = find_run(database, run);
    return make_summary(database, row.key, row.listed_at_ms, std::move(row.own));
}

std::string resolve_run(Database& database, std::string_view text) {
    if (text == document::kLatest) {
        const auto newest = newest_ids(database, 1);
        if (newest.empty()) fail_not_found(database, text);
        return newest.front();
    }
    if (!document::is_run_id(text)) {
        throw Error(ErrorCode::usage, "\"" + document::printable(text, 60) +
                                          "\" is no run: expected \"latest\" or an id or the beginning of one (" +
                                          std::string(document::kRunIdRule) + ")");
    }
    const std::string beginning(text);
    if (has_run(database, beginning)) return beginning;
    const std::string end = beginning + '\x7F';  // above every character of an id
    std::vector<std::string> candidates;
    Statement rows = database.prepare(sql::kRunsBetween).bind(beginning, end, kNamedCandidates);
    while (rows.step()) candidates.push_back(rows.text(0));
    if (candidates.size() == 1) return candidates.front();
    if (candidates.empty()) fail_not_found(database, text);

    Statement count = database.prepare(sql::kCountBetween).bind(beginning, end);
    (void)count.step();
    const std::int64_t unnamed = count.integer(0) - static_cast<std::int64_t>(candidates.size());
    std::string names;
    for (const std::string& candidate : candidates) names += (names.empty() ? "" : ", ") + candidate;
    throw Error(ErrorCode::usage, "\"" + beginning + "\" begins several runs: " + names +
                                      (unnamed > 0 ? " and " + std::to_string(unnamed) + " more" : "") +
                                      "; write more of it");
}

}  // namespace foxbench::store
