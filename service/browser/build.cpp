#include "service/browser/build.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

#include "service/error.hpp"
#include "service/host/digest.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::browser {

namespace fs = std::filesystem;

namespace {

/// What Firefox calls itself, under whatever name and brand (browser/confvars.sh).
constexpr std::string_view kFirefoxId = "{ec8030f7-c20a-464f-9b0e-13a3a9e97384}";

/// How many scripts may execute each other before it is called a circle.
constexpr int kScriptDepth = 5;
/// Start scripts of distributions have some kilobytes; more is not read.
constexpr std::uintmax_t kScriptBytes = std::uintmax_t{256} * 1024;

/// How many builds' sums are kept. Somebody who measures a new local build every night has a year's worth.
constexpr std::size_t kCachedSums = 400;

std::optional<Installation> installation_of(const fs::path& launcher) {
    // Firefox itself looks beside its executable with links resolved (BinaryPath::Get reads /proc/self/exe).
    std::error_code fault;
    const fs::path real = fs::canonical(launcher, fault);
    if (fault) return std::nullopt;
    const fs::path folder = real.parent_path();
    if (!fs::is_regular_file(folder / "libxul.so", fault)) return std::nullopt;
    const auto ini = host::read_text(folder / "application.ini");
    if (!ini) return std::nullopt;
    return Installation{real, folder, parse_application_ini(*ini)};
}

/// The text of a script, or nothing when the file is none.
std::optional<std::string> script_text(const fs::path& file) {
    std::error_code fault;
    if (fs::file_size(file, fault) > kScriptBytes || fault) return std::nullopt;
    auto text = host::read_text(file);
    if (!text || !text->starts_with("#!")) return std::nullopt;
    return text;
}

/// The words of a shell script, without quotes; what a variable stands for stays unknown, so its word keeps the dollar
/// sign.
std::vector<std::string> shell_words(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    const auto finish = [&] {
        if (!word.empty()) words.push_back(std::move(word));
        word.clear();
    };
    for (const char c : line) {
        if (std::strchr(" \t;&|()=", c) != nullptr) {
            finish();
        } else if (c != '"' && c != '\'') {
            word += c;
        }
    }
    finish();
    return words;
}

/// Programs that a start script may execute, the most telling first.
std::vector<fs::path> executed_by(const fs::path& script, const std::string& text,
                                  const SearchEnvironment& environment) {
    std::vector<fs::path> executed, mentioned;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) continue;
        const auto words = shell_words(line);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string& word = words[i];
            if (word.find('$') != std::string::npos) {
                // A diversion keeps the packaged program as NAME.real, and executes it through a variable.
                if (word.ends_with(".real")) executed.push_back(script.string() + ".real");
            } else if (i > 0 && words[i - 1] == "exec" && word.find('/') == std::string::npos) {
                executed.push_back(find_on_path(word, environment));
            } else if (word.starts_with('/')) {
                (i > 0 && words[i - 1] == "exec" ? executed : mentioned).emplace_back(word);
                mentioned.push_back(fs::path(word) / "firefox");
            }
        }
    }
    executed.insert(executed.end(), mentioned.begin(), mentioned.end());
    return executed;
}

std::optional<Installation> search(const fs::path& binary, const SearchEnvironment& environment, int depth) {
    std::error_code fault;
    if (!fs::is_regular_file(binary, fault)) return std::nullopt;
    const auto text = script_text(binary);
    if (!text) return installation_of(binary);
    if (depth == 0) return std::nullopt;
    for (const fs::path& candidate : executed_by(binary, *text, environment)) {
        // A script that finds itself by name on the path means the next one of that name.
        if (candidate.empty() || fs::equivalent(candidate, binary, fault)) continue;
        if (auto found = search(candidate, environment, depth - 1)) return found;
    }
    return std::nullopt;
}

std::string cache_key(const std::vector<fs::path>& files) {
    std::string key;
    for (const fs::path& file : files) {
        struct stat status {};
        if (::stat(file.c_str(), &status) != 0) {
            throw Error(ErrorCode::environment, "cannot read " + file.string() + ": " + std::strerror(errno));
        }
        if (!key.empty()) key += '+';
        key += std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino) + ':' +
               std::to_string(status.st_size) + ':' + std::to_string(status.st_ctim.tv_sec) + '.' +
               std::to_string(status.st_ctim.tv_nsec);
    }
    return key;
}

std::optional<std::string> if_given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

}  // namespace

