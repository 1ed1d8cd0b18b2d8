#include "service/store/run_rows.hpp"

#include <utility>

#include "service/document/ids.hpp"
#include "service/document/json_text.hpp"
#include "service/document/levels.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/store/samples.hpp"
#include "service/store/statements.hpp"

namespace foxbench::store {
namespace {

using document::Json;

constexpr std::int64_t kWarmup = -1;

std::int64_t as_position(std::size_t position) {
    return static_cast<std::int64_t>(position);
}

Json stored_json(std::string_view text) {
    return document::parse_json(text, "the store");
}

/// The columns that are copies of members.
std::optional<std::string> host_name(const document::RunDocument& own) {
    return own.host ? own.host->name : std::nullopt;
}

std::optional<std::string> trigger_kind(const document::RunDocument& own) {
    if (!own.trigger || !own.trigger->is_object()) return std::nullopt;
    const auto kind = own.trigger->find("kind");
    if (kind == own.trigger->end() || !kind->is_string()) return std::nullopt;
    return kind->get<std::string>();
}

std::optional<std::int64_t> start_ms(const document::RunDocument& own) {
    return own.started_at ? document::utc_milliseconds(*own.started_at) : std::nullopt;
}

[[noreturn]] void fail_not_found(const std::string& run) {
    throw Error(ErrorCode::not_found, "there is no run \"" + document::printable(run) + "\" in the store");
}

std::optional<std::int64_t> key_of(Statement statement) {
    if (!statement.step()) return std::nullopt;
    return statement.integer(0);
}

std::int64_t insert_target(Database& database, std::int64_t run_key, std::size_t position, std::int64_t listed_at_ms,
                           const document::Target& target) {
    database.prepare(sql::kInsertTarget)
        .bind(run_key, as_position(position), target.name, listed_at_ms, own_text(target))
        .run();
    return database.last_insert_key();
}

std::int64_t insert_launch(Database& database, std::int64_t target_key, std::size_t position,
                           const document::Launch& launch) {
    database.prepare(sql::kInsertLaunch).bind(target_key, as_position(position), own_text(launch)).run();
    return database.last_insert_key();
}

std::int64_t insert_series(Database& database, std::int64_t launch_key, std::size_t position,
                           const document::Series& series) {
    database.prepare(sql::kInsertSeries).bind(launch_key, as_position(position), series.name, own_text(series)).run();
    return database.last_insert_key();
}

bool has_samples(const document::RunDocument& document) {
    for (const document::Target& target : document.targets) {
        for (const document::Launch& launch : target.launches) {
            for (const document::Series& series : launch.series) {
                if (series.warmup || !series.passes.empty()) return true;
            }
        }
    }
    return false;
}

void insert_launch_tree(Database& database, std::int64_t target_key, std::size_t position,
                        const document::Launch& launch) {
    const std::int64_t launch_key = insert_launch(database, target_key, position, launch);
    for (std::size_t i = 0; i < launch.series.size(); ++i) {
        const document::Series& series = launch.series[i];
        const std::int64_t series_key = insert_series(database, launch_key, i, series);
        if (series.warmup) insert_pass(database, series_key, std::nullopt, *series.warmup);
        for (std::size_t pass = 0; pass < series.passes.size(); ++pass)
            insert_pass(database, series_key, pass, series.passes[pass]);
    }
}

document::Launch load_launch(Database& database, std::int64_t launch_key, std::string_view own) {
    document::Launch launch = document::launch_from_own_members(stored_json(own), "/launches");
    Statement rows = database.prepare(sql::kSeriesOf).bind(launch_key);
    while (rows.step()) {
        launch.series.push_back(document::series_from_own_members(stored_json(rows.bytes(1)), "/series"));
        load_passes(database, rows.integer(0), launch.series.back());
    }
    return launch;
}

}  // namespace

RunRow find_run(Database& database, const std::string& run) {
    Statement row = database.prepare(sql::kFindRun).bind(run);
    if (!row.step()) fail_not_found(run);
    return {row.integer(0), row.optional_text(1), row.integer(2),
            document::run_from_own_members(stored_json(row.bytes(3)))};
}

std::int64_t find_run_key(Database& database, const std::string& run) {
    const auto key = key_of(database.prepare(sql::kRunKey).bind(run));
    if (!key) fail_not_found(run);
    return *key;
}

std::int64_t run_revision(Database& database, const std::string& run) {
    Statement row = database.prepare(sql::kRunRevision).bind(run);
    if (!row.step()) fail_not_found(run);
    return row.integer(0);
}

std::int64_t find_open_run_key(Database& database, const std::string& run) {
    Statement row = database.prepare(sql::kRunState).bind(run);
    if (!row.step()) fail_not_found(run);
    if (is_final(document::run_state_from(row.text(1)))) {
        throw Error(ErrorCode::conflict, "the run " + run + " is already " + row.text(1));
    }
    return row.integer(0);
}

bool has_run(Database& database, const std::string& run) {
    return key_of(database.prepare(sql::kRunKey).bind(run)).has_value();
}

void insert_run(Database& database, const document::RunDocument& document, const std::string& source_id,
                const std::optional<std::string>& owner, std::int64_t now_ms) {
    const std::int64_t listed_at_ms = start_ms(document).value_or(now_ms);
    database.prepare(sql::kInsertRun)
        .bind(document.id, source_id, document::to_string(document.state), document.workload, document.label,
              host_name(document), trigger_kind(document), listed_at_ms, owner, own_text(document))
        .run();
    const std::int64_t run_key = database.last_insert_key();
    if (has_samples(document)) database.prepare(sql::kNoteSamples).bind(run_key).run();
    for (std::size_t i = 0; i < document.targets.size(); ++i) {
        const document::Target& target = document.targets[i];
        const std::int64_t target_key = insert_target(database, run_key, i, listed_at_ms, target);
        for (std::size_t launch = 0; launch < target.launches.size(); ++launch) {
            insert_launch_tree(database, target_key, launch, target.launches[launch]);
        }
    }
}

void update_run(Database& database, const RunRow& row) {
    const std::int64_t listed_at_ms = start_ms(row.own).value_or(row.listed_at_ms);
    database.prepare(sql::kUpdateRun)
        .bind(row.key, document::to_string(row.own.state), row.own.workload, row.own.label, host_name(row.own),
              trigger_kind(row.own), listed_at_ms, own_text(row.own))
        .run();
    database.prepare(sql::kUpdateTargetsTime).bind(row.key, listed_at_ms).run();
}

std::int64_t find_target(Database& database, std::int64_t run_key, std::size_t position) {
    const auto key = key_of(database.prepare(sql::kTargetKey).bind(run_key, as_position(position)));
    if (!key) throw Error(ErrorCode::not_found, "the run has no target number " + std::to_string(position + 1));
    return *key;
}

std::int64_t find_or_insert_launch(Database& database, std::int64_t run_key, LaunchKey launch) {
    const std::int64_t target_key = find_target(database, run_key, launch.target);
    if (const auto key = key_of(database.prepare(sql::kLaunchKey).bind(target_key, as_position(launch.launch))))
        return *key;
    return insert_launch(database, target_key, launch.launch, document::Launch{});
}

std::int64_t find_or_insert_series(Database& database, std::int64_t launch_key, std::size_t position,
                                   const document::Series& series) {
    {
        Statement row = database.prepare(sql::kSeriesKey).bind(launch_key, as_position(position));
        if (row.step()) {
            if (row.bytes(1) == series.name) return row.integer(0);
            throw Error(ErrorCode::conflict, "series number " + std::to_string(position + 1) + " of the launch is \"" +
                                                 row.text(1) + "\", not \"" + series.name + "\"");
        }
    }
    return insert_series(database, launch_key, position, series);
}

void insert_pass(Database& database, std::int64_t series_key, const std::optional<std::size_t>& index,
                 const document::Pass& pass) {
    const std::int64_t position = index ? as_position(*index) : kWarmup;
    if (key_of(database.prepare(sql::kPassKey).bind(series_key, position))) {
        throw Error(ErrorCode::conflict,
                    (index ? "measured pass " + std::to_string(*index + 1) : std::string("the warm-up pass")) +
                        " of the series is already stored");
    }
    const std::string samples = encode_samples(pass.latencies_us);
    database.prepare(sql::kInsertPass)
        .bind(series_key, position, as_position(pass.latencies_us.size()), own_text(pass), Blob{samples})
        .run();
}

void load_passes(Database& database, std::int64_t series_key, document::Series& series) {
    Statement rows = database.prepare(sql::kPassesOf).bind(series_key);
    while (rows.step()) {
        document::Pass pass = document::pass_from_own_members(stored_json(rows.bytes(2)), "/passes");
        pass.latencies_us = decode_samples(rows.bytes(3));
        if (std::cmp_not_equal(pass.latencies_us.size(), rows.integer(1))) {
            throw Error(ErrorCode::environment, "stored samples of series \"" + series.name +
                                                    "\" are not as many as its calls; "
                                                    "the store is damaged: restore a backup");
        }
        if (rows.integer(0) == kWarmup)
            series.warmup = std::move(pass);
        else
            series.passes.push_back(std::move(pass));
    }
}

std::int64_t measured_passes(Database& database, std::int64_t run_key) {
    Statement row = database.prepare(sql::kCountMeasuredPasses).bind(run_key);
    return row.step() ? row.integer(0) : 0;
}

document::RunDocument load_run(Database& database, const std::string& run) {
    RunRow row = find_run(database, run);
    Statement targets = database.prepare(sql::kTargetsOf).bind(row.key);
    while (targets.step()) {
        document::Target target = document::target_from_own_members(stored_json(targets.bytes(1)), "/targets");
        Statement launches = database.prepare(sql::kLaunchesOf).bind(targets.integer(0));
        while (launches.step())
            target.launches.push_back(load_launch(database, launches.integer(0), launches.bytes(1)));
        row.own.targets.push_back(std::move(target));
    }
    return std::move(row.own);
}

}  // namespace foxbench::store
