#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "service/document/run_document.hpp"

/// Messages to webhooks, kept until they have arrived or were given up. Plain values; Store has the operations.
namespace foxbench::store {

inline constexpr const char* kDeliveryPending = "pending";
inline constexpr const char* kDeliveryDelivered = "delivered";
inline constexpr const char* kDeliveryFailed = "failed";

struct Delivery {
    std::int64_t id = 0;  ///< given by the store; later ones are larger, and none is given twice
    std::string url;
    std::string run;    ///< the run's id, which may have been removed since
    std::string event;  ///< "run.finished"
    std::string body;   ///< as it is sent, byte for byte
    int attempts = 0;
    std::string state = kDeliveryPending;
    std::optional<int> last_status;         ///< HTTP's, where there was an answer
    std::optional<std::string> last_error;  ///< one line
    std::int64_t created_at_ms = 0;
    std::int64_t next_attempt_at_ms = 0;  ///< of a pending one
    /// Which of the webhooks with this url: the file of its secret, empty for one that has none. Nothing: whichever.
    std::optional<std::string> secret_file;
};

/// The messages about a run that is just ending, to be stored with its end. It is as it ends, without what is below its
/// targets.
using Outbox = std::function<std::vector<Delivery>(const document::RunDocument& run)>;

/// So many newest ones are kept for the list; pending ones always.
inline constexpr std::int64_t kKeptDeliveries = 10'000;

}  // namespace foxbench::store
