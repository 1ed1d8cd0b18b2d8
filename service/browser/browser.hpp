#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "bidi/connection.hpp"
#include "bidi/modules/session.hpp"
#include "bidi/task.hpp"
#include "service/browser/preferences.hpp"
#include "service/browser/process.hpp"
#include "service/browser/profile.hpp"
#include "service/document/run_document.hpp"

/// A running Firefox with its profile and its BiDi session (firefox-bidi.md, "Start" and "End").
namespace foxbench::browser {

/// How long each step may take. A cold first start was seen to take over nine seconds on other people's machines.
struct Deadlines {
    std::chrono::milliseconds listening{30'000};  ///< from the start to the line that tells the port
    std::chrono::milliseconds session{30'000};    ///< from there to the session and the first tab
    std::chrono::milliseconds close{5'000};       ///< from browser.close to the process's end
    std::chrono::milliseconds terminate{2'000};   ///< from SIGTERM to the process's end
    std::chrono::milliseconds kill{10'000};   ///< from SIGKILL to the process's end: only a hanging disk can need it
    std::chrono::milliseconds remove{3'000};  ///< for removing the profile; the crash helper lingers up to two seconds
};

struct LaunchOptions {
    LaunchOptions() = default;  // no aggregate: GCC 12 copies those byte by byte within a co_await expression

    std::filesystem::path binary;  ///< absolute; see find_binary
    std::filesystem::path profiles_folder;
    std::filesystem::path template_folder;           ///< see profile_template.hpp; empty: a new profile
    Preferences preferences;                         ///< see effective_preferences
    std::map<std::string, std::string> environment;  ///< over this process's and over what a launch sets
    std::vector<std::string> arguments;  ///< after those of a launch; must not choose the profile or the port
    /// What the first tab loads while the browser is still starting, so that the page's process is there when the
    /// session is; nothing has come of it for certain when launch returns. Empty: nothing.
    std::string first_page;
    std::vector<int> processors;  ///< that its processes may run on; empty: as this process
    bool headed = false;          ///< with windows: needs a display
    Deadlines deadlines;
    bidi::ConnectionOptions connection;  ///< explain_loss is the browser's own unless it is set
};

/// Milliseconds of the last launch, on the steady clock.
struct LaunchTimings {
    double profile_ms = 0;             ///< making the profile folder, or copying the template
    double spawn_to_listening_ms = 0;  ///< until the line that tells the port
    double to_session_ms = 0;          ///< from there to the session and the first tab
    int starts = 1;                    ///< 2 when a foreign session made the first one useless
};

enum class StopMode {
    polite,  ///< begin with browser.close, so that the profile is written
    signal   ///< begin with SIGTERM
};

/// How a browser ended.
struct StopReport {
    std::optional<ExitStatus> exit;      ///< nothing when it could not even be killed
    std::string ended_by;                ///< the step that ended it: "itself", "browser.close", "SIGTERM", "SIGKILL"
    double took_ms = 0;                  ///< without the removal of the profile
    std::filesystem::path profile_left;  ///< not empty: could not be removed, a later sweep will
    std::vector<pid_t>
        processes_left;  ///< of the browser's processes, also outside its group, but for its crash helper
};

/// One browser process, its profile and its session. Made by launch, ended by stop. Not thread-safe: everything on the
/// executor's one thread.
class Browser {
public:
    /// Starts a browser and its session, and finds its first tab. When any of it fails, or on cancellation, the process
    /// is ended and the profile removed before this throws: LaunchError (failure.hpp) for a browser that did not start,
    /// whose message says what is known about such an end; foxbench::Error with `environment` for a folder that cannot
    /// be made, `usage` for arguments that a launch sets itself. Whole launches are not retried, but for one new start
    /// when somebody else's session sits in the browser (webdriverio#14299).
    ///
    /// A `profile` that is there is used instead of a new one; template and preferences are not looked at then.
    [[nodiscard]] static bidi::Task<std::unique_ptr<Browser>> launch(LaunchOptions options,
                                                                     Profile profile = Profile());

    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;
    /// Without a stop before: kills the process group and waits for its end, then removes the profile, blocking.
    ~Browser();

    [[nodiscard]] bidi::Connection& connection() noexcept { return *connection_; }
    [[nodiscard]] const bidi::session::NewResult& session() const noexcept { return session_; }
    /// The tab that the browser opened by itself.
    [[nodiscard]] const std::string& first_context() const noexcept { return first_context_; }
    [[nodiscard]] const LaunchTimings& timings() const noexcept { return timings_; }
    [[nodiscard]] const std::filesystem::path& profile_folder() const noexcept { return profile_.folder(); }
    /// The process, its tails and its exit status.
    [[nodiscard]] Process& process() noexcept { return *process_; }
    /// The executable that runs, from /proc: to be compared with Installation::launcher. Empty when the process has
    /// ended.
    [[nodiscard]] std::filesystem::path executable() const;
    /// All processes that descend from this launch, its crash helper too.
    [[nodiscard]] std::vector<pid_t> processes() const;

    /// Why the browser ended, as bidi::CrashedError with exit status and log, if it ends within `grace`; else null. To
    /// be asked after a call failed: a content process that crashes takes the browser with it, but pending calls may be
    /// answered with `no such frame` some moments before.
    [[nodiscard]] bidi::Task<std::shared_ptr<bidi::Error>> crash_within(std::chrono::milliseconds grace) const;

    /// Ends the browser and removes the profile: browser.close, SIGTERM, SIGKILL, each with its deadline, whatever the
    /// answers (puppeteer#15468). Never throws for a browser that resists; the report says what is left. Cancellation
    /// does not stop it once it runs; a coroutine that was cancelled before has to say `co_await
    /// this_coro::throw_if_cancelled(false)` first. Calling it again gives the first report.
    bidi::Task<StopReport> stop(StopMode mode = StopMode::polite);
    /// The same politely, but the profile is kept and given to the caller. Throws foxbench::Error (browser) when the
    /// browser did not end by being asked to, since its profile is then half-written.
    bidi::Task<Profile> stop_and_keep_profile();

private:
    explicit Browser(LaunchOptions options);

    bidi::Task<> start();
    bidi::Task<std::string> start_process();
    bidi::Task<> start_session(const std::string& url);
    bidi::Task<> find_first_context(std::chrono::steady_clock::time_point deadline);
    bidi::Task<> fail(std::string what);

    bidi::Task<> end_process(StopMode mode);
    bidi::Task<> remove_profile();
    bidi::Task<> end(StopMode mode, bool keep_profile);
    bidi::Task<> end_uncancelled(StopMode mode, bool keep_profile);

    LaunchOptions options_;
    std::string token_;  ///< what marks this launch's processes in their environment
    Profile profile_;
    std::shared_ptr<Process> process_;
    std::shared_ptr<bidi::Connection> connection_;
    bidi::session::NewResult session_;
    std::string first_context_;
    LaunchTimings timings_;
    std::optional<StopReport> stopped_;
};

}  // namespace foxbench::browser
