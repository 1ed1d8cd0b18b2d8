#include "service/config/locations.hpp"

#include <cstdlib>

#include <unistd.h>

namespace foxbench::config {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> from_environment(const char* name) {
    const char* value = std::getenv(name);
    if (!value || !*value) return std::nullopt;
    return fs::path(value);
}

/// The folder of an installation's data, from where the program itself lies; nothing when it runs in its build folder.
std::optional<fs::path> installed_data() {
    std::error_code error;
    const auto program = fs::read_symlink("/proc/self/exe", error);
    if (error) return std::nullopt;
    auto data = program.parent_path().parent_path() / FOXBENCH_INSTALLED_DATA;
    if (!fs::is_directory(data, error)) return std::nullopt;
    return data;
}

std::optional<fs::path> checkout() {
    std::error_code error;
    if (installed_data() || !fs::is_directory(fs::path(FOXBENCH_CHECKOUT) / "workloads", error)) return std::nullopt;
    return fs::path(FOXBENCH_CHECKOUT);
}

}  // namespace

fs::path default_workloads() {
    if (const auto folder = from_environment("FOXBENCH_WORKLOADS")) return *folder;
    if (const auto data = installed_data()) return *data / "workloads";
    return fs::path(FOXBENCH_CHECKOUT) / "workloads";
}

fs::path default_results() {
    if (const auto folder = checkout()) return *folder / "results";
    if (geteuid() == 0) return "/var/lib/foxbench";
    if (const auto data = from_environment("XDG_DATA_HOME")) return *data / "foxbench";
    return expand_home("~/.local/share/foxbench");
}

std::optional<fs::path> default_config_file() {
    if (const auto file = from_environment("FOXBENCH_CONFIG")) return file;
    const auto file = checkout() ? *checkout() / "configs/foxbench.yaml" : fs::path("/etc/foxbench/foxbench.yaml");
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    return file;
}

fs::path expand_home(const fs::path& path) {
    const std::string text = path.string();
    if (text != "~" && !text.starts_with("~/")) return path;
    const auto home = from_environment("HOME");
    return home ? *home / text.substr(std::min<std::size_t>(2, text.size())) : path;
}

}  // namespace foxbench::config
