#include "tests/fake_browser/grandchild.hpp"

#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace foxbench::fake_browser {
namespace {

using Clock = std::chrono::steady_clock;

/// Does not make the folder again once it is gone.
void write_until(Clock::time_point end, const std::string& folder) {
    for (int number = 0; Clock::now() < end; ++number) {
        const int file =
            ::open((folder + "/late-" + std::to_string(number % 50)).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ::close(file);
    }
}

}  // namespace

void start_grandchild(std::chrono::milliseconds lifetime, const std::string& folder) {
    const auto end = Clock::now() + lifetime;
    const pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error("no grandchild");
    if (pid > 0) return;
    ::setsid();
    // The browser's sockets end with the browser.
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    if (folder.empty()) {
        std::this_thread::sleep_until(end);
    } else {
        write_until(end, folder);
    }
    std::_Exit(0);
}

}  // namespace foxbench::fake_browser
