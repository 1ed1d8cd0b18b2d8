#include "service/daemon/report_cache.hpp"

#include <iterator>

namespace foxbench::daemon {
namespace {

/// An id has no blank.
std::string key_of(const std::string& run, const std::string& what) {
    return run + " " + what;
}

}  // namespace

std::shared_ptr<const RenderedReport> ReportCache::find(const std::string& run, std::int64_t revision,
                                                        const std::string& what) {
    const auto found = by_key_.find(key_of(run, what));
    if (found == by_key_.end()) return nullptr;
    if (found->second->revision != revision) {
        drop(found->second);
        return nullptr;
    }
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->report;
}

void ReportCache::keep(const std::string& run, std::int64_t revision, const std::string& what,
                       std::shared_ptr<const RenderedReport> report) {
    if (report->body.size() > max_bytes_ / 4) return;
    const auto key = key_of(run, what);
    if (const auto old = by_key_.find(key); old != by_key_.end()) drop(old->second);
    bytes_ += report->body.size();
    entries_.push_front({key, revision, std::move(report)});
    by_key_[key] = entries_.begin();
    while (bytes_ > max_bytes_) drop(std::prev(entries_.end()));
}

void ReportCache::drop(Entries::iterator entry) {
    bytes_ -= entry->report->body.size();
    by_key_.erase(entry->key);
    entries_.erase(entry);
}

}  // namespace foxbench::daemon
