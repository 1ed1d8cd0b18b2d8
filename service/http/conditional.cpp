#include "service/http/conditional.hpp"

#include <algorithm>

#include "service/host/digest.hpp"
#include "service/http/ascii.hpp"

namespace foxbench::http {
namespace {

constexpr std::string_view kGzipSuffix = "-gzip";

/// If-Match compares strongly (a weak tag never matches), If-None-Match weakly (RFC 9110, section 13.1).
bool names(std::string_view list, std::string_view etag, bool weakly) {
    return std::ranges::any_of(list_items(list), [&](std::string_view item) {
        if (item == "*") return !etag.empty();
        if (weakly && item.starts_with("W/")) item.remove_prefix(2);
        if (etag.empty() || item.size() < 2 || item.front() != '"' || item.back() != '"') return false;
        item = item.substr(1, item.size() - 2);
        return item == etag || item == gzip_etag(etag);
    });
}

}  // namespace

Condition judge_conditions(const Fields& fields, std::string_view etag) {
    if (count_fields(fields, "If-Match") > 0 && !names(joined_field(fields, "If-Match"), etag, false))
        return Condition::failed;
    if (names(joined_field(fields, "If-None-Match"), etag, true)) return Condition::not_modified;
    return Condition::proceed;
}

std::string etag_of(std::string_view body) {
    return host::sha256_hex(body).substr(0, 32);
}

std::string gzip_etag(std::string_view etag) {
    return std::string(etag) + std::string(kGzipSuffix);
}

}  // namespace foxbench::http
