#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is known of messages to webhooks, and where it is kept.
namespace foxbench::notify {

enum class DeliveryState {
    pending,    ///< not yet, or to be tried again
    delivered,  ///< answered with 2xx
    failed      ///< given up
};

/// "pending", "delivered", "failed".
[[nodiscard]] const char* to_string(DeliveryState state) noexcept;
/// Throws foxbench::Error (usage) for another word.
[[nodiscard]] DeliveryState delivery_state_from(std::string_view word);

/// One message to one address. Its body is fixed when it is made: each attempt sends the same bytes.
struct Delivery {
    std::int64_t id = 0;  ///< given by the log; the header X-Foxbench-Delivery, by which a receiver knows repetitions
    std::string url;
    std::string run;
    std::string event;  ///< "run.finished"; the header X-Foxbench-Event
    std::string body;   ///< JSON text
    int attempts = 0;   ///< made so far
    DeliveryState state = DeliveryState::pending;
    std::optional<int> last_status;         ///< HTTP status of the last attempt that was answered
    std::optional<std::string> last_error;  ///< why the last attempt was none, one line
    std::int64_t created_at_ms = 0;         ///< wall clock, milliseconds since 1970
    std::int64_t next_attempt_at_ms = 0;    ///< likewise; means nothing unless pending
    /// Which of the webhooks with this url: Webhook::secret_file. Nothing: whichever.
    std::optional<std::string> secret_file;
};

/// Where deliveries are kept, so that they outlive the process. Called on a pool's threads, never twice at once.
/// Functions may throw; what was not recorded is tried again.
class DeliveryLog {
public:
    virtual ~DeliveryLog() = default;

    /// Pending deliveries whose next attempt is at `now_ms` or before, the earliest first.
    virtual std::vector<Delivery> due(std::int64_t now_ms, std::size_t limit) = 0;
    /// Replaces what is known of the delivery with this id; does nothing where it is gone.
    virtual void update(const Delivery& delivery) = 0;
    /// When the next attempt of any pending delivery is due.
    virtual std::optional<std::int64_t> next_at_ms() = 0;

protected:
    DeliveryLog() = default;
    DeliveryLog(const DeliveryLog&) = default;
    DeliveryLog& operator=(const DeliveryLog&) = default;
};

/// How long to wait after the given number of attempts, all of them failed: 10 s, 1 min, 5 min, 30 min, 2 h. Nothing:
/// give up. Pure.
[[nodiscard]] std::optional<std::chrono::milliseconds> next_attempt(int attempts) noexcept;

}  // namespace foxbench::notify
