#include "service/host/noise_rules.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iomanip>
#include <optional>
#include <sstream>

namespace foxbench::host {
namespace {

using document::Json;

/// The member at a path of names; null where there is none.
const Json* find(const Json& json, std::initializer_list<const char*> path) {
    const Json* at = &json;
    for (const char* name : path) {
        if (!at->is_object()) return nullptr;
        const auto member = at->find(name);
        if (member == at->end()) return nullptr;
        at = &*member;
    }
    return at;
}

std::optional<double> number(const Json& json, std::initializer_list<const char*> path) {
    const Json* found = find(json, path);
    if (found == nullptr || !found->is_number()) return std::nullopt;
    return found->get<double>();
}

std::string decimal(double value, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

/// The noise of one launch, and what was found in it so far.
class Examination {
public:
    Examination(const Json& noise, std::optional<std::int64_t> processors) : noise_(noise), processors_(processors) {}

    std::vector<std::string> examine() {
        other_processes();
        load();
        stalls();
        memory();
        clock_speed();
        heat();
        disk();
        return std::move(flags_);
    }

private:
    void flag(std::string phrase) { flags_.push_back(std::move(phrase)); }

    void other_processes() {
        const auto percent = number(noise_, {"other_cpu_percent"});
        if (percent && *percent > kNoisyOtherCpuPercent)
            flag("other processes used " + decimal(*percent, 0) + " % of a processor");
    }

    void load() {
        const auto before = number(noise_, {"before", "load_1m"});
        if (!before || !processors_ || *processors_ < 1) return;
        if (*before > std::max(kOwnLoad, kNoisyLoadPerProcessor * static_cast<double>(*processors_))) {
            flag("the load before was " + decimal(*before, 2) + " on " + std::to_string(*processors_) +
                 (*processors_ == 1 ? " processor" : " processors"));
        }
    }

    void stalls() {
        struct Rule {
            const char* resource;
            const char* waited_for;
            double limit;
        };
        constexpr std::array kRules{Rule{"cpu", "a processor", kNoisyCpuStallPercent},
                                    Rule{"io", "the disk", kNoisyIoStallPercent},
                                    Rule{"memory", "memory", kNoisyMemoryStallPercent}};
        for (const auto& rule : kRules) {
            const auto percent = number(noise_, {"before", "stalled_percent", rule.resource});
            if (!percent || *percent <= rule.limit) continue;
            flag(std::string("others waited for ") + rule.waited_for + " " + decimal(*percent, 0) +
                 " % of the time before");
        }
    }

    void memory() {
        std::optional<double> least;
        for (const char* moment : {"before", "after"}) {
            const auto available = number(noise_, {moment, "memory_available_bytes"});
            if (available) least = std::min(least.value_or(*available), *available);
        }
        if (least && *least < static_cast<double>(kNoisyMemoryBytes))
            flag("only " + decimal(*least / 1e6, 0) + " MB of memory were available");
    }

    void clock_speed() {
        const auto changed = [&](const char* member) {
            const Json* before = find(noise_, {"before", member});
            const Json* after = find(noise_, {"after", member});
            return before != nullptr && after != nullptr && !before->is_null() && !after->is_null() &&
                   *before != *after;
        };
        if (changed("governor")) flag("the governor of the processors changed");
        if (changed("turbo")) flag("the turbo of the processors was switched");
    }

    void heat() {
        const auto before = number(noise_, {"before", "throttle_count"});
        const auto after = number(noise_, {"after", "throttle_count"});
        if (before && after && *after > *before) flag("the processors were throttled for heat");
        const auto hottest = std::max(number(noise_, {"before", "temperature_c"}).value_or(0),
                                      number(noise_, {"after", "temperature_c"}).value_or(0));
        if (hottest >= kNoisyTemperature_c) flag("the machine was at " + decimal(hottest, 0) + " °C");
    }

    void disk() {
        const auto before = number(noise_, {"before", "fsync_probe", "median_us"});
        const auto after = number(noise_, {"after", "fsync_probe", "median_us"});
        if (!before || !after || *before <= 0 || *after <= 0) return;
        if (std::max(*before, *after) > kNoisyProbeFactor * std::min(*before, *after)) {
            flag("a write and sync of the disk took " + decimal(*before, 0) + " µs before and " + decimal(*after, 0) +
                 " µs after");
        }
    }

    const Json& noise_;
    std::optional<std::int64_t> processors_;
    std::vector<std::string> flags_;
};

}  // namespace

std::vector<std::string> noise_flags(const document::Launch& launch, const document::RunDocument& run) {
    if (!launch.noise) return {};
    return Examination(*launch.noise, run.host ? run.host->threads : std::nullopt).examine();
}

}  // namespace foxbench::host