ApplicationIni parse_application_ini(std::string_view text) {
    ApplicationIni ini;
    const std::pair<std::string_view, std::string*> members[] = {{"Name", &ini.name},
                                                                 {"ID", &ini.id},
                                                                 {"Version", &ini.version},
                                                                 {"BuildID", &ini.build_id},
                                                                 {"SourceRepository", &ini.source_repository},
                                                                 {"SourceStamp", &ini.source_stamp}};
    bool in_app = false;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        const std::string_view content = host::trimmed(line);
        if (content.starts_with('[')) in_app = content == "[App]";
        const auto equals = content.find('=');
        if (!in_app || equals == std::string_view::npos || content.starts_with(';')) continue;
        for (const auto& [name, target] : members) {
            if (host::trimmed(content.substr(0, equals)) == name) *target = host::trimmed(content.substr(equals + 1));
        }
    }
    return ini;
}

std::vector<fs::path> Installation::identifying_files() const {
    std::vector<fs::path> files{launcher};
    std::error_code ignored;
    for (const char* name : {"libxul.so", "omni.ja", "browser/omni.ja"}) {
        if (fs::is_regular_file(folder / name, ignored)) files.push_back(folder / name);
    }
    return files;
}

Installation locate_installation(const fs::path& binary, const SearchEnvironment& environment) {
    const auto found = search(binary, environment, kScriptDepth);
    if (!found) {
        std::string message = binary.string() + " is not a Firefox: no application.ini and libxul.so beside it";
        if (is_snap(binary)) {
            message = binary.string() + " starts a snap, and a snap's Firefox cannot use foxbench's profiles";
        } else if (script_text(binary)) {
            message = binary.string() + " is a script that does not lead to a Firefox as far as can be read in it";
        }
        throw Error(ErrorCode::usage, message + "; name the firefox executable of an installation or of a local build");
    }
    const ApplicationIni& application = found->application;
    if (!application.id.empty() && application.id != kFirefoxId) {
        throw Error(ErrorCode::usage, binary.string() + " is not a Firefox but " +
                                          (application.name.empty() ? "another program" : application.name) +
                                          "; name the firefox executable of an installation or of a local build");
    }
    return *found;
}

bool in_object_folder(const fs::path& launcher) {
    const fs::path bin = launcher.parent_path();
    const fs::path dist = bin.parent_path();
    return bin.filename() == "bin" && dist.filename() == "dist" &&
           dist.parent_path().filename().string().starts_with("obj-");
}

HashCache::HashCache(fs::path file) : file_(std::move(file)) {
    if (file_.empty()) return;
    const auto text = host::read_text(file_);
    if (!text) return;
    // Anybody may have edited it: what is no sum is left out, and a file that is no JSON is an empty one.
    const auto json = document::Json::parse(*text, nullptr, false);
    if (!json.is_object()) return;
    for (const auto& [key, value] : json.items()) {
        if (value.is_string() && value.get_ref<const std::string&>().size() == 64) sums_[key] = value;
    }
}

std::string HashCache::sum_of(const std::vector<fs::path>& files) {
    const std::string key = cache_key(files);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = sums_.find(key); known != sums_.end()) return known->second;
    }
    host::Sha256 hash;
    for (const fs::path& file : files) hash.update_file(file);
    std::string sum = hash.hex();
    // A file that was replaced while it was read must not be remembered under either of its identities.
    if (cache_key(files) != key) return sum;

    const std::lock_guard lock(mutex_);
    if (sums_.size() >= kCachedSums) sums_.clear();
    sums_[key] = sum;
    save_locked();
    return sum;
}

void HashCache::save_locked() const {
    if (file_.empty()) return;
    std::error_code ignored;
    fs::create_directories(file_.parent_path(), ignored);
    fs::path temporary = file_;
    temporary += "." + std::to_string(::getpid());
    std::ofstream stream(temporary, std::ios::trunc);
    stream << document::Json(sums_).dump(1) << '\n';
    stream.close();
    if (stream) fs::rename(temporary, file_, ignored);
    fs::remove(temporary, ignored);
}

document::Browser identify(const Installation& installation, HashCache& cache) {
    const ApplicationIni& application = installation.application;
    document::Browser browser;
    if (!application.name.empty()) browser.name = application.name;
    browser.version = application.version;
    browser.build_id = if_given(application.build_id);
    browser.source_repository = if_given(application.source_repository);
    browser.source_stamp = if_given(application.source_stamp);
    browser.binary = installation.launcher.string();
    browser.sha256 = cache.sum_of(installation.identifying_files());
    browser.local_build = in_object_folder(installation.launcher);
    return browser;
}

}  // namespace foxbench::browser
