#include "service/browser/find.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include <unistd.h>

#include "service/error.hpp"

namespace foxbench::browser {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 2> kDefaultNames{"firefox", "firefox-esr"};

/// Where in a folder its launcher is: the folder of a build or of an unpacked archive, then an object folder.
constexpr std::array<std::string_view, 2> kLaunchersInFolder{"firefox", "dist/bin/firefox"};

bool is_executable_file(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

fs::path expanded(std::string_view spec, const SearchEnvironment& environment) {
    if (spec == "~" || spec.starts_with("~/")) {
        if (environment.home.empty()) {
            throw Error(ErrorCode::usage,
                        "cannot tell what " + std::string(spec) + " means: HOME is not set; give the whole path");
        }
        return (environment.home / spec.substr(spec.size() > 1 ? 2 : 1)).lexically_normal();
    }
    return (environment.directory / spec).lexically_normal();
}

fs::path find_at_path(std::string_view spec, const SearchEnvironment& environment) {
    const fs::path path = expanded(spec, environment);
    std::error_code fault;
    if (fs::is_directory(path, fault)) {
        for (const std::string_view launcher : kLaunchersInFolder) {
            if (is_executable_file(path / launcher)) return path / launcher;
        }
        throw Error(ErrorCode::usage,
                    "no Firefox in the folder " + path.string() +
                        ": neither firefox nor dist/bin/firefox is there; give the binary, or the object "
                        "folder of a finished build");
    }
    if (!fs::exists(path, fault)) {
        throw Error(ErrorCode::usage, "no Firefox at " + path.string() + ": there is no such file; check the path");
    }
    if (!is_executable_file(path)) {
        throw Error(ErrorCode::usage,
                    path.string() + " cannot be executed: it is no program, or you lack the permission");
    }
    return path;
}

/// Start scripts are short; what is beyond this is no script.
constexpr std::size_t kScriptBytes = 16384;

}  // namespace

SearchEnvironment SearchEnvironment::current() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    };
    std::error_code ignored;
    return {variable("PATH"), variable("HOME"), fs::current_path(ignored)};
}

fs::path find_on_path(std::string_view name, const SearchEnvironment& environment) {
    std::istringstream folders(environment.path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path file = (environment.directory / folder / name).lexically_normal();
        if (is_executable_file(file)) return file;
    }
    return {};
}

fs::path find_binary(std::string_view spec, const SearchEnvironment& environment) {
    if (spec.empty()) {
        for (const std::string_view name : kDefaultNames) {
            if (fs::path file = find_on_path(name, environment); !file.empty()) return file;
        }
        throw Error(ErrorCode::environment,
                    "no Firefox found: neither firefox nor firefox-esr is on the PATH (" + environment.path +
                        "); install one (apt-get install firefox-esr) or name one with --firefox PATH");
    }
    if (spec.find('/') != std::string_view::npos || spec == "~") return find_at_path(spec, environment);
    if (fs::path file = find_on_path(spec, environment); !file.empty()) return file;
    throw Error(ErrorCode::usage, "no program " + std::string(spec) + " on the PATH (" + environment.path +
                                      "); install it or give a path with a slash in it");
}

bool is_snap(const fs::path& binary) {
    std::error_code ignored;
    const auto in_snap = [](const fs::path& path) { return path.string().starts_with("/snap/"); };
    if (in_snap(binary)) return true;
    const fs::path target = fs::canonical(binary, ignored);
    if (in_snap(target) || target == "/usr/bin/snap") return true;

    std::ifstream stream(binary, std::ios::binary);
    std::string text(kScriptBytes, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text.starts_with("#!") && text.find("/snap/bin/") != std::string::npos;
}

}  // namespace foxbench::browser
