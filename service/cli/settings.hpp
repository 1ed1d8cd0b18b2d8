#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "service/config/config.hpp"
#include "service/report/render.hpp"
#include "service/store/store.hpp"

namespace CLI {
class App;
}

/// What several subcommands have in common: where the store is, and in what format to write.
namespace foxbench::cli {

/// --results and --config.
struct StoreOptions {
    std::string results, config;

    void add_to(CLI::App& command);
    /// The configuration that they mean: the named file, or the default one unless --results alone says where the store
    /// is; --results wins over the file's.
    [[nodiscard]] config::Config load() const;
    /// Opens the store for reading: there has to be one.
    [[nodiscard]] store::Store open_existing() const;
};

/// Opens the store for writing, and makes it where there is none. A folder that cannot be used is a wrong request:
/// Error (usage).
[[nodiscard]] store::Store open_or_create(const std::filesystem::path& results);

/// --format and -o.
struct OutputOptions {
    std::string format = "md", table, file;

    void add_to(CLI::App& command);
    /// The report, or the one table asked for, in the format asked for.
    [[nodiscard]] std::string render(const document::RunDocument& document) const;
    /// Writes to the file asked for, all or nothing, else to stdout.
    void write(std::string_view text) const;
};

/// The run document or Markdown report in a file ("-" is stdin), told apart by its content, compressed or not. Throws
/// Error as their readers do.
[[nodiscard]] document::RunDocument read_document(const std::string& file);

/// Writes text to stdout word for word; on a terminal ends the last line.
void print(std::string_view text);

/// The same for a value, indented, without control characters even within texts.
void print_json(const document::Json& json);

/// Without control characters and line breaks: stored texts must not reach a terminal as escapes.
[[nodiscard]] std::string for_terminal(std::string_view text);

}  // namespace foxbench::cli
