#include "service/browser/command_line.hpp"

#include <algorithm>
#include <array>

#include <unistd.h>

#include "service/error.hpp"

namespace foxbench::browser {

namespace {

/// With these a crash of a content process ends the browser, which would otherwise go on with a dead tab and say
/// nothing (firefox-bidi.md, finding 3), and nothing is reported to Mozilla.
constexpr std::array<const char*, 3> kSetVariables{"MOZ_CRASHREPORTER", "MOZ_CRASHREPORTER_NO_REPORT",
                                                   "MOZ_CRASHREPORTER_SHUTDOWN"};
/// A foxbench started from within a snap must not make its browser believe that it is one.
constexpr std::array<const char*, 2> kRemovedVariables{"SNAP_NAME", "SNAP_INSTANCE_NAME"};

/// What decides things that a launch decides.
constexpr std::array<std::string_view, 5> kReservedArguments{"profile", "P", "ProfileManager", "remote-debugging-port",
                                                             "no-remote"};

}  // namespace

void check_arguments(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
        std::string_view name = argument;
        while (name.starts_with('-')) name.remove_prefix(1);
        name = name.substr(0, name.find('='));
        if (!argument.starts_with('-')) continue;
        if (std::find(kReservedArguments.begin(), kReservedArguments.end(), name) != kReservedArguments.end()) {
            throw Error(ErrorCode::usage, "a target's arguments cannot have " + argument +
                                              ": foxbench gives each launch a profile "
                                              "and a port of its own; leave it out");
        }
    }
}

std::map<std::string, std::string> launch_environment(const std::map<std::string, std::string>& target,
                                                      const std::string& marker) {
    std::map<std::string, std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (const auto equals = text.find('='); equals != std::string_view::npos) {
            environment.emplace(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    for (const char* name : kRemovedVariables) environment.erase(name);
    for (const char* name : kSetVariables) environment[name] = "1";
    for (const auto& [name, value] : target) environment[name] = value;
    environment[std::string(kLaunchVariable)] = marker;
    return environment;
}

std::vector<std::string> launch_arguments(const std::filesystem::path& profile, bool headed,
                                          const std::vector<std::string>& target, const std::string& first_page) {
    std::vector<std::string> arguments;
    if (!headed) arguments.emplace_back("--headless");
    arguments.insert(arguments.end(), {"--no-remote", "--remote-debugging-port=0", "--profile", profile.string()});
    arguments.insert(arguments.end(), target.begin(), target.end());
    if (!first_page.empty()) arguments.push_back(first_page);
    return arguments;
}

}  // namespace foxbench::browser
