#include "service/report/report_facts.hpp"

#include <algorithm>

#include "service/document/object_reader.hpp"
#include "service/report/report_lines.hpp"

namespace foxbench::report {
namespace {

/// A figure in a larger unit in the document's; empty where there is none or a document could not hold it.
std::optional<double> scaled(std::optional<double> figure, double factor) {
    if (!figure || *figure * factor > document::kMaxNumber) return std::nullopt;
    return *figure * factor;
}

}  // namespace

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result) || static_cast<double>(result) > document::kMaxNumber)
        return std::nullopt;
    return result;
}

std::optional<std::int64_t> size_from(std::string_view words) {
    struct Unit {
        std::string_view word;
        std::int64_t bytes;
    };
    for (const Unit unit : {Unit{" MiB", 1024 * 1024}, Unit{" KiB", 1024}, Unit{" B", 1}}) {
        if (!words.ends_with(unit.word)) continue;
        const auto count = integer_from(words.substr(0, words.size() - unit.word.size()));
        return count ? product(*count, unit.bytes) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<double> cost_from(std::string_view cell) {
    for (const auto& [unit, us] : {std::pair<std::string_view, double>{" µs", 1}, {" ms", 1000}, {" s", 1e6}}) {
        if (!cell.ends_with(unit)) continue;
        return scaled(number_from(cell.substr(0, cell.size() - unit.size())), us);
    }
    return std::nullopt;
}

std::optional<std::string> label_from(const std::string& id) {
    constexpr std::string_view kTimeShape = "dddd-dd-dd_dd-dd-dd-";
    if (id.size() <= kTimeShape.size()) return std::nullopt;
    for (std::size_t i = 0; i < kTimeShape.size(); ++i) {
        if (kTimeShape[i] == 'd' ? !is_digit(id[i]) : id[i] != kTimeShape[i]) return std::nullopt;
    }
    auto label = id.substr(kTimeShape.size());
    if (label.find('-') != std::string::npos || std::all_of(label.begin(), label.end(), is_digit)) return std::nullopt;
    return label;
}

document::Host host_from(std::string_view line) {
    document::Host host;
    const auto take_last = [&](std::string_view separator) {
        const auto at = line.rfind(separator);
        const auto part = at == std::string_view::npos ? line : line.substr(at + separator.size());
        line = at == std::string_view::npos ? std::string_view{} : line.substr(0, at);
        return part;
    };
    // From its end, since a processor's name may hold anything.
    const auto has_memory = [](std::string_view part) {
        return part.ends_with(" GB") && number_from(part.substr(0, part.size() - 3));
    };
    if (line.rfind(", ") != std::string_view::npos && !has_memory(line.substr(line.rfind(", ") + 2))) {
        const auto words = split(take_last(", "), ' ');
        if (!words.empty()) host.os = std::string(words.front());
        if (words.size() > 2) host.arch = std::string(words.back());
        if (words.size() > 1) host.kernel = std::string(words[1]);
    }
    if (has_memory(line.substr(line.rfind(", ") == std::string_view::npos ? 0 : line.rfind(", ") + 2))) {
        const auto memory = take_last(", ");
        host.memory_bytes = scaled(number_from(memory.substr(0, memory.size() - 3)), 1e9);
    }
    constexpr std::string_view kThreads = " threads)";
    if (const auto open = line.rfind('('); line.ends_with(kThreads) && open != std::string_view::npos) {
        host.threads = integer_from(line.substr(open + 1, line.size() - kThreads.size() - open - 1));
        line = line.substr(0, open);
        if (line.ends_with(' ')) line.remove_suffix(1);
    }
    if (!line.empty()) host.cpu = std::string(line);
    return host;
}

document::Profiles profiles_from(std::string_view line) {
    document::Profiles profiles;
    const auto open = line.find(" (");
    profiles.filesystem = std::string(line.substr(0, open));
    if (open != std::string_view::npos && line.ends_with(')')) {
        profiles.mount = std::string(line.substr(open + 2, line.size() - open - 3));
    }
    return profiles;
}

std::optional<document::Target> target_from(std::string_view header) {
    document::Target target;
    const auto open = header.find(" (");
    if (open != std::string_view::npos && header.ends_with(')')) {
        target.name = std::string(header.substr(open + 2, header.size() - open - 3));
        header = header.substr(0, open);
    }
    const auto space = header.rfind(' ');
    if (space == std::string_view::npos || space == 0) return std::nullopt;
    target.browser.name = std::string(header.substr(0, space));
    target.browser.version = std::string(header.substr(space + 1));
    if (target.browser.version.empty() || !is_digit(target.browser.version.front())) return std::nullopt;
    return target;
}

bool environment_from(std::string_view line, document::Environment& seen) {
    std::string_view rest;
    if (after(line, "User agent: ", rest)) {
        if (rest.size() >= 2 && rest.front() == '`' && rest.back() == '`') rest = rest.substr(1, rest.size() - 2);
        seen.user_agent = unescaped(rest);
    } else if (after(line, "Platform: ", rest)) {
        constexpr std::string_view kConcurrency = "hardwareConcurrency: ";
        const auto at = rest.rfind(kConcurrency);
        if (at != std::string_view::npos) {
            seen.hardware_concurrency = integer_from(rest.substr(at + kConcurrency.size()));
            rest = rest.substr(0, at);
            if (rest.ends_with("; ")) rest.remove_suffix(2);
        }
        if (!rest.empty()) seen.platform = unescaped(rest);
    } else if (after(line, "Timestamp: ", rest)) {
        seen.timestamp = unescaped(rest);
    } else if (after(line, "performance.now() resolution in the worker: ", rest)) {
        seen.timer_resolution_us = cost_from(rest.substr(0, rest.find(" (")));
        if (rest.ends_with("(crossOriginIsolated: true)")) seen.cross_origin_isolated = true;
        if (rest.ends_with("(crossOriginIsolated: false)")) seen.cross_origin_isolated = false;
    } else if (after(line, "navigator.storage.estimate(): ", rest)) {
        for (const auto part : split(rest, "of ")) {
            const auto unit = part.find(" MB");
            if (unit == std::string_view::npos) continue;
            const bool used = part.substr(unit).starts_with(" MB used");
            (used ? seen.storage_usage_bytes : seen.storage_quota_bytes) =
                scaled(number_from(part.substr(0, unit)), 1e6);
        }
    } else {
        return false;
    }
    return true;
}

std::string lower_slug(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        const bool kept = (c >= 'a' && c <= 'z') || is_digit(c) || c == '.' || c == '_';
        if (!kept) c = '-';
    }
    return text;
}

}  // namespace foxbench::report
