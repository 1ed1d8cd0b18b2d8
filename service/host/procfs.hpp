#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

/// What Linux tells in /proc. Parsers are pure functions of the text; readers open the file and give nothing (never
/// throw) when it is not there, since a process may end and a kernel may lack a file at any time.
namespace foxbench::host {

/// One line of /proc/PID/stat (proc(5)), as far as it is used here. Times are in clock ticks (sysconf(_SC_CLK_TCK)).
struct ProcessStat {
    pid_t pid = 0;
    std::string command;  ///< up to 15 characters; may contain spaces and parentheses
    char state = '?';     ///< 'Z' is a process that ended and was not reaped
    pid_t parent = 0;
    pid_t group = 0;
    pid_t session = 0;
    std::uint64_t user_ticks = 0, system_ticks = 0;
    std::uint64_t children_user_ticks = 0, children_system_ticks = 0;  ///< of children that were waited for
    std::uint64_t started_ticks = 0;  ///< after the machine's start: together with the pid it names a process
};

[[nodiscard]] std::optional<ProcessStat> parse_process_stat(std::string_view text);
[[nodiscard]] std::optional<ProcessStat> read_process_stat(pid_t pid);
/// Every process that can be seen, in no order; takes some microseconds for each.
[[nodiscard]] std::vector<ProcessStat> read_all_process_stats();

/// The pids whose environment, as it was at their exec, has exactly this entry ("NAME=value"). Processes of other users
/// are left out where this one may not look.
[[nodiscard]] std::vector<pid_t> processes_with_environment(std::string_view entry);

/// A file's whole text, for files of /proc and /sys whose size is not known before. Nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_text(const std::filesystem::path& file);

/// Without white space at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace foxbench::host
