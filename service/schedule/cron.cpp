#include "service/schedule/cron.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <vector>

#include "service/error.hpp"
#include "service/schedule/quote.hpp"
#include "service/text/words.hpp"

namespace foxbench::schedule {

namespace {

using detail::kQuotedLength;
using detail::quote;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::minutes;
using std::chrono::months;

struct Nickname {
    std::string_view name;
    std::string_view fields;
};
constexpr std::array<Nickname, 8> kNicknames{{{"@hourly", "0 * * * *"},
                                              {"@daily", "0 0 * * *"},
                                              {"@midnight", "0 0 * * *"},
                                              {"@nightly", "0 2 * * *"},
                                              {"@weekly", "0 0 * * 0"},
                                              {"@monthly", "0 0 1 * *"},
                                              {"@yearly", "0 0 1 1 *"},
                                              {"@annually", "0 0 1 1 *"}}};

constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDaysOfWeek{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr int kSundayAtTheEnd = 7;

/// What one of the five fields may say.
struct Field {
    std::string_view name;
    int first;
    int last;
    std::span<const std::string_view> words;  ///< for first, first + 1, ...
    std::string_view example;                 ///< of this field, with its meaning
};
constexpr std::array<Field, 5> kFields{{{"minute", 0, 59, {}, "'*/15' is every 15 minutes"},
                                        {"hour", 0, 23, {}, "'2' is at 2, '9-17' from 9 to 17"},
                                        {"day of month", 1, 31, {}, "'1,15' is on the 1st and the 15th"},
                                        {"month", 1, 12, kMonths, "'jan-mar' is from January to March"},
                                        {"day of week", 0, kSundayAtTheEnd, kDaysOfWeek, "'mon-fri' is on workdays"}}};

/// The days of each month, in a leap year: a schedule for 29 February does fire.
constexpr std::array<int, 13> kLongestMonth{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& letter : result)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return result;
}

bool is_blank(char letter) {
    return letter == ' ' || letter == '\t';
}

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
    throw Error(ErrorCode::usage, "the cron expression " + quote(text) + ' ' + what);
}

struct Word {
    std::string_view text;
    std::size_t column = 1;  ///< in the whole expression
};

std::vector<Word> split_words(std::string_view text) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < text.size();) {
        if (is_blank(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && !is_blank(text[at])) ++at;
        words.push_back({text.substr(begin, at - begin), begin + 1});
    }
    return words;
}

/// Reads one field into the values that it names.
class FieldReader {
public:
    FieldReader(std::string_view expression, const Field& field) : expression_(expression), field_(field) {}

    template <std::size_t Size>
    [[nodiscard]] std::bitset<Size> read(Word word) {
        std::bitset<Size> values;
        while (true) {
            const auto comma = word.text.find(',');
            const Item item = read_item({word.text.substr(0, comma), word.column});
            // 7 is the other name of Sunday, the only value beyond its set.
            for (int value = item.first; value <= item.last; value += item.step)
                values.set(static_cast<std::size_t>(value) % (is_day_of_week() ? kDaysOfWeek.size() : Size));
            if (comma == std::string_view::npos) return values;
            word.text.remove_prefix(comma + 1);
            word.column += comma + 1;
        }
    }

private:
    struct Item {
        int first = 0;
        int last = 0;
        int step = 1;
    };

    [[nodiscard]] bool is_day_of_week() const { return field_.last == kSundayAtTheEnd; }

    [[noreturn]] void refuse_word(Word word, const std::string& what) const {
        refuse(expression_, "is wrong in the " + std::string(field_.name) + " (column " + std::to_string(word.column) +
                                "): " + quote(word.text) + ' ' + what + "; for example " + std::string(field_.example));
    }

    [[nodiscard]] std::string range() const {
        return std::to_string(field_.first) + " to " + std::to_string(field_.last);
    }

    Item read_item(Word word) const {
        Item item;
        Word base = word;
        const auto slash = word.text.find('/');
        if (slash != std::string_view::npos) {
            base.text = word.text.substr(0, slash);
            item.step = read_step({word.text.substr(slash + 1), word.column + slash + 1});
        }
        const auto dash = base.text.find('-');
        if (base.text == "*") {
            item.first = field_.first;
            // Sunday must not come twice into a step's count.
            item.last = is_day_of_week() ? field_.last - 1 : field_.last;
        } else if (dash == std::string_view::npos) {
            item.first = item.last = read_value(base);
            if (slash != std::string_view::npos) {
                refuse_word(word, "has a step but no range (write '" + std::to_string(item.first) + "-" +
                                      std::to_string(field_.last) + "/" + std::to_string(item.step) + "')");
            }
        } else {
            const Word last{base.text.substr(dash + 1), base.column + dash + 1};
            item.first = read_value({base.text.substr(0, dash), base.column});
            item.last = read_value(last);
            if (is_day_of_week() && lower(last.text) == kDaysOfWeek.front()) item.last = kSundayAtTheEnd;
            if (item.first > item.last) {
                refuse_word(base, "runs backwards (write it as two ranges, like '" + std::to_string(item.first) + "-" +
                                      std::to_string(field_.last) + "," + std::to_string(field_.first) + "-" +
                                      std::to_string(item.last) + "')");
            }
        }
        return item;
    }

    [[nodiscard]] int read_step(Word word) const {
        const auto step = read_number(word.text);
        if (!step || *step < 1 || *step > field_.last)
            refuse_word(word, "is no step from 1 to " + std::to_string(field_.last));
        return *step;
    }

