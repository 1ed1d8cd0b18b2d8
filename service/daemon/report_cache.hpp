#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>

namespace foxbench::daemon {

/// A rendered report or table, with the ETag of exactly these bytes.
struct RenderedReport {
    std::string body, etag;
};

/// The reports of finished runs that were asked for last. Each belongs to a revision of its run (store::Store), since
/// retention, or another process on the same store, may change or replace the run. Not thread-safe.
class ReportCache {
public:
    /// An idle daemon stays below 20 MiB; a report has 5 KiB, as a page 60.
    static constexpr std::size_t kMaxBytes = std::size_t{2} << 20;

    explicit ReportCache(std::size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}

    /// Null where it is not there, or is there of another revision.
    [[nodiscard]] std::shared_ptr<const RenderedReport> find(const std::string& run, std::int64_t revision,
                                                             const std::string& what);
    /// Larger ones than a quarter of everything are not kept.
    void keep(const std::string& run, std::int64_t revision, const std::string& what,
              std::shared_ptr<const RenderedReport> report);

private:
    struct Entry {
        std::string key;
        std::int64_t revision;
        std::shared_ptr<const RenderedReport> report;
    };
    using Entries = std::list<Entry>;

    void drop(Entries::iterator entry);

    std::size_t max_bytes_, bytes_ = 0;
    Entries entries_;  ///< asked for last first
    std::unordered_map<std::string, Entries::iterator> by_key_;
};

}  // namespace foxbench::daemon
