#include "service/host/procfs.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

namespace foxbench::host {

namespace fs = std::filesystem;

namespace {

/// The pid that an entry of /proc stands for, if it is a process at all.
std::optional<pid_t> pid_of(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (fault != std::errc{} || end != name.data() + name.size()) return std::nullopt;
    return pid;
}

std::vector<pid_t> all_pids() {
    std::vector<pid_t> pids;
    std::error_code ignored;
    for (fs::directory_iterator entry("/proc", ignored), end; entry != end; entry.increment(ignored)) {
        if (ignored) break;
        if (const auto pid = pid_of(*entry)) pids.push_back(*pid);
    }
    return pids;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n\f\v";
    const auto first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<std::string> read_text(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return std::nullopt;
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (stream.bad()) return std::nullopt;
    return text;
}

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
    // The command may hold any character, so it ends at the last parenthesis of the line.
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    ProcessStat stat;
    stat.command = text.substr(open + 1, close - open - 1);

    std::istringstream head{std::string(text.substr(0, open))};
    std::istringstream rest{std::string(text.substr(close + 1))};
    std::string skipped;
    const auto skip = [&](int fields) {
        for (int i = 0; i < fields; ++i) rest >> skipped;
    };
    head >> stat.pid;
    rest >> stat.state >> stat.parent >> stat.group >> stat.session;
    skip(7);  // tty_nr to cmajflt
    rest >> stat.user_ticks >> stat.system_ticks >> stat.children_user_ticks >> stat.children_system_ticks;
    skip(4);  // priority to itrealvalue
    rest >> stat.started_ticks;
    if (!head || !rest) return std::nullopt;
    return stat;
}

std::optional<ProcessStat> read_process_stat(pid_t pid) {
    const auto text = read_text("/proc/" + std::to_string(pid) + "/stat");
    return text ? parse_process_stat(*text) : std::nullopt;
}

std::vector<ProcessStat> read_all_process_stats() {
    std::vector<ProcessStat> stats;
    for (const pid_t pid : all_pids()) {
        if (auto stat = read_process_stat(pid)) stats.push_back(std::move(*stat));
    }
    return stats;
}

std::vector<pid_t> processes_with_environment(std::string_view entry) {
    std::vector<pid_t> found;
    for (const pid_t pid : all_pids()) {
        const auto environment = read_text("/proc/" + std::to_string(pid) + "/environ");
        if (!environment) continue;
        // A process that has ended but was not reaped has an empty environment, so it never matches.
        for (std::string_view rest = *environment; !rest.empty();) {
            const auto end = rest.find('\0');
            if (rest.substr(0, end) == entry) {
                found.push_back(pid);
                break;
            }
            if (end == std::string_view::npos) break;
            rest.remove_prefix(end + 1);
        }
    }
    return found;
}

}  // namespace foxbench::host
