#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "service/document/run_document.hpp"

/// What lies under a filesystem: volumes, encryption, RAID, disks. It decides what a sync costs.
namespace foxbench::host {

/// One block device, as /sys/block tells of it. What it does not tell is empty.
struct DiskLayer {
    std::string name;                        ///< "dm-1", "md0", "nvme0n1"
    std::optional<std::string> kind;         ///< of a device-mapper or RAID device: "lvm", "crypt", "raid1"
    std::optional<std::string> write_cache;  ///< "write back": syncs flush it; "write through": they have nothing to do
    std::optional<std::string> scheduler;    ///< of its queue: "none", "mq-deadline"
};

/// The layers under the block device with this number ("254:0"), from the filesystem down to the disks, each once.
/// Empty for a filesystem that lies on no block device. Never throws; callable from any thread. `sys` is where /sys is.
[[nodiscard]] std::vector<DiskLayer> read_disk_layers(const std::string& device_number,
                                                      const std::filesystem::path& sys = "/sys");

/// The number of a block device file ("/dev/vda1"), for filesystems whose own number is none of a device (btrfs).
/// Nothing for what is no such file.
[[nodiscard]] std::optional<std::string> number_of_device(const std::filesystem::path& file);

/// The choice of a kernel's list, which stands in brackets: "mq-deadline" of "[mq-deadline] none".
[[nodiscard]] std::optional<std::string> parse_chosen(std::string_view list);

/// The member `disk` of a run document's `profiles`: an array of {"name", "kind"?, "write_cache"?, "scheduler"?}.
[[nodiscard]] document::Json to_json(const std::vector<DiskLayer>& layers);

/// The same in a line: "dm-1 (crypt) on nvme0n1 (write back, scheduler none)".
[[nodiscard]] std::string in_words(const std::vector<DiskLayer>& layers);

}  // namespace foxbench::host
