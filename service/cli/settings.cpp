#include "service/cli/settings.hpp"

#include <iostream>
#include <sstream>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "service/config/locations.hpp"
#include "service/document/json_text.hpp"
#include "service/error.hpp"
#include "service/report/import_markdown.hpp"
#include "service/report/text.hpp"
#include "service/store/durable_file.hpp"
#include "service/store/results_folder.hpp"
#include "service/store/zstd.hpp"

namespace foxbench::cli {
void StoreOptions::add_to(CLI::App& command) {
    command.add_option("--results", results, "folder of the stored runs (default: as configured)")->type_name("DIR");
    command
        .add_option(
            "--config", config,
            "configuration file (default: configs/foxbench.yaml of a checkout, else /etc/foxbench/foxbench.yaml)")
        ->type_name("FILE");
}

config::Config StoreOptions::load() const {
    const auto file = !config.empty()   ? std::optional<std::filesystem::path>(config)
                      : results.empty() ? config::default_config_file()
                                        : std::nullopt;
    if (!file) return config::default_config(results);
    auto loaded = config::load_config(*file);
    if (!results.empty()) {
        const bool profiles_follow = loaded.profiles == loaded.results / "profiles";
        loaded.results = std::filesystem::absolute(results).lexically_normal();
        if (profiles_follow) loaded.profiles = loaded.results / "profiles";
    }
    return loaded;
}

store::Store StoreOptions::open_existing() const {
    return store::Store(load().results, store::Store::Mode::existing);
}

store::Store open_or_create(const std::filesystem::path& results) {
    try {
        return store::Store(results);
    } catch (const Error& error) {
        throw Error(error.code() == ErrorCode::environment ? ErrorCode::usage : error.code(), error.what());
    }
}

void OutputOptions::add_to(CLI::App& command) {
    command.add_option("--format", format, "md, csv, json or html")->capture_default_str()->type_name("FORMAT");
    command.add_option("--table", table, "one table alone: per-call, per-file, latency or derived")->type_name("TABLE");
    command.add_option("-o,--output", file, "write to this file, all or nothing, instead of stdout")->type_name("FILE");
}

std::string OutputOptions::render(const document::RunDocument& document) const {
    const auto as = report::format_from(format);
    return table.empty() ? report::render(document, as) : report::render_table(document, report::table_from(table), as);
}

void OutputOptions::write(std::string_view text) const {
    if (file.empty()) return print(text);
    store::write_durably(file, text);
}

document::RunDocument read_document(const std::string& file) {
    std::string text;
    if (file == "-") {
        std::ostringstream input;
        input << std::cin.rdbuf();
        text = std::move(input).str();
        if (store::is_compressed(text)) text = store::decompress(text, store::kMaxDocumentBytes);
    } else {
        text = store::read_text_file(file);
    }
    const std::string origin = file == "-" ? "stdin" : file;
    if (report::looks_like_report(text)) return report::import_markdown(text, origin);
    if (const auto first = text.find_first_not_of(" \t\r\n"); first == std::string::npos || text[first] != '{') {
        throw Error(ErrorCode::usage, origin +
                                          " is neither a run document (JSON) nor a report (Markdown that begins with "
                                          "\"# OPFS sync write benchmark: \")");
    }
    return document::parse(text, origin);
}

void print(std::string_view text) {
    std::cout << text;
    if (!text.ends_with('\n') && isatty(STDOUT_FILENO)) std::cout << '\n';
}

void print_json(const document::Json& json) {
    print(document::to_text(json, 2) + "\n");
}

std::string for_terminal(std::string_view text) {
    return report::one_line(text);
}

}  // namespace foxbench::cli
