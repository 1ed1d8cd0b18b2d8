#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Which program is meant by what a user wrote.
namespace foxbench::browser {

/// What a search depends on, as values so that it can be tested.
struct SearchEnvironment {
    std::string path;                 ///< folders, colon-separated, as in $PATH
    std::filesystem::path home;       ///< what ~ means
    std::filesystem::path directory;  ///< what a relative path starts from

    /// This process's.
    [[nodiscard]] static SearchEnvironment current();
};

/// The absolute path of the program that `spec` means, links unresolved:
/// - empty: the first of `firefox`, `firefox-esr` on the path;
/// - without a slash: that name on the path;
/// - else a path (`~/` and `~` are the home folder). A folder is a local build, its object folder or the dist/bin in
/// it, or an
///   unpacked archive: the `firefox` in it.
/// Throws foxbench::Error saying what was tried and what to do: `environment` for the empty spec, else `usage`. Any
/// thread.
[[nodiscard]] std::filesystem::path find_binary(std::string_view spec,
                                                const SearchEnvironment& environment = SearchEnvironment::current());

/// The first executable file `name` on `path`; empty when there is none. An empty member of the path is `directory`.
[[nodiscard]] std::filesystem::path find_on_path(std::string_view name, const SearchEnvironment& environment);

/// Whether starting this program starts a snap: it lies in /snap, links to the snap program, or is a script that
/// executes something in /snap/bin. A snap cannot see profiles outside its own folders, and says nothing about it
/// (cases.md 9).
[[nodiscard]] bool is_snap(const std::filesystem::path& binary);

}  // namespace foxbench::browser
