#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bidi/connection.hpp"
#include "bidi/modules/fields.hpp"
#include "bidi/modules/word.hpp"
#include "bidi/task.hpp"

/// The storage module: https://w3c.github.io/webdriver-bidi/#module-storage
/// What holds for every command is said at bidi::session. All of them answer "no such storage partition" for a
/// partition that cannot be, "no such frame" and "no such user context" for one described by what is not there, and
/// "underspecified storage partition" when the browser needs more than was given.
namespace bidi::storage {

/// Whether a network.BytesValue's text is the bytes themselves (UTF-8) or their base64 encoding.
struct BytesEncoding : Word<BytesEncoding> {
    using Word::Word;
    static const BytesEncoding string, base64;
};
inline const BytesEncoding BytesEncoding::string{"string"};
inline const BytesEncoding BytesEncoding::base64{"base64"};

/// network.BytesValue.
struct BytesValue {
    BytesValue() = default;
    explicit BytesValue(std::string text) : value(std::move(text)) {}
    BytesValue(BytesEncoding encoding, std::string text) : type(std::move(encoding)), value(std::move(text)) {}

    BytesEncoding type = BytesEncoding::string;
    std::string value;
};

/// network.SameSite. `by_default` is the protocol's "default": the cookie names none.
struct SameSite : Word<SameSite> {
    using Word::Word;
    static const SameSite strict, lax, none, by_default;
};
inline const SameSite SameSite::strict{"strict"};
inline const SameSite SameSite::lax{"lax"};
inline const SameSite SameSite::none{"none"};
inline const SameSite SameSite::by_default{"default"};

/// network.Cookie.
struct Cookie {
    std::string name;
    BytesValue value;
    std::string domain;
    std::string path;
    std::uint64_t size_bytes = 0;  ///< of name and value
    bool http_only = false;
    bool secure = false;
    SameSite same_site;
    std::optional<std::uint64_t> expiry_s;  ///< seconds since 1970; none: until the browser's end
    json extra = json::object();            ///< vendors' members
};

/// storage.CookieFilter: the cookies of which all given members are equal.
struct CookieFilter {
    CookieFilter() = default;

    std::optional<std::string> name;
    std::optional<BytesValue> value;
    std::optional<std::string> domain;
    std::optional<std::string> path;
    std::optional<std::uint64_t> size_bytes;
    std::optional<bool> http_only;
    std::optional<bool> secure;
    std::optional<SameSite> same_site;
    std::optional<std::uint64_t> expiry_s;
    json extra = json::object();  ///< vendors' members
};

/// storage.PartialCookie: a cookie to set.
struct PartialCookie {
    PartialCookie() = default;
    explicit PartialCookie(std::string cookie_name, BytesValue content, std::string host)
        : name(std::move(cookie_name)), value(std::move(content)), domain(std::move(host)) {}

    std::string name;
    BytesValue value;
    std::string domain;
    std::optional<std::string> path;  ///< "/", if not given
    std::optional<bool> http_only;
    std::optional<bool> secure;
    std::optional<SameSite> same_site;
    std::optional<std::uint64_t> expiry_s;
    json extra = json::object();  ///< vendors' members
};

/// storage.BrowsingContextPartitionDescriptor: the partition that this context's page uses.
struct ContextPartition {
    ContextPartition() = default;
    explicit ContextPartition(std::string id) : context(std::move(id)) {}

    std::string context;
};

/// storage.StorageKeyPartitionDescriptor.
struct StorageKeyPartition {
    StorageKeyPartition() = default;

    std::optional<std::string> user_context;
    std::optional<std::string> source_origin;
    json extra = json::object();  ///< vendors' members
};

using PartitionDescriptor = std::variant<ContextPartition, StorageKeyPartition>;

/// storage.PartitionKey: the partition that a command worked on.
struct PartitionKey {
    std::optional<std::string> user_context;
    std::optional<std::string> source_origin;
    json extra = json::object();
};

struct CookiesOptions {
    CookiesOptions() = default;

    std::optional<CookieFilter> filter;  ///< all, if not given
    std::optional<PartitionDescriptor> partition;
};

struct SetCookieOptions {
    SetCookieOptions() = default;
    explicit SetCookieOptions(PartitionDescriptor where) : partition(std::move(where)) {}

    std::optional<PartitionDescriptor> partition;
};

struct GetCookiesResult {
    std::vector<Cookie> cookies;
    PartitionKey partition_key;
};

struct SetCookieResult {
    PartitionKey partition_key;
};

struct DeleteCookiesResult {
    PartitionKey partition_key;
};

void to_json(json& out, const BytesValue& bytes);
void from_json(const json& in, BytesValue& bytes);
void from_json(const json& in, Cookie& cookie);
void to_json(json& out, const CookieFilter& filter);
void to_json(json& out, const PartialCookie& cookie);
void to_json(json& out, const ContextPartition& partition);
void to_json(json& out, const StorageKeyPartition& partition);
void from_json(const json& in, PartitionKey& key);
void from_json(const json& in, GetCookiesResult& result);
void from_json(const json& in, SetCookieResult& result);
void from_json(const json& in, DeleteCookiesResult& result);

/// storage.getCookies.
Task<GetCookiesResult> get_cookies(Connection& connection, const CookiesOptions& options = {}, CallOptions call = {});

/// storage.setCookie.
/// Errors: "unable to set cookie".
Task<SetCookieResult> set_cookie(Connection& connection, const PartialCookie& cookie,
                                 const SetCookieOptions& options = {}, CallOptions call = {});

/// storage.deleteCookies.
Task<DeleteCookiesResult> delete_cookies(Connection& connection, const CookiesOptions& options = {},
                                         CallOptions call = {});

}  // namespace bidi::storage
