#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

/// A webhook's receiver for tests.
namespace foxbench::notify::testing_support {

struct Received {
    std::string method, target, body;
    std::map<std::string, std::string> headers;  ///< names in lower case
};

/// What it does with a request.
struct Reply {
    unsigned status = 204;
    std::string location;        ///< a redirect's
    std::size_t body_bytes = 0;  ///< of the answer
    bool silent = false;         ///< reads and never answers
};

/// A certificate made for one test, and its key.
class Certificate {
public:
    /// For this DNS name, or IP address, signed by itself.
    explicit Certificate(const std::string& name);
    Certificate(const Certificate&) = delete;
    Certificate& operator=(const Certificate&) = delete;
    ~Certificate();

    [[nodiscard]] const std::filesystem::path& certificate_file() const noexcept { return certificate_; }
    [[nodiscard]] const std::filesystem::path& key_file() const noexcept { return key_; }

private:
    std::filesystem::path certificate_, key_;
};

struct ReceiverOptions {
    const Certificate* certificate = nullptr;  ///< speaks TLS with it
    bool old_tls = false;                      ///< TLS 1.1 at most
};

/// Listens on a loopback port and keeps what it receives. Lives on its executor's thread.
class Receiver {
public:
    using Answer = std::function<Reply(const Received&)>;

    Receiver(const boost::asio::any_io_executor& executor, Answer answer, ReceiverOptions options = {});
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;
    ~Receiver();

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::string url(const std::string& host = "127.0.0.1") const;
    [[nodiscard]] const std::vector<Received>& received() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace foxbench::notify::testing_support
