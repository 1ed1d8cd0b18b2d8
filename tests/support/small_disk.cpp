#include "tests/support/small_disk.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

namespace foxbench::testing_support {
namespace {

constexpr const char* kBallast = "ballast";

}  // namespace

SmallDisk::SmallDisk(std::filesystem::path folder) : folder_(std::move(folder)) {}

SmallDisk::SmallDisk(SmallDisk&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}

SmallDisk& SmallDisk::operator=(SmallDisk&& other) noexcept {
    std::swap(folder_, other.folder_);
    return *this;
}

SmallDisk::~SmallDisk() {
    // Lazily: a process that was just killed may still be letting go of its files.
    if (!folder_.empty()) umount2(folder_.c_str(), MNT_DETACH);
}

std::optional<SmallDisk> SmallDisk::mount_at(const std::filesystem::path& folder, std::size_t mebibytes) {
    std::filesystem::create_directories(folder);
    const auto size = "size=" + std::to_string(mebibytes) + "m";
    if (mount("tmpfs", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, size.c_str()) != 0) return std::nullopt;
    return SmallDisk(folder);
}

void SmallDisk::fill() const {
    const int file = open((folder_ / kBallast).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) throw std::runtime_error("no file to fill the disk with");
    // In ever smaller pieces, to the last one.
    for (std::size_t piece = std::size_t{1} << 20; piece > 0; piece /= 2) {
        const std::vector<char> bytes(piece);
        while (write(file, bytes.data(), bytes.size()) > 0) {
        }
    }
    close(file);
}

void SmallDisk::empty() const {
    std::filesystem::remove(folder_ / kBallast);
}

}  // namespace foxbench::testing_support
