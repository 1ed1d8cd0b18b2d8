#include "service/document/utc_time.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace foxbench::document {
namespace {

/// Takes the text from its front, piece by piece.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    [[nodiscard]] bool done() const noexcept { return text_.empty(); }

    bool take(char c) noexcept {
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }

    /// Exactly `digits` digits.
    std::optional<int> number(std::size_t digits) noexcept {
        if (text_.size() < digits) return std::nullopt;
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            if (!is_digit(text_[i])) return std::nullopt;
            value = value * 10 + (text_[i] - '0');
        }
        text_.remove_prefix(digits);
        return value;
    }

    /// The decimals of a second as milliseconds; the fourth and later ones are dropped.
    std::optional<int> milliseconds() noexcept {
        if (text_.empty() || !is_digit(text_.front())) return std::nullopt;
        int value = 0;
        for (int unit = 100; !text_.empty() && is_digit(text_.front()); unit /= 10) {
            value += unit * (text_.front() - '0');
            text_.remove_prefix(1);
        }
        return value;
    }

private:
    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

    std::string_view text_;
};

constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;

std::optional<std::int64_t> time_of_day(Scanner& in) noexcept {
    const auto hours = in.number(2);
    if (!hours || !in.take(':')) return std::nullopt;
    const auto minutes = in.number(2);
    if (!minutes || !in.take(':')) return std::nullopt;
    const auto seconds = in.number(2);
    if (!seconds || *hours > 23 || *minutes > 59 || *seconds > 60) return std::nullopt;
    int milliseconds = 0;
    if (in.take('.')) {
        const auto fraction = in.milliseconds();
        if (!fraction) return std::nullopt;
        milliseconds = *fraction;
    }
    return ((*hours * 60LL + *minutes) * 60 + *seconds) * 1000 + milliseconds;
}

std::optional<std::int64_t> offset(Scanner& in) noexcept {
    if (in.take('Z')) return 0;
    const bool east = in.take('+');
    if (!east && !in.take('-')) return std::nullopt;
    const auto hours = in.number(2);
    (void)in.take(':');
    const auto minutes = in.number(2);
    if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
    return (east ? 1 : -1) * (*hours * 60LL + *minutes) * 60 * 1000;
}

}  // namespace

std::string utc_text(std::int64_t milliseconds) {
    using namespace std::chrono;
    constexpr std::int64_t kFirst = -62167219200000;  // 0000-01-01T00:00:00.000Z
    constexpr std::int64_t kLast = 253402300799999;   // 9999-12-31T23:59:59.999Z
    const sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds{std::clamp(milliseconds, kFirst, kLast)}};
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{time - day};
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return text.data();
}

std::optional<std::int64_t> utc_milliseconds(std::string_view text) noexcept {
    using namespace std::chrono;
    Scanner in(text);
    const auto year_number = in.number(4);
    if (!year_number || !in.take('-')) return std::nullopt;
    const auto month_number = in.number(2);
    if (!month_number || !in.take('-')) return std::nullopt;
    const auto day_number = in.number(2);
    if (!day_number) return std::nullopt;
    const year_month_day date{year{*year_number}, month{static_cast<unsigned>(*month_number)},
                              day{static_cast<unsigned>(*day_number)}};
    if (!date.ok()) return std::nullopt;
    const std::int64_t midnight = sys_days{date}.time_since_epoch().count() * kDay;
    if (in.done()) return midnight;
    if (!in.take('T') && !in.take(' ')) return std::nullopt;
    const auto clock = time_of_day(in);
    if (!clock) return std::nullopt;
    const auto east = offset(in);
    if (!east || !in.done()) return std::nullopt;
    return midnight + *clock - *east;
}

}  // namespace foxbench::document
