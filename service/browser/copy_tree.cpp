#include "service/browser/copy_tree.hpp"

#include <cerrno>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

namespace foxbench::browser {

namespace fs = std::filesystem;

namespace {

struct File {
    int descriptor;

    explicit File(int opened) : descriptor(opened) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (descriptor >= 0) ::close(descriptor);
    }
};

std::error_code last_error() {
    return {errno, std::generic_category()};
}

/// Until the end of `source`. copy_file_range(2) is refused between some file systems, and sendfile(2) is what is left.
bool copy_content(int source, int target, off_t bytes) {
    bool use_sendfile = false;
    while (bytes > 0) {
        const auto wanted = static_cast<std::size_t>(bytes);
        const ssize_t copied = use_sendfile ? ::sendfile(target, source, nullptr, wanted)
                                            : ::copy_file_range(source, nullptr, target, nullptr, wanted, 0);
        if (copied == 0) return true;
        if (copied > 0) {
            bytes -= copied;
        } else if (!use_sendfile && (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)) {
            use_sendfile = true;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

std::error_code copy_regular_file(const fs::path& source, const fs::path& target) {
    const File from(::open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (from.descriptor < 0) return last_error();
    struct stat status {};
    if (::fstat(from.descriptor, &status) != 0) return last_error();
    const File to(::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (to.descriptor < 0) return last_error();
    if (::ioctl(to.descriptor, FICLONE, from.descriptor) == 0) return {};
    if (!copy_content(from.descriptor, to.descriptor, status.st_size)) return last_error();
    // Starts the writing, without waiting for it: left to the kernel it would begin seconds later, on the measured
    // disk, in the middle of a pass.
    static_cast<void>(::sync_file_range(to.descriptor, 0, 0, SYNC_FILE_RANGE_WRITE));
    return {};
}

}  // namespace

std::error_code copy_tree(const fs::path& source, const fs::path& target, std::string_view excluded) {
    std::error_code fault;
    for (fs::directory_iterator entry(source, fault), end; !fault && entry != end; entry.increment(fault)) {
        const fs::path name = entry->path().filename();
        if (name == excluded) continue;
        const fs::file_status status = entry->symlink_status(fault);
        if (fault) break;
        if (fs::is_directory(status)) {
            if (::mkdir((target / name).c_str(), 0700) != 0 && errno != EEXIST) return last_error();
            if (const auto inner = copy_tree(entry->path(), target / name)) return inner;
        } else if (fs::is_regular_file(status)) {
            if (const auto failed = copy_regular_file(entry->path(), target / name)) return failed;
        }
    }
    return fault;
}

}  // namespace foxbench::browser
