#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/browser/find.hpp"
#include "service/document/run_document.hpp"

/// Which build of Firefox a program is.
namespace foxbench::browser {

/// The members of application.ini that identify a build.
struct ApplicationIni {
    std::string name, id, version, build_id, source_repository, source_stamp;  ///< empty where the file has none
};
[[nodiscard]] ApplicationIni parse_application_ini(std::string_view text);

/// Where a Firefox is installed.
struct Installation {
    std::filesystem::path launcher;  ///< the executable itself, links and start scripts resolved
    std::filesystem::path folder;    ///< holds application.ini and libxul.so
    ApplicationIni application;

    /// What the build's SHA-256 goes over, in this order, files that are not there left out: launcher, libxul.so,
    /// omni.ja, browser/omni.ja. The last is the browser's own front end, which a packaged build keeps apart from the
    /// platform's; a build that was not packaged has neither archive.
    [[nodiscard]] std::vector<std::filesystem::path> identifying_files() const;
};

/// Finds the installation that starting `binary` would use, without starting anything: links are followed; a start
/// script is read for what it executes (`exec NAME`, `exec /path`, the `$0.real` of a diverted program, and any
/// absolute path in it that leads to an installation, which is how distributions' longer scripts name theirs). Throws
/// foxbench::Error (usage) when that is no Firefox.
[[nodiscard]] Installation locate_installation(const std::filesystem::path& binary,
                                               const SearchEnvironment& environment = SearchEnvironment::current());

/// Whether a program lies in the dist/bin of an object folder (`obj-*`).
[[nodiscard]] bool in_object_folder(const std::filesystem::path& launcher);

/// Remembers SHA-256 sums of files by device, inode, size and time of change, since hashing a libxul takes half a
/// second. Kept in a small JSON file between processes; a file that cannot be read or written only costs the time.
/// Thread-safe.
class HashCache {
public:
    /// An empty path keeps the cache in memory only.
    explicit HashCache(std::filesystem::path file = {});

    /// One sum over the files' contents, one after the other: `cat FILES | sha256sum`. Throws foxbench::Error
    /// (environment) when one cannot be read.
    [[nodiscard]] std::string sum_of(const std::vector<std::filesystem::path>& files);

private:
    void save_locked() const;

    std::filesystem::path file_;
    mutable std::mutex mutex_;
    std::map<std::string, std::string> sums_;  ///< what identifies the files -> their sum
};

/// A build's identity as a run document states it. `binary` names the launcher. Takes up to a second when the sum is
/// not cached; any thread. Throws as locate_installation and HashCache::sum_of.
[[nodiscard]] document::Browser identify(const Installation& installation, HashCache& cache);

}  // namespace foxbench::browser
