#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bidi/json.hpp"

/// What the fake browser is told to do (tests/fake_browser/README.md). Pure, but for the reading of the file.
namespace foxbench::fake_browser {

using bidi::json;

/// What the browser does by itself at a place, among the actions of a rule.
inline constexpr std::string_view kDefault = "default";

struct Rule {
    std::string at;             ///< a command, or one of the other places
    std::string with;           ///< text that the command has to contain; empty: any
    std::optional<int> nth;     ///< the how manieth of its kind, from 1; absent: each of them
    std::optional<int> launch;  ///< see Script::decide; absent: every launch that measures
    std::vector<json> actions;  ///< each an object
};

class Script {
public:
    Script() = default;
    /// @param launch the how manieth launch that measures, from 1; 0 for one that has no page to load
    /// Throws std::runtime_error for what is no script.
    Script(const json& text, int launch);

    /// The actions for what happens now at this place, which is counted for each rule that fits it; nothing when no
    /// rule has to do with it. The first rule that fits decides.
    [[nodiscard]] std::optional<std::vector<json>> decide(std::string_view at, std::string_view what = {});

    /// Of every call of every series, in microseconds.
    [[nodiscard]] double latency_us() const noexcept { return latency_us_; }

private:
    std::vector<Rule> rules_;
    std::vector<int> seen_;  ///< how often each rule's place was come to
    double latency_us_ = 40;
};

/// Reads the script in `file`, and counts this launch in FILE.launches if it measures. Throws std::runtime_error.
[[nodiscard]] Script read_script(const std::filesystem::path& file, bool measures);

}  // namespace foxbench::fake_browser
