#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bidi/task.hpp"

namespace foxbench::notify {

struct PosterOptions {
    /// For everything from looking up the name to the answer's header. A receiver that does more than note the message
    /// before it answers holds up the others.
    std::chrono::milliseconds deadline{10'000};
    /// Certificates to trust in place of the system's, as PEM. Read when the first https URL comes.
    std::optional<std::filesystem::path> ca_file;
    std::string user_agent = "foxbench";
};

/// What one attempt came to.
struct Attempt {
    Attempt() = default;

    std::optional<int> status;  ///< HTTP status, where there was an answer
    std::string error;          ///< why it counts as not delivered, one line; empty where it was

    /// Answered with 2xx.
    [[nodiscard]] bool delivered() const noexcept { return error.empty(); }
};

/// Sends JSON by HTTP POST, over http or https (TLS 1.2 or newer; certificate and host name are verified). Redirects
/// are not followed: the body is signed for one receiver. What an answer's body says is ignored.
///
/// Not thread-safe: post() is used on one executor. May be destroyed while a post() goes on.
class Poster {
public:
    using Headers = std::vector<std::pair<std::string, std::string>>;

    explicit Poster(PosterOptions options = {});
    ~Poster();

    /// One attempt. What goes wrong is in the result; throws at most when the coroutine is cancelled.
    [[nodiscard]] bidi::Task<Attempt> post(std::string url, Headers headers, std::string body) const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace foxbench::notify
