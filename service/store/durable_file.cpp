#include "service/store/durable_file.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "service/error.hpp"

namespace foxbench::store {
namespace {

[[noreturn]] void fail(const std::string& what, const std::filesystem::path& path, int error) {
    const char* advice = error == ENOSPC || error == EDQUOT ? "free space on its disk"
                         : error == EIO                     ? "the disk reported an error: see the kernel's log"
                                                            : "use a results folder that this user can write";
    throw Error(ErrorCode::environment, "could not " + what + " " + path.string() + ": " +
                                            std::generic_category().message(error) + "; " + advice);
}

/// A descriptor that is closed at the end.
class Descriptor {
public:
    Descriptor(const std::filesystem::path& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {
        if (fd_ < 0) fail("open", path, errno);
    }
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_;
};

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.parent_path().empty() ? "." : path.parent_path();
}

/// The new name exists, and nothing had it before.
bool rename_to_free_name(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno == EEXIST) return false;
    if (errno != EINVAL && errno != ENOSYS) fail("rename to", to, errno);
    // The filesystem cannot do it in one step (NFS).
    if (std::filesystem::exists(to)) return false;
    if (rename(from.c_str(), to.c_str()) != 0) fail("rename to", to, errno);
    return true;
}

void write_all(int fd, std::string_view content, const std::filesystem::path& path) {
    while (!content.empty()) {
        const ssize_t written = write(fd, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write", path, errno);
        content.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

void make_directories(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) fail("make the folder", directory, error.value());
    if (!std::filesystem::is_directory(directory, error)) fail("make the folder", directory, ENOTDIR);
}

void sync_directory(const std::filesystem::path& directory) {
    const Descriptor folder(directory, O_RDONLY | O_DIRECTORY);
    if (fsync(folder.get()) != 0) fail("sync", directory, errno);
}

void write_durably(const std::filesystem::path& path, std::string_view content) {
    // The PID keeps two processes that write the same file apart; the last one to rename wins, with a whole file.
    std::filesystem::path temporary = path;
    temporary += ".tmp" + std::to_string(getpid());
    try {
        const Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
        write_all(file.get(), content, temporary);
        if (fsync(file.get()) != 0) fail("sync", temporary, errno);
        if (rename(temporary.c_str(), path.c_str()) != 0) fail("replace", path, errno);
    } catch (...) {
        unlink(temporary.c_str());
        throw;
    }
    sync_directory(folder_of(path));
}

void publish_file(const std::filesystem::path& temporary, const std::filesystem::path& path, Existing existing) {
    {
        const Descriptor file(temporary, O_RDWR);
        if (fsync(file.get()) != 0) fail("sync", temporary, errno);
    }
    if (existing == Existing::refuse) {
        if (!rename_to_free_name(temporary, path))
            throw Error(ErrorCode::conflict, path.string() + " is there already; choose another name, or remove it");
    } else if (rename(temporary.c_str(), path.c_str()) != 0) {
        fail("replace", path, errno);
    }
    sync_directory(folder_of(path));
}

}  // namespace foxbench::store
