#include "service/host/fsync_probe.hpp"

#include <algorithm>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace foxbench::host {
namespace {

using Clock = std::chrono::steady_clock;

/// One name for all: what a process that was killed has left behind goes with the next probe.
constexpr const char* kFileName = ".fsync-probe";

/// A new file with a name, removed at the end: an unlinked one costs some filesystems less to sync.
class ProbeFile {
public:
    explicit ProbeFile(std::filesystem::path file) : file_(std::move(file)) {
        ::unlink(file_.c_str());
        descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    }
    ProbeFile(const ProbeFile&) = delete;
    ProbeFile& operator=(const ProbeFile&) = delete;
    ~ProbeFile() {
        if (descriptor_ < 0) return;
        ::unlink(file_.c_str());
        ::close(descriptor_);
    }

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

private:
    std::filesystem::path file_;
    int descriptor_ = -1;
};

}  // namespace

std::optional<FsyncProbe> probe_fsync(const std::filesystem::path& folder, std::chrono::milliseconds at_most) {
    const ProbeFile file(folder / kFileName);
    if (file.descriptor() < 0) return std::nullopt;
    // Not compressible, for filesystems that would store less; any bytes that differ do.
    std::vector<unsigned char> block(kFsyncProbeBytes);
    std::uint32_t state = 0x9e3779b9;
    for (auto& byte : block) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<unsigned char>(state >> 24U);
    }

    std::vector<double> latencies_us;
    latencies_us.reserve(kFsyncProbeWrites);
    const auto give_up = Clock::now() + at_most;
    do {
        const auto begin = Clock::now();
        if (::write(file.descriptor(), block.data(), block.size()) != static_cast<ssize_t>(block.size()) ||
            ::fsync(file.descriptor()) != 0) {
            return std::nullopt;
        }
        latencies_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    } while (latencies_us.size() < kFsyncProbeWrites && Clock::now() < give_up);

    const auto middle = latencies_us.begin() + static_cast<std::ptrdiff_t>(latencies_us.size() / 2);
    std::nth_element(latencies_us.begin(), middle, latencies_us.end());
    return FsyncProbe{*middle, static_cast<int>(latencies_us.size())};
}

}  // namespace foxbench::host
