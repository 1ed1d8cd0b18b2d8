#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/document/run_document.hpp"
#include "service/host/disk.hpp"

/// The machine and the filesystem that a run is measured on. Everything here may be called from any thread.
namespace foxbench::host {

/// This machine, as a run document states it: name, a hashed id, processor, threads, memory, system, kernel,
/// architecture. Never throws for a fact that cannot be found: it is then absent.
[[nodiscard]] document::Host read_host();

/// 16 hexadecimal digits that name a machine without telling its machine-id, as machine-id(5) asks for: the beginning
/// of a SHA-256 over a prefix of foxbench's own and the id. Empty for an empty id.
[[nodiscard]] std::string hashed_machine_id(std::string_view machine_id);

/// The processor's name out of /proc/cpuinfo: "model name" on x86; on arm64, which has none, the vendor's and the
/// core's name by their codes ("Arm Neoverse-N1"). Nothing when neither is there.
[[nodiscard]] std::optional<std::string> parse_cpu_model(std::string_view cpuinfo);

/// A member of /proc/meminfo in bytes ("MemTotal", "MemAvailable").
[[nodiscard]] std::optional<std::uint64_t> parse_meminfo_bytes(std::string_view meminfo, std::string_view member);

/// "x64" for x86_64, "arm64" for aarch64, else the word as it is.
[[nodiscard]] std::string architecture(std::string_view machine);

/// The numbers of the processors that are switched on, ascending. Empty where the system does not tell. A process may
/// have to do with fewer, where a cpuset withholds some.
[[nodiscard]] std::vector<int> online_processors();

/// One line of /proc/self/mountinfo (proc(5)), its octal escapes undone.
struct Mount {
    std::string device_number;  ///< "254:0"
    std::string mount_point;
    std::string filesystem;  ///< "ext4", "tmpfs"
    std::string source;      ///< "/dev/vda"
    std::string options;     ///< of the mount and of the filesystem, each once, comma-separated
};
[[nodiscard]] std::vector<Mount> parse_mountinfo(std::string_view text);

/// The mount that `path` (absolute, without links) lies on: of the longest mount points that hold it the last one
/// mounted, since that hides the others. Nothing when no mount point holds it.
[[nodiscard]] std::optional<Mount> mount_of(const std::vector<Mount>& mounts, const std::filesystem::path& path);

/// The filesystem of a folder, and as its member `disk` what it lies on (disk.hpp), where that can be seen. A folder
/// that is not there yet is judged by its nearest parent that is.
[[nodiscard]] document::Profiles read_profiles(const std::filesystem::path& folder);

/// The block devices under a folder's filesystem, as read_disk_layers() gives them.
[[nodiscard]] std::vector<DiskLayer> read_disk_of(const std::filesystem::path& folder);

/// Whether syncs cost nothing on it because it lives in memory (cases.md 33): tmpfs or ramfs.
[[nodiscard]] bool is_tmpfs(const document::Profiles& profiles);

/// Bytes that an ordinary user may still write on the filesystem of `folder` (or of its nearest parent). Nothing when
/// unknown.
[[nodiscard]] std::optional<std::uint64_t> free_bytes(const std::filesystem::path& folder);

}  // namespace foxbench::host
