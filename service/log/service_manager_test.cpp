#include "service/log/service_manager.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace foxbench::log {
namespace {

/// A datagram socket in the place of the service manager's.
class Listener {
public:
    /// `name` as in $NOTIFY_SOCKET.
    explicit Listener(std::string name) : name_(std::move(name)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, name_.data(), name_.size());
        const bool abstract = name_.starts_with('@');
        if (abstract) address.sun_path[0] = '\0';
        descriptor_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const auto length = offsetof(sockaddr_un, sun_path) + name_.size() + (abstract ? 0 : 1);
        if (::bind(descriptor_, reinterpret_cast<sockaddr*>(&address), static_cast<socklen_t>(length)) != 0)
            throw std::runtime_error(std::string("bind: ") + std::strerror(errno));
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() {
        ::close(descriptor_);
        if (!name_.starts_with('@')) std::filesystem::remove(name_);
    }

    /// The next message; a datagram to a local socket is there when its sending has returned.
    std::string message() const {
        std::array<char, 4096> buffer;
        const auto size = ::recv(descriptor_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        return size < 0 ? "(none)" : std::string(buffer.data(), static_cast<std::size_t>(size));
    }

private:
    std::string name_;
    int descriptor_ = -1;
};

std::string unique_name(const std::string& kind) {
    return kind + "foxbench-notify-test-" + std::to_string(::getpid());
}

TEST(ServiceManager, TellsASocketThatIsAPath) {
    const auto name = unique_name(std::filesystem::temp_directory_path().string() + "/");
    const Listener listener(name);
    const ServiceManager manager(name);
    EXPECT_TRUE(manager.listens());
    EXPECT_TRUE(manager.ready("listening on 127.0.0.1:8177"));
    EXPECT_EQ(listener.message(), "READY=1\nSTATUS=listening on 127.0.0.1:8177");
    EXPECT_TRUE(manager.stopping());
    EXPECT_EQ(listener.message(), "STOPPING=1");
    EXPECT_TRUE(manager.stopping("finishing the running pass", std::chrono::minutes(5)));
    EXPECT_EQ(listener.message(), "STOPPING=1\nEXTEND_TIMEOUT_USEC=300000000\nSTATUS=finishing the running pass");
    EXPECT_TRUE(manager.watchdog());
    EXPECT_EQ(listener.message(), "WATCHDOG=1");
    EXPECT_TRUE(manager.reloading());
    EXPECT_THAT(listener.message(), ::testing::MatchesRegex("RELOADING=1\nMONOTONIC_USEC=[0-9]+"));
}

TEST(ServiceManager, TellsAnAbstractSocket) {
    const auto name = unique_name("@");
    const Listener listener(name);
    EXPECT_TRUE(ServiceManager(name).ready());
    EXPECT_EQ(listener.message(), "READY=1");
}

TEST(ServiceManager, AStatusIsOneLine) {
    const auto name = unique_name("@");
    const Listener listener(name);
    EXPECT_TRUE(ServiceManager(name).status("measuring\nMAINPID=1"));
    EXPECT_EQ(listener.message(), "STATUS=measuring MAINPID=1");
}

TEST(ServiceManager, DoesNothingWhereNobodyListens) {
    EXPECT_FALSE(ServiceManager("").listens());
    EXPECT_FALSE(ServiceManager("").ready());
    EXPECT_FALSE(ServiceManager("relative").ready());
    EXPECT_FALSE(ServiceManager("/nowhere/at/all").ready());
    EXPECT_FALSE(ServiceManager("/" + std::string(200, 'x')).ready());
}

TEST(ServiceManager, ReadsTheEnvironment) {
    ::setenv("NOTIFY_SOCKET", "@somewhere", 1);
    ::setenv("WATCHDOG_USEC", "30000000", 1);
    ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
    EXPECT_TRUE(ServiceManager::from_environment().listens());
    EXPECT_EQ(ServiceManager::from_environment().watchdog_interval(), std::chrono::seconds(15));
    ::setenv("WATCHDOG_PID", "1", 1);
    EXPECT_EQ(ServiceManager::from_environment().watchdog_interval(), std::nullopt);
    ::unsetenv("WATCHDOG_PID");
    ::setenv("WATCHDOG_USEC", "soon", 1);
    EXPECT_EQ(ServiceManager::from_environment().watchdog_interval(), std::nullopt);
    ::unsetenv("WATCHDOG_USEC");
    ::unsetenv("NOTIFY_SOCKET");
    EXPECT_FALSE(ServiceManager::from_environment().listens());
}

}  // namespace
}  // namespace foxbench::log
