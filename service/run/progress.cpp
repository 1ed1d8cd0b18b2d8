#include "service/run/progress.hpp"

#include <algorithm>

namespace foxbench::run {

PassClock::PassClock(const workload::Plan& plan, std::int64_t launches_of_all_targets)
    : passes_a_sequence_(plan.passes + 1),
      launches_left_(launches_of_all_targets),
      seen_(plan.sequences.size()),
      done_(plan.sequences.size()) {}

void PassClock::finished(std::size_t sequence, double seconds) {
    seen_[sequence].seconds += seconds;
    ++seen_[sequence].passes;
    ++done_[sequence];
}

void PassClock::launch_ended() {
    --launches_left_;
    std::ranges::fill(done_, 0);
}

std::optional<double> PassClock::eta_seconds() const {
    double seconds = 0;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        const std::int64_t left = launches_left_ * passes_a_sequence_ - done_[i];
        if (left <= 0) continue;
        if (seen_[i].passes == 0) return std::nullopt;
        seconds += seen_[i].seconds / static_cast<double>(seen_[i].passes) * static_cast<double>(left);
    }
    return seconds;
}

}  // namespace foxbench::run
