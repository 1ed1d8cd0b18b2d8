#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/document/run_document.hpp"
#include "service/store/store.hpp"

/// What was noticed in the histories, and what people made of it.
namespace foxbench::store {

/// Where an alert stands.
enum class AlertState {
    suspected,       ///< tonight's value is far off; a confirmation is to come
    confirmed,       ///< measured again, or found as a step of the series
    not_reproduced,  ///< measured again, and it was not so
    expected,        ///< somebody said so: the new level is the one to compare with from now on
    invalid          ///< somebody said so: the measurement was wrong
};
[[nodiscard]] const char* to_string(AlertState state) noexcept;
/// Throws Error (usage) for an unknown word, naming the known ones.
[[nodiscard]] AlertState alert_state_from(const std::string& word);

struct Alert {
    std::int64_t id = 0;
    std::string series;  ///< id of the followed series
    AlertState state = AlertState::suspected;
    bool acknowledged = false;
    bool slower = true;        ///< else it has become faster
    bool is_step = false;      ///< the series has a step there, besides the one night
    std::string first_bad;     ///< the night
    std::string last_good;     ///< likewise; empty where nobody knows
    std::string run;           ///< of the first bad night
    std::string confirmation;  ///< the run that measured it again; empty
    std::int64_t created_at_ms = 0;
    std::optional<std::int64_t> notified_at_ms;
    document::Json details = document::Json::object();  ///< effect, builds on both sides, the filters that decided
};

/// One thing that happened to an alert.
struct AlertChange {
    std::int64_t at_ms = 0;
    std::string action;  ///< "noticed", "confirmed", "acknowledge", "expected", "note", ...
    std::string note;
    std::string by;  ///< "foxbench", or who it was
    AlertState before = AlertState::suspected, after = AlertState::suspected;
};

struct AlertFilter {
    std::optional<std::string> series;
    std::optional<AlertState> state;
    std::optional<bool> open;  ///< is_open()
    std::size_t limit = 1000;
};

/// Whether it still wants somebody's attention: suspected or confirmed, and not acknowledged.
[[nodiscard]] bool is_open(const Alert& alert) noexcept;

/// A view of a Store, with its rules on threads, transactions and errors; it has to outlive it.
class Alerts {
public:
    explicit Alerts(Store& store) : store_(store) {}

    /// Runs that are in the histories and have not been judged yet, the oldest first.
    [[nodiscard]] std::vector<std::string> unjudged(std::size_t limit) const;

    /// An alert as it is from now on, and why, for the audit trail.
    struct Changed {
        Alert alert;
        std::string action, reason;
    };
    /// What came of judging one run: new alerts (without ids), changed ones, and a job that is to measure again what is
    /// suspected.
    struct Judgement {
        std::vector<Changed> noticed;
        std::vector<Changed> changed;
        std::optional<NewJob> confirmation;  ///< every suspected one of `noticed` waits for it
    };
    /// Writes all of it and that the run is judged, or nothing. Gives the id of the confirmation's run. Nothing happens
    /// for a run that is judged already.
    std::optional<std::string> record(const std::string& run, const Judgement& judgement, std::int64_t now_ms);

    /// Newest first.
    [[nodiscard]] std::vector<Alert> list(const AlertFilter& filter = {}) const;
    /// `not_found` where there is none.
    [[nodiscard]] Alert find(std::int64_t id) const;
    /// Oldest first.
    [[nodiscard]] std::vector<AlertChange> trail(std::int64_t id) const;

    /// Writes what a person decided, with its entry in the trail.
    void change(const Alert& alert, const AlertChange& change);

    /// Nights where the level of a series is known to have changed (a step that was found, or one that somebody
    /// expected): where its detectors begin anew. In order.
    [[nodiscard]] std::vector<std::string> known_steps(const std::string& series) const;
    /// Nights whose value somebody called wrong, in order.
    [[nodiscard]] std::vector<std::string> invalid_nights(const std::string& series) const;
    /// Those that wait for this run to measure again.
    [[nodiscard]] std::vector<Alert> waiting_for(const std::string& confirmation) const;

    /// Confirmed ones that nobody was told of, oldest first; without those of nights of which something is still being
    /// measured again, so that one night is one message.
    [[nodiscard]] std::vector<Alert> untold() const;
    /// They have been told of, in these messages; both are written, or neither.
    void note_told(const std::vector<Alert>& alerts, const std::vector<Delivery>& deliveries, std::int64_t now_ms);

    [[nodiscard]] std::int64_t open_count() const;

private:
    Store& store_;
};

}  // namespace foxbench::store
