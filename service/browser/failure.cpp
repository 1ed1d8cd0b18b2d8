#include "service/browser/failure.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "service/host/procfs.hpp"

namespace foxbench::browser {

namespace {

struct KnownText {
    std::string_view text;  ///< as Firefox, its toolkit or the dynamic linker write it
    ErrorCode code;
    std::string_view explanation;
};

/// Texts of Firefox ESR 140 and 153, GTK 3 and glibc. An unknown text is quoted in the message all the same.
constexpr std::array kKnownTexts{
    KnownText{
        "is already running, but is not responding", ErrorCode::environment,
        "the profile is in use by another Firefox or cannot be written to; check the folder for profiles and its disk"},
    KnownText{"Failed to start HTTP server on port", ErrorCode::environment,
              "the port for remote control is taken; leave the port to foxbench"},
    KnownText{
        "as root in a regular user's session is not supported", ErrorCode::environment,
        "foxbench runs as root with the HOME of another user; set HOME to root's own, or run foxbench as that user"},
    KnownText{
        "no DISPLAY environment variable specified", ErrorCode::environment,
        "a browser with windows needs a display and there is none; leave out `headed: true`, or run under xvfb-run"},
    KnownText{"cannot open display", ErrorCode::environment,
              "the display cannot be opened; leave out `headed: true`, or set DISPLAY to one that is there"},
    KnownText{"requires a path to a directory", ErrorCode::environment, "the profile's folder is gone"},
    KnownText{"profile cannot be loaded", ErrorCode::environment, "the profile's folder is gone or cannot be read"},
    KnownText{"error while loading shared libraries", ErrorCode::environment,
              "a library is missing; install Firefox's dependencies (apt-get install firefox-esr brings them)"},
    KnownText{"Couldn't load XPCOM", ErrorCode::environment,
              "libxul.so cannot be loaded; the build is not finished, or a library is missing"},
    KnownText{"No space left on device", ErrorCode::environment, "the disk is full"},
};

constexpr std::string_view kListening = "WebDriver BiDi listening on ";

/// What every headless start writes.
constexpr std::array<std::string_view, 2> kMeaningless{
    "*** You are running in headless mode.", "[GFX1-]: RenderCompositorSWGL failed mapping default framebuffer, no dt"};

constexpr std::size_t kQuotedCharacters = 400;

const KnownText* known_in(const FailedLaunch& failed) {
    for (const KnownText& known : kKnownTexts) {
        if (failed.error_tail.find(known.text) != std::string::npos ||
            failed.output_tail.find(known.text) != std::string::npos) {
            return &known;
        }
    }
    return nullptr;
}

ErrorCode code_of(const FailedLaunch& failed) {
    const KnownText* known = known_in(failed);
    if (known) return known->code;
    return failed.snap ? ErrorCode::environment : ErrorCode::browser;
}

std::string message_of(const FailedLaunch& failed) {
    std::string message = failed.binary.string() + " " + failed.what;
    if (failed.exit) message += " (" + failed.exit->describe() + ")";
    if (const KnownText* known = known_in(failed)) {
        message += ": " + std::string(known->explanation);
    } else if (failed.snap) {
        message +=
            ": it is a snap, which cannot see profiles in foxbench's folder; install Firefox as a package or an "
            "archive";
    }
    std::string said = last_lines(failed.error_tail);
    if (said.empty()) said = last_lines(failed.output_tail);
    return message + (said.empty() ? "; it wrote nothing" : "; it wrote: " + said);
}

}  // namespace

LaunchError::LaunchError(FailedLaunch failed)
    : Error(code_of(failed), message_of(failed)), failed_(std::move(failed)) {}

std::optional<std::string> parse_listening_line(std::string_view line) {
    const auto start = line.find(kListening);
    if (start == std::string_view::npos) return std::nullopt;
    const std::string_view rest = host::trimmed(line.substr(start + kListening.size()));
    const std::string_view url = rest.substr(0, rest.find_first_of(" \t\r"));
    if (!url.starts_with("ws://")) return std::nullopt;
    return std::string(url);
}

std::string last_lines(std::string_view log, std::size_t count) {
    std::vector<std::string_view> lines;
    while (!log.empty() && lines.size() < count) {
        const auto end = log.rfind('\n');
        const std::string_view line = host::trimmed(end == std::string_view::npos ? log : log.substr(end + 1));
        if (!line.empty() && std::find(kMeaningless.begin(), kMeaningless.end(), line) == kMeaningless.end())
            lines.push_back(line);
        log = end == std::string_view::npos ? std::string_view() : log.substr(0, end);
    }
    std::string text;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (!text.empty()) text += " | ";
        text += *line;
    }
    if (text.size() > kQuotedCharacters) text = "..." + text.substr(text.size() - kQuotedCharacters);
    return text;
}

}  // namespace foxbench::browser
