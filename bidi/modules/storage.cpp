#include "bidi/modules/storage.hpp"

#include <utility>

#include "bidi/detail/call_as.hpp"

namespace bidi::storage {
namespace {

using detail::call_as;
using detail::read;
using detail::set_if;

json encode_options(const CookiesOptions& options) {
    json params = json::object();
    set_if(params, "filter", options.filter);
    set_if(params, "partition", options.partition);
    return params;
}

}  // namespace

void to_json(json& out, const BytesValue& bytes) {
    out = {{"type", bytes.type}, {"value", bytes.value}};
}

void from_json(const json& in, BytesValue& bytes) {
    read(in, "type", bytes.type);
    read(in, "value", bytes.value);
}

void from_json(const json& in, Cookie& cookie) {
    read(in, "name", cookie.name);
    read(in, "value", cookie.value);
    read(in, "domain", cookie.domain);
    read(in, "path", cookie.path);
    read(in, "size", cookie.size_bytes);
    read(in, "httpOnly", cookie.http_only);
    read(in, "secure", cookie.secure);
    read(in, "sameSite", cookie.same_site);
    read(in, "expiry", cookie.expiry_s);
    cookie.extra = detail::unknown_members(
        in, {"name", "value", "domain", "path", "size", "httpOnly", "secure", "sameSite", "expiry"});
}

void to_json(json& out, const CookieFilter& filter) {
    out = json::object();
    set_if(out, "name", filter.name);
    set_if(out, "value", filter.value);
    set_if(out, "domain", filter.domain);
    set_if(out, "path", filter.path);
    set_if(out, "size", filter.size_bytes);
    set_if(out, "httpOnly", filter.http_only);
    set_if(out, "secure", filter.secure);
    set_if(out, "sameSite", filter.same_site);
    set_if(out, "expiry", filter.expiry_s);
    detail::add_extra(out, filter.extra);
}

void to_json(json& out, const PartialCookie& cookie) {
    out = {{"name", cookie.name}, {"value", cookie.value}, {"domain", cookie.domain}};
    set_if(out, "path", cookie.path);
    set_if(out, "httpOnly", cookie.http_only);
    set_if(out, "secure", cookie.secure);
    set_if(out, "sameSite", cookie.same_site);
    set_if(out, "expiry", cookie.expiry_s);
    detail::add_extra(out, cookie.extra);
}

void to_json(json& out, const ContextPartition& partition) {
    out = {{"type", "context"}, {"context", partition.context}};
}

void to_json(json& out, const StorageKeyPartition& partition) {
    out = {{"type", "storageKey"}};
    set_if(out, "userContext", partition.user_context);
    set_if(out, "sourceOrigin", partition.source_origin);
    detail::add_extra(out, partition.extra);
}

void from_json(const json& in, PartitionKey& key) {
    read(in, "userContext", key.user_context);
    read(in, "sourceOrigin", key.source_origin);
    key.extra = detail::unknown_members(in, {"userContext", "sourceOrigin"});
}

void from_json(const json& in, GetCookiesResult& result) {
    read(in, "cookies", result.cookies);
    read(in, "partitionKey", result.partition_key);
}

void from_json(const json& in, SetCookieResult& result) {
    read(in, "partitionKey", result.partition_key);
}

void from_json(const json& in, DeleteCookiesResult& result) {
    read(in, "partitionKey", result.partition_key);
}

Task<GetCookiesResult> get_cookies(Connection& connection, const CookiesOptions& options, CallOptions call) {
    return call_as<GetCookiesResult>(connection, "storage.getCookies", encode_options(options), std::move(call));
}

Task<SetCookieResult> set_cookie(Connection& connection, const PartialCookie& cookie, const SetCookieOptions& options,
                                 CallOptions call) {
    json params = {{"cookie", cookie}};
    set_if(params, "partition", options.partition);
    return call_as<SetCookieResult>(connection, "storage.setCookie", std::move(params), std::move(call));
}

Task<DeleteCookiesResult> delete_cookies(Connection& connection, const CookiesOptions& options, CallOptions call) {
    return call_as<DeleteCookiesResult>(connection, "storage.deleteCookies", encode_options(options), std::move(call));
}

}  // namespace bidi::storage
