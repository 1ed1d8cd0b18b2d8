#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "service/alerts/watch.hpp"
#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/settings.hpp"
#include "service/document/json_text.hpp"
#include "service/error.hpp"
#include "service/history/render.hpp"
#include "service/host/clock.hpp"
#include "service/store/history_store.hpp"
#include "service/text/words.hpp"

namespace foxbench::cli {
namespace {

using document::Json;
using store::FollowedSeries;

constexpr std::size_t kColumns = 100;         ///< where there is no terminal
constexpr std::size_t kSmallestColumns = 40;  ///< narrower ones get lines that break

struct Options {
    StoreOptions store;
    std::string series, target, host, workload, format = "text", file;
    bool json = false;
};

std::size_t columns_of_terminal() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kColumns;
    return std::max<std::size_t>(size.ws_col, kSmallestColumns);
}

bool is_wanted(const FollowedSeries& one, const Options& options) {
    const auto fits = [](const std::string& wanted, const std::string& value) {
        return wanted.empty() || wanted == value;
    };
    return fits(options.target, one.key.target) && fits(options.host, one.key.host_name) &&
           fits(options.workload, one.key.workload);
}

/// By id, a unique beginning of one, or name.
std::vector<FollowedSeries> find_series(store::Store& store, const Options& options) {
    std::vector<FollowedSeries> found;
    std::vector<std::string> names;
    for (auto& one : store::HistoryStore(store).list()) {
        if (!is_wanted(one, options)) continue;
        if (std::ranges::find(names, one.key.series) == names.end()) names.push_back(one.key.series);
        if (options.series.empty() || one.key.series == options.series || one.id.starts_with(options.series))
            found.push_back(std::move(one));
    }
    if (found.empty() && !options.series.empty()) {
        throw Error(ErrorCode::not_found,
                    names.empty()
                        ? "there is no history yet: it begins with the first run of a schedule (foxbench serve)"
                        : "there is no series '" + options.series + "'." + text::suggestion(options.series, names));
    }
    return found;
}

Json list_json(const std::vector<FollowedSeries>& all) {
    Json list = Json::array();
    for (const auto& one : all) {
        list.push_back({{"id", one.id},
                        {"host_name", one.key.host_name},
                        {"target", one.key.target},
                        {"workload", one.key.workload},
                        {"series", one.key.series},
                        {"table", one.key.table},
                        {"parameters", one.key.parameters},
                        {"points", one.points},
                        {"last_night", one.last_night}});
    }
    return {{"series", std::move(list)}};
}

int list_series(const std::vector<FollowedSeries>& all, bool json) {
    if (json) {
        print_json(list_json(all));
        return 0;
    }
    if (all.empty()) std::cerr << "There is no history yet: it begins with the first run of a schedule.\n";
    std::vector<std::vector<std::string>> rows{{"ID", "HOST", "TARGET", "SERIES", "NIGHTS", "LAST", "WORK"}};
    for (const auto& one : all) {
        std::string work;
        for (const auto& [name, value] : one.key.parameters.items())
            work += (work.empty() ? "" : " ") + name + "=" + value.dump();
        std::vector<std::string> row{
            one.id, one.key.host_name, one.key.target, one.key.series, std::to_string(one.points), one.last_night,
            work};
        for (auto& cell : row) cell = for_terminal(cell);
        rows.push_back(std::move(row));
    }
    if (rows.size() > 1) std::cout << align_columns(rows);
    return 0;
}

std::string written(const history::SeriesHistory& history, const std::string& format) {
    if (format == "json") return document::to_text(history::to_json(history), 2) + "\n";
    if (format == "csv") return history::to_csv(history);
    if (format == "svg") return history::to_svg(history);
    return history::to_terminal(history, columns_of_terminal());
}

int show_history(Options& options) {
    if (options.json) options.format = "json";
    const std::vector<std::string> formats = {"text", "json", "csv", "svg"};
    if (std::ranges::find(formats, options.format) == formats.end())
        throw Error(ErrorCode::usage,
                    "--format: '" + options.format + "' is none." + text::suggestion(options.format, formats));
    const auto config = options.store.load();
    auto store = options.store.open_existing();
    alerts::catch_up(store, config, host::now_ms());
    const auto found = find_series(store, options);
    if (options.series.empty()) return list_series(found, options.format == "json");
    if (found.size() > 1 && options.format != "text") {
        std::vector<std::string> ids;
        for (const auto& one : found) ids.push_back(one.id + " (" + one.key.target + " on " + one.key.host_name + ")");
        throw Error(ErrorCode::usage, "'" + options.series + "' is several series: " + text::join(ids) +
                                          "; name one by its id, or say --target and --host");
    }
    std::string text;
    for (const auto& one : found) {
        if (!text.empty()) text += "\n";
        text += written(alerts::load_history(store, one.id, config.alerts), options.format);
    }
    OutputOptions output;
    output.file = options.file;
    output.write(text);
    return 0;
}

}  // namespace

void add_history(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("history", "What a series has cost night after night, and where it changed",
                                 "  foxbench history                     the series there are\n"
                                 "  foxbench history small-append\n"
                                 "  foxbench history small-append --target wal-full --format svg -o plot.svg\n"
                                 "  foxbench history 3f9ac1d2 --json",
                                 [options] { return show_history(*options); });
    command.add_option("SERIES", options->series, "its name, its id or a unique beginning of that; without: a list");
    command.add_option("--target", options->target, "of this target")->type_name("NAME");
    command.add_option("--host", options->host, "on this machine")->type_name("NAME");
    command.add_option("--workload", options->workload, "of this workload")->type_name("NAME");
    command.add_option("--format", options->format, "text, json, csv or svg")->capture_default_str();
    command.add_flag("--json", options->json, "the same as --format json");
    command.add_option("-o,--output", options->file, "write to this file, all or nothing")->type_name("FILE");
    options->store.add_to(command);
}

}  // namespace foxbench::cli
