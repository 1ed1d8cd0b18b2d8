#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

/// Which process something belongs to, in words that stay true after it has ended.
namespace foxbench::store {

/// Names a process for ever: boot, PID namespace, PID and the time of its start in clock ticks ("boot namespace pid
/// start"), since PIDs are used again. Empty where there is no such process. Reads /proc.
[[nodiscard]] std::string identify_process(pid_t pid);
/// The calling process.
[[nodiscard]] std::string identify_self();

/// Whether the process is certainly gone: its machine has started again since, or its PID is free or another process's.
/// A process of another PID namespace (a container with the same results folder) cannot be seen from here and counts as
/// alive.
[[nodiscard]] bool is_gone(std::string_view identity);

/// The PID in an identity, for messages; "?" where it is none.
[[nodiscard]] std::string pid_of(std::string_view identity);

}  // namespace foxbench::store
