#pragma once

#include <array>
#include <cstdio>
#include <functional>
#include <optional>
#include <stdexcept>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/// Real processes for the store's tests.
namespace foxbench::store {

inline constexpr int kHangLimit_ms = 60'000;

/// A forked process that executes `work` and can be heard through a pipe.
class Child {
public:
    explicit Child(const std::function<void(int pipe)>& work) {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
        pid_ = fork();
        if (pid_ < 0) throw std::runtime_error("no process");
        if (pid_ == 0) {
            close(ends[0]);
            try {
                work(ends[1]);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "child: %s\n", error.what());
                _exit(1);
            }
            _exit(0);
        }
        close(ends[1]);
        pipe_ = ends[0];
    }
    ~Child() {
        kill();
        close(pipe_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// One byte that the child wrote; nothing at its end.
    std::optional<unsigned char> hear() const {
        pollfd ready{pipe_, POLLIN, 0};
        unsigned char byte = 0;
        if (poll(&ready, 1, kHangLimit_ms) != 1 || read(pipe_, &byte, 1) != 1) return std::nullopt;
        return byte;
    }

    void kill() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        wait();
    }

    int wait() {
        int status = 0;
        waitpid(pid_, &status, 0);
        pid_ = -1;
        return status;
    }

private:
    pid_t pid_ = -1;
    int pipe_ = -1;
};

/// Writes one byte that Child::hear() gives.
inline void say(int pipe, unsigned char byte) {
    if (write(pipe, &byte, 1) != 1) _exit(2);
}

}  // namespace foxbench::store
