#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

/// What the tests in this folder share.
namespace foxbench::browser::testing {

/// A folder that is removed at the end. It lies on the disk that tests are built on, since /tmp may be a tmpfs.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::current_path() / "foxbench-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = pattern;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    /// Writes a file, with its folders.
    std::filesystem::path write(const std::filesystem::path& name, std::string_view content) const {
        const auto file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << content;
        return file;
    }

    /// Writes a file that can be executed.
    std::filesystem::path write_program(const std::filesystem::path& name, std::string_view content) const {
        const auto file = write(name, content);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return file;
    }

private:
    std::filesystem::path path_;
};

/// Waits until a process that is no child of this one has ended; fails the test when it does not.
inline void expect_end_of(pid_t pid) {
    constexpr int kHangBoundMs = 60'000;
    const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (descriptor < 0) return;  // it is gone
    pollfd poll{descriptor, POLLIN, 0};
    EXPECT_EQ(::poll(&poll, 1, kHangBoundMs), 1) << "process " << pid << " goes on";
    ::close(descriptor);
}

}  // namespace foxbench::browser::testing
