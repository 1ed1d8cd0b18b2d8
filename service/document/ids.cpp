#include "service/document/ids.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace foxbench::document {
namespace {

constexpr std::size_t kTimeLength = 19;    // 2026-09-15_22-13-00
constexpr std::size_t kSuffixReserve = 8;  // "-" and a number of up to seven digits

bool is_letter_or_digit(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_id_character(char c) noexcept {
    return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
}

}  // namespace

bool is_run_id(std::string_view text) noexcept {
    return !text.empty() && text.size() <= kMaxRunIdLength && is_letter_or_digit(text.front()) &&
           std::all_of(text.begin(), text.end(), is_id_character) && text.find("..") == text.npos;
}

std::string slug(std::string_view label) {
    constexpr std::size_t kMaxLength = kMaxRunIdLength - kTimeLength - 1 - kSuffixReserve;
    std::string out;
    for (const char c : label) {
        if (out.size() == kMaxLength) break;
        const bool continues_a_code_point = (static_cast<std::uint8_t>(c) & 0xC0) == 0x80;
        if (continues_a_code_point) continue;
        const bool second_dot = c == '.' && !out.empty() && out.back() == '.';
        out += is_id_character(c) && !second_dot ? c : '-';
    }
    return out;
}

std::string make_id(const std::tm& local_time, std::string_view label) {
    std::array<char, kTimeLength + 1> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d_%H-%M-%S", &local_time);
    std::string id(text.data(), length);
    if (const std::string name = slug(label); !name.empty()) id += "-" + name;
    return id;
}

std::string free_id(const std::string& id, const std::function<bool(const std::string&)>& taken) {
    if (id != kLatest && !taken(id)) return id;
    for (std::uint64_t number = 2;; ++number) {
        const std::string suffix = "-" + std::to_string(number);
        std::string candidate = id.substr(0, kMaxRunIdLength - suffix.size()) + suffix;
        if (!taken(candidate)) return candidate;
    }
}

bool is_suffixed(std::string_view id, std::string_view base) noexcept {
    if (id.size() < base.size() + 2 || !id.starts_with(base) || id[base.size()] != '-') return false;
    const std::string_view number = id.substr(base.size() + 1);
    const bool digits = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && number.front() != '0' && number != "1";
}

}  // namespace foxbench::document
