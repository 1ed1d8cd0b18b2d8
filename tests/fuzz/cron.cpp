// Cron expressions: what is taken fires at whole minutes, forward, within the window that was asked for.
#include "service/schedule/cron.hpp"

#include "service/error.hpp"
#include "service/schedule/firing.hpp"
#include "tests/fuzz/target.hpp"

using foxbench::fuzz::require;
using foxbench::fuzz::text_of;
using namespace foxbench::schedule;
using namespace std::chrono_literals;

namespace {

/// Around a change of clocks, so that a few firings meet it.
constexpr Instant kBeforeTheGap = std::chrono::sys_days(std::chrono::year(2026) / 3 / 28);
constexpr std::size_t kFirings = 5;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto zone = TimeZone::find("Europe/Berlin");
    try {
        const auto cron = CronExpression::parse(text_of(data, size));
        require(cron.text() == text_of(data, size), "an expression keeps its text");
        const WallTime from = std::chrono::local_days(std::chrono::year(2026) / 3 / 1) + 7s;
        const WallTime before = from + std::chrono::days(40);
        if (const auto match = cron.first_match(from, before)) {
            require(*match >= from && *match < before, "a match lies in the window");
            require(match->time_since_epoch() % 60s == 0s, "a match is a whole minute");
        }
        auto last = kBeforeTheGap;
        for (const auto firing : next_firings(cron, zone, kBeforeTheGap, kFirings)) {
            require(firing > last, "firings go forward");
            last = firing;
        }
    } catch (const foxbench::Error& refused) {
        require(refused.code() == foxbench::ErrorCode::usage, "a refusal is a usage error");
        require(std::string_view(refused.what()).find('\n') == std::string_view::npos, "a refusal is one line");
    }
    return 0;
}
