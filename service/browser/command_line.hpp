#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What a browser is started with (firefox-bidi.md, "Start").
namespace foxbench::browser {

/// Marks all processes of a launch in their environment, since some leave the process group.
inline constexpr std::string_view kLaunchVariable = "FOXBENCH_LAUNCH";

/// Refuses a target's arguments that decide what a launch decides: the profile and the port. Throws foxbench::Error
/// (usage).
void check_arguments(const std::vector<std::string>& arguments);

/// A launch's arguments, then those of the target, then the address of the first page if there is one.
[[nodiscard]] std::vector<std::string> launch_arguments(const std::filesystem::path& profile, bool headed,
                                                        const std::vector<std::string>& target,
                                                        const std::string& first_page = {});

/// A launch's whole environment: this process's, what makes crashes seen over it, the target's over both, and the
/// marker.
[[nodiscard]] std::map<std::string, std::string> launch_environment(const std::map<std::string, std::string>& target,
                                                                    const std::string& marker);

}  // namespace foxbench::browser
