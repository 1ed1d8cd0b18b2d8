#include "service/text/cpu_list.hpp"

#include <algorithm>
#include <charconv>

#include "service/error.hpp"
#include "service/text/words.hpp"

namespace foxbench::text {
namespace {

[[noreturn]] void refuse(std::string_view list) {
    throw Error(ErrorCode::usage, "'" + std::string(list) + "' is no list of processors: expected numbers of 0 to " +
                                      std::to_string(kMaxProcessor) + " and ranges, such as 0-1,3");
}

int parse_number(std::string_view digits, std::string_view list) {
    int number = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    // from_chars takes a sign, which no processor has.
    if (fault != std::errc{} || end != digits.data() + digits.size() || digits.front() == '-' || number > kMaxProcessor)
        refuse(list);
    return number;
}

}  // namespace

std::vector<int> parse_cpu_list(std::string_view list) {
    std::vector<int> processors;
    for (const auto& part : split_list(list)) {
        const std::string_view range = part;
        const auto dash = range.find('-');
        const int first = parse_number(range.substr(0, dash), list);
        const int last = dash == std::string_view::npos ? first : parse_number(range.substr(dash + 1), list);
        if (last < first) refuse(list);
        for (int processor = first; processor <= last; ++processor) processors.push_back(processor);
    }
    if (processors.empty()) refuse(list);
    std::ranges::sort(processors);
    processors.erase(std::ranges::unique(processors).begin(), processors.end());
    return processors;
}

std::string format_cpu_list(const std::vector<int>& processors) {
    std::string list;
    for (std::size_t first = 0, last = 0; first < processors.size(); first = last + 1) {
        for (last = first; last + 1 < processors.size() && processors[last + 1] == processors[last] + 1;) ++last;
        if (!list.empty()) list += ',';
        list += std::to_string(processors[first]);
        if (last > first) list.append("-").append(std::to_string(processors[last]));
    }
    return list;
}

}  // namespace foxbench::text
