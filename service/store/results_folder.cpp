#include "service/store/results_folder.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "service/document/ids.hpp"
#include "service/document/json_text.hpp"
#include "service/error.hpp"
#include "service/store/durable_file.hpp"
#include "service/store/zstd.hpp"

namespace foxbench::store {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

}  // namespace

std::filesystem::path run_folder(const std::filesystem::path& results_dir, const std::string& run) {
    if (!document::is_run_id(run)) {
        throw Error(ErrorCode::usage,
                    "\"" + document::printable(run, 60) + "\" is no run id: it has " + document::kRunIdRule);
    }
    return results_dir / run;
}

void write_run_folder(const std::filesystem::path& results_dir, const std::string& run,
                      std::string_view summary_markdown, std::string_view document_json) {
    const std::filesystem::path folder = run_folder(results_dir, run);
    make_directories(folder);
    sync_directory(results_dir);
    write_durably(folder / "run.json.zst", compress(document_json));
    write_durably(folder / "summary.md", summary_markdown);
}

void remove_run_folder(const std::filesystem::path& results_dir, const std::string& run) {
    const std::filesystem::path folder = run_folder(results_dir, run);
    std::error_code error;
    std::filesystem::remove_all(folder, error);
    if (error) {
        throw Error(ErrorCode::environment,
                    "could not remove " + folder.string() + ": " + error.message() + "; remove it by hand");
    }
}

std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes) {
    const std::string name = path.string();
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        const int error = errno;
        throw Error(error == ENOENT ? ErrorCode::not_found : ErrorCode::environment,
                    "could not open " + name + ": " + std::generic_category().message(error));
    }
    std::string bytes;
    constexpr std::size_t kChunk = std::size_t{1} << 16;
    while (bytes.size() <= max_bytes) {  // not by the file's size: pipes and /proc have none
        const std::size_t before = bytes.size();
        bytes.resize(before + kChunk);
        const std::size_t got = std::fread(bytes.data() + before, 1, kChunk, file.get());
        bytes.resize(before + got);
        if (got < kChunk) break;
    }
    if (std::ferror(file.get()) != 0) {
        throw Error(ErrorCode::environment, "could not read " + name + ": " + std::generic_category().message(errno));
    }
    if (bytes.size() > max_bytes) {
        throw Error(ErrorCode::usage,
                    name + " is larger than " + std::to_string(max_bytes) + " bytes, more than any run document");
    }
    if (!is_compressed(bytes)) return bytes;
    try {
        return decompress(bytes, max_bytes);
    } catch (const Error& error) {
        throw Error(error.code(), name + ": " + error.what());
    }
}

}  // namespace foxbench::store
