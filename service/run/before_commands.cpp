#include "service/run/before_commands.hpp"

#include <chrono>

#include <boost/asio.hpp>
#include <unistd.h>

#include "service/browser/process.hpp"
#include "service/error.hpp"

extern char** environ;

namespace foxbench::run {
namespace {

/// Downloading and unpacking a browser over a slow line takes minutes; a script that hangs must not hold the queue for
/// ever.
constexpr std::chrono::hours kPatience{2};
/// Of what a command printed, what a reason can hold: its last lines say what went wrong.
constexpr std::size_t kShownBytes = 600;
constexpr std::chrono::milliseconds kDrain{500};

std::map<std::string, std::string> own_environment() {
    std::map<std::string, std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (const auto equals = text.find('='); equals != std::string::npos)
            environment[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return environment;
}

std::string end_of(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    if (text.size() > kShownBytes) text = "..." + text.substr(text.size() - kShownBytes);
    return text;
}

bidi::Task<> run_one(std::string command, std::filesystem::path folder, std::function<void(const std::string&)> tell) {
    tell("before: " + command);
    browser::ProcessOptions options;
    options.executable = "/bin/sh";
    // The folder as $0: quoting it is the shell's business that way.
    options.arguments = {"-c", "cd \"$0\" || exit 1; " + command, folder.string()};
    options.environment = own_environment();
    const auto process = browser::Process::spawn(co_await boost::asio::this_coro::executor, std::move(options));
    const auto exit = co_await process->wait_until(std::chrono::steady_clock::now() + kPatience);
    if (exit) co_await process->drain(kDrain);
    const std::string printed = end_of(process->output_tail() + process->error_tail());
    if (!printed.empty()) tell("before: " + command + ": " + printed);
    if (exit && exit->code == 0) co_return;
    const std::string how = exit ? "ended with " + exit->describe() : "did not end within two hours";
    throw Error(ErrorCode::environment,
                "before: '" + command + "' " + how + (printed.empty() ? "; it printed nothing" : ": " + printed));
}

}  // namespace

bidi::Task<> run_before_commands(std::vector<std::string> commands, std::filesystem::path folder,
                                 std::function<void(const std::string&)> tell) {
    for (const auto& command : commands) co_await run_one(command, folder, tell);
}

}  // namespace foxbench::run
