#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/history/points.hpp"
#include "service/store/store.hpp"

/// The nights of each series, kept beside the runs that they come from, so that a history is read without reading one
/// run. They go with their run.
namespace foxbench::store {

/// A followed series, without its nights.
struct FollowedSeries {
    history::SeriesKey key;
    std::string id;
    std::int64_t points = 0;
    std::string last_night;
};

/// How much the launches of one build differ, over all A/A runs of a series.
struct KnownSpread {
    stats::AaSpread spread;        ///< pooled over the runs: the spread within them
    std::int64_t runs = 0;         ///< A/A runs
    std::int64_t compared = 0;     ///< of them, those with enough launches to compare their halves
    std::int64_t false_calls = 0;  ///< of those, whose halves were called different
};

/// Views of a Store, with its rules on threads, transactions and errors; it has to outlive them.
class HistoryStore {
public:
    explicit HistoryStore(Store& store) : store_(store) {}

    /// Runs that have ended and have not been taken in yet, the oldest first.
    [[nodiscard]] std::vector<std::string> untaken(std::size_t limit) const;
    /// Takes a run's contributions to the histories and, of an A/A run, its spreads. Does nothing for a run that was
    /// taken before. With `planted_too`, runs with a planted slowdown count as others do: for a self-test's own store.
    void take(const std::string& run, bool planted_too = false);

    /// By host, target, workload, work, and then in the order in which a run has its series.
    [[nodiscard]] std::vector<FollowedSeries> list() const;
    /// Those that a run contributes to.
    [[nodiscard]] std::vector<FollowedSeries> series_of(const std::string& run) const;
    /// `not_found` where no series has this id.
    [[nodiscard]] FollowedSeries find(const std::string& id) const;
    /// Points of a series, oldest night first; of nights up to `until` where it is given.
    [[nodiscard]] std::vector<history::Point> points(const std::string& id,
                                                     const std::optional<std::string>& until = std::nullopt) const;

    /// What the A/A runs say of a series. Empty where there are none.
    [[nodiscard]] std::optional<KnownSpread> spread(const history::SeriesKey& key) const;
    /// The sum over all series and hosts: how often comparisons of a build with itself were wrong.
    [[nodiscard]] KnownSpread all_spreads() const;

private:
    Store& store_;
};

}  // namespace foxbench::store
