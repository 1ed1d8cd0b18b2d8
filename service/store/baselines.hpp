#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/store/store.hpp"

/// Named runs that others are compared with. Neither retention nor a deletion takes them.
namespace foxbench::store {

/// What a baseline may be called: as ids of runs are (document::is_run_id), up to this many characters.
inline constexpr std::size_t kMaxBaselineName = 64;

struct Baseline {
    std::string name, run;
    std::optional<std::string> note;
    std::int64_t set_at_ms = 0;
};

/// A view of a Store, with its rules on threads, transactions and errors; it has to outlive it.
class Baselines {
public:
    explicit Baselines(Store& store) : store_(store) {}

    /// Names a run, or gives the name to another one. `usage` for a name that is none, `not_found` for no such run,
    /// `conflict` for a run that is not completed.
    void set(const Baseline& baseline);
    /// `not_found` where there is none of that name.
    void remove(const std::string& name);
    /// `not_found` where there is none of that name, naming the nearest.
    [[nodiscard]] Baseline find(const std::string& name) const;
    /// By name.
    [[nodiscard]] std::vector<Baseline> list() const;

private:
    Store& store_;
};

}  // namespace foxbench::store
