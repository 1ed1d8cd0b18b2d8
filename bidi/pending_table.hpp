#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bidi/json.hpp"
#include "bidi/script_realms.hpp"

namespace bidi {

/// What is to be done when a call ends. It is called once at most, since its one owner lets it go with the call.
class Completion {
public:
    virtual ~Completion() = default;
    /// With an error, or with the result.
    virtual void complete(std::exception_ptr error, json result) = 0;
};

/// A command that was sent and has not been answered.
struct PendingCall {
    using TimePoint = std::chrono::steady_clock::time_point;

    std::uint64_t id = 0;
    std::string method;
    std::chrono::milliseconds timeout{};  ///< what the deadline was made of, for messages
    TimePoint deadline;
    std::optional<ScriptScope> scope;  ///< of script commands: what discards them
    std::unique_ptr<Completion> completion;
};

/// The commands that wait for their answers. Pure: no I/O, and the time comes in as a parameter. Whoever takes a call
/// out completes it, and nobody can take it twice. Not thread-safe.
class PendingTable {
public:
    using TimePoint = PendingCall::TimePoint;
    using Calls = std::vector<PendingCall>;

    /// What an id of an answer means when no call waits for it.
    enum class Stray {
        late,    ///< the call was given up or answered before
        unknown  ///< that id was never used
    };

    /// The id for the next command: 1, 2, 3... (`js-uint` in the protocol, which is never exhausted).
    [[nodiscard]] std::uint64_t next_id() noexcept { return ++last_id_; }

    void add(PendingCall call);

    /// Takes out the call that an answer belongs to, or that is given up.
    [[nodiscard]] std::optional<PendingCall> take(std::uint64_t id);
    [[nodiscard]] Stray stray(std::uint64_t id) const noexcept {
        return id <= last_id_ && id != 0 ? Stray::late : Stray::unknown;
    }

    /// Takes out every call whose deadline is reached.
    [[nodiscard]] Calls take_expired(TimePoint now);
    /// Takes out the script calls that depend on this browsing context. `navigating`: it is only about to be left, so
    /// that scripts which do not wait for a promise are still answered.
    [[nodiscard]] Calls take_of_context(std::string_view context, bool navigating);
    /// Takes out the script calls that run in this realm. `realms` says where those run that only named a context.
    [[nodiscard]] Calls take_of_realm(std::string_view realm, const ScriptRealms& realms);
    /// Takes out everything, in the order of sending.
    [[nodiscard]] Calls take_all();

    /// When the next call expires; nothing if none is pending.
    [[nodiscard]] std::optional<TimePoint> next_deadline() const;
    [[nodiscard]] std::size_t size() const noexcept { return calls_.size(); }

private:
    template <class Predicate>
    Calls take_if(Predicate predicate);

    std::map<std::uint64_t, PendingCall> calls_;
    std::uint64_t last_id_ = 0;
};

}  // namespace bidi
