#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "service/browser/preferences.hpp"
#include "service/document/run_document.hpp"

/// Profile folders: one temporary folder a launch, made from a template where there is one.
///
///     <profiles>/foxbench-XXXXXX/     a launch's profile, with an owner file
///     <profiles>/templates/<key>/     a warmed profile of one build with one set of preferences
namespace foxbench::browser {

/// A launch's own profile folder, removed with all that is in it. Move-only.
class Profile {
public:
    /// Makes a folder (mode 0700) in `profiles_folder`, which is made as well if need be: a copy of `template_folder`
    /// if that is not empty, and a user.js with `preferences`. Throws foxbench::Error (environment) saying which folder
    /// and why.
    [[nodiscard]] static Profile create(const std::filesystem::path& profiles_folder, const Preferences& preferences,
                                        const std::filesystem::path& template_folder = {});

    /// No folder.
    Profile() noexcept = default;
    Profile(Profile&& other) noexcept;
    Profile& operator=(Profile&& other) noexcept;
    /// Removes the folder, with one try; what stays is for the sweep.
    ~Profile();

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
    /// Removes the folder; true when it is gone. May be called again after a failure: a browser's last process may
    /// still write into it for a moment (puppeteer#6456).
    [[nodiscard]] bool remove() noexcept;
    /// Gives the folder up: it is the caller's from now on.
    [[nodiscard]] std::filesystem::path release() noexcept;

private:
    explicit Profile(std::filesystem::path folder) noexcept : folder_(std::move(folder)) {}

    std::filesystem::path folder_;
};

/// What a sweep did.
struct SweepReport {
    std::vector<std::filesystem::path> removed;
    std::vector<std::filesystem::path> stuck;  ///< orphaned, but could not be removed
};

/// Removes the profiles in `profiles_folder` whose owner is gone (cases.md 2). A folder without an owner file of ours
/// is never touched, nor is anything that is a link. A `profiles_folder` that is not there is swept already. Any
/// thread; never throws for single folders.
SweepReport sweep(const std::filesystem::path& profiles_folder);

/// The name of the template of a build with these preferences: 32 hexadecimal digits. Pure.
[[nodiscard]] std::string template_key(const document::Browser& build, const Preferences& preferences);

/// <profiles>/templates/<key>.
[[nodiscard]] std::filesystem::path template_folder(const std::filesystem::path& profiles_folder,
                                                    const std::string& key);

/// Whether the template is there and whole; marks it as used now.
[[nodiscard]] bool use_template(const std::filesystem::path& folder);

/// Makes a template of a profile whose browser has ended: without `storage/` (each launch starts with an empty one),
/// locks, session and crash files; in one step, so that nobody ever sees a part of one. One that is there already
/// stays. Throws foxbench::Error (environment).
void publish_template(Profile profile, const std::filesystem::path& folder);

/// Keeps the `kept` templates used last, and every one used in the last hour, since another process may be copying it.
void prune_templates(const std::filesystem::path& profiles_folder, std::size_t kept = 8);

}  // namespace foxbench::browser
