#include "service/compare/source_range.hpp"

#include <algorithm>
#include <string_view>

namespace foxbench::compare {
namespace {

/// An address is made of these words: nothing but a change's hash must get into it.
bool is_hash(std::string_view text) {
    constexpr std::size_t kShortest = 7;
    constexpr std::size_t kLongest = 64;
    return text.size() >= kShortest && text.size() <= kLongest &&
           text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// The repository's address without what may stand at its end; empty where it is not one of `host`'s.
std::string repository_on(std::string_view host, std::string_view address) {
    if (!address.starts_with(host)) return {};
    for (const std::string_view end : {std::string_view("/"), std::string_view(".git")}) {
        if (address.ends_with(end)) address.remove_suffix(end.size());
    }
    if (address.size() <= host.size()) return {};
    const auto path = address.substr(host.size());
    const bool plain = !path.empty() && std::ranges::all_of(path, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '/' || c == '-' || c == '_' || c == '.';
    });
    return plain ? std::string(address) : std::string();
}

std::string address_of(const SourceRange& range) {
    if (!is_hash(range.from) || !is_hash(range.to)) return {};
    if (const auto hg = repository_on("https://hg.mozilla.org/", range.repository); !hg.empty())
        return hg + "/pushloghtml?fromchange=" + range.from + "&tochange=" + range.to;
    if (const auto git = repository_on("https://github.com/", range.repository); !git.empty())
        return git + "/compare/" + range.from + "..." + range.to;
    return {};
}

}  // namespace

std::optional<SourceRange> source_range(const document::Browser& base, const document::Browser& next) {
    if (!base.source_stamp || !next.source_stamp || *base.source_stamp == *next.source_stamp) return std::nullopt;
    if (base.source_repository.value_or("") != next.source_repository.value_or("")) return std::nullopt;
    SourceRange range;
    range.repository = base.source_repository.value_or("");
    range.from = *base.source_stamp;
    range.to = *next.source_stamp;
    range.address = address_of(range);
    return range;
}

}  // namespace foxbench::compare