    [[nodiscard]] int read_value(Word word) const {
        if (word.text.empty()) refuse_word(word, "is no value from " + range());
        if (const auto number = read_number(word.text)) {
            if (*number < field_.first || *number > field_.last) refuse_word(word, "is not from " + range());
            return *number;
        }
        const auto& known = field_.words;
        const auto found = std::find(known.begin(), known.end(), lower(word.text));
        if (found != known.end()) return field_.first + static_cast<int>(found - known.begin());
        std::string what = "is no number from " + range();
        if (!known.empty()) {
            what += " nor a name";
            const std::vector<std::string> names(known.begin(), known.end());
            if (const auto slip = text::nearest(lower(word.text.substr(0, kQuotedLength)), names))
                what += " (did you mean '" + *slip + "'?)";
        }
        refuse_word(word, what);
    }

    /// nullopt for what is not made of digits alone.
    static std::optional<int> read_number(std::string_view word) {
        int number = 0;
        const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
        const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
        if (!digits) return std::nullopt;
        return fault == std::errc() && end == word.data() + word.size() ? number : std::numeric_limits<int>::max();
    }

    std::string_view expression_;
    const Field& field_;
};

std::string_view fields_of_nickname(std::string_view text, Word word) {
    std::vector<std::string> known;
    for (const auto& nickname : kNicknames) {
        if (nickname.name == lower(word.text)) return nickname.fields;
        known.emplace_back(nickname.name);
    }
    refuse(text, "is no name of a schedule." + text::suggestion(lower(word.text.substr(0, kQuotedLength)), known) +
                     " Or give five fields, for example '0 2 * * *', which is daily at 02:00");
}

/// The first value from `from` on that is set; the size where none is.
template <std::size_t Size>
std::size_t next_set(const std::bitset<Size>& values, std::size_t from) {
    while (from < Size && !values.test(from)) ++from;
    return from;
}

}  // namespace

CronExpression CronExpression::parse(std::string_view text) {
    auto words = split_words(text);
    if (words.size() == 1 && words.front().text.starts_with('@'))
        words = split_words(fields_of_nickname(text, words.front()));
    if (words.size() != kFields.size()) {
        refuse(text, "has " + std::to_string(words.size()) + (words.size() == 1 ? " field" : " fields") +
                         " where five are expected: minute, hour, day of month, month, day of week; for example "
                         "'0 2 * * *' is daily at 02:00");
    }
    CronExpression expression;
    expression.text_ = text;
    expression.minutes_ = FieldReader(text, kFields[0]).read<60>(words[0]);
    expression.hours_ = FieldReader(text, kFields[1]).read<24>(words[1]);
    expression.days_of_month_ = FieldReader(text, kFields[2]).read<32>(words[2]);
    expression.months_ = FieldReader(text, kFields[3]).read<13>(words[3]);
    expression.days_of_week_ = FieldReader(text, kFields[4]).read<7>(words[4]);
    expression.either_day_ = !words[2].text.starts_with('*') && !words[4].text.starts_with('*');
    expression.every_hour_ = words[1].text.starts_with('*') || expression.hours_.all();
    if (!expression.ever_fires()) {
        refuse(text, "never fires: no month it names (column " + std::to_string(words[3].column) +
                         ") has a day it names (column " + std::to_string(words[2].column) +
                         "); for example '0 2 28 2 *' is at 02:00 on 28 February");
    }
    return expression;
}

bool CronExpression::ever_fires() const {
    // Every date falls on every day of the week some year, 29 February too. So only dates can be impossible.
    if (either_day_) return true;
    for (std::size_t month = 1; month < months_.size(); ++month) {
        if (!months_.test(month)) continue;
        if (next_set(days_of_month_, 1) <= static_cast<std::size_t>(kLongestMonth[month])) return true;
    }
    return false;
}

bool CronExpression::matches_day(local_days day, std::chrono::day day_of_month) const {
    const bool by_month = days_of_month_.test(static_cast<unsigned>(day_of_month));
    const bool by_week = days_of_week_.test(std::chrono::weekday(day).c_encoding());
    return either_day_ ? by_month || by_week : by_month && by_week;
}

std::optional<WallTime> CronExpression::first_match(WallTime from, WallTime before) const {
    const auto earliest = std::chrono::ceil<minutes>(from);
    auto day = std::chrono::floor<days>(earliest);
    auto time_of_day = earliest - day;
    while (day < before) {
        const std::chrono::year_month_day date(day);
        if (!months_.test(static_cast<unsigned>(date.month()))) {
            day = local_days((date.year() / date.month() + months(1)) / 1);
            time_of_day = minutes(0);
            continue;
        }
        if (matches_day(day, date.day())) {
            auto hour = static_cast<std::size_t>(time_of_day / hours(1));
            auto minute = next_set(minutes_, static_cast<std::size_t>(time_of_day % hours(1) / minutes(1)));
            if (!hours_.test(hour) || minute == minutes_.size()) {
                // A later hour begins with its first minute.
                hour = next_set(hours_, hour + 1);
                minute = next_set(minutes_, 0);
            }
            if (hour < hours_.size()) {
                const WallTime match = day + hours(hour) + minutes(minute);
                if (match < before) return match;
                return std::nullopt;
            }
        }
        day += days(1);
        time_of_day = minutes(0);
    }
    return std::nullopt;
}

}  // namespace foxbench::schedule
