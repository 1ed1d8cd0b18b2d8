#include "service/http/exchange.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "service/document/json_text.hpp"
#include "service/http/compression.hpp"
#include "service/http/conditional.hpp"
#include "service/http/event_hub.hpp"
#include "service/http/idempotency.hpp"
#include "service/http/json_body.hpp"
#include "service/http/limits.hpp"
#include "service/http/negotiation.hpp"
#include "service/http/off_loop.hpp"
#include "service/http/problem.hpp"

namespace foxbench::http {
namespace {

/// A copy is good for a day; a later version of foxbench may render the same run more beautifully.
constexpr std::string_view kImmutable = "private, max-age=86400, immutable";
/// Kept, but asked about each time.
constexpr std::string_view kRevalidate = "private, no-cache";
constexpr std::string_view kPagePolicy =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const Route& find_route(const RouteTable& table, const Header& header, const Target& target, Request& request) {
    auto found = table.match(header.method, target.path);
    if (std::holds_alternative<NoSuchPath>(found))
        throw Problem(404, "There is nothing at " + document::printable(target.path) + ".");
    if (const auto* wrong = std::get_if<WrongMethod>(&found)) {
        throw Problem(405, document::printable(header.method) + " is not possible here; " + wrong->allow + " is.")
            .with("Allow", wrong->allow);
    }
    auto& match = std::get<RouteMatch>(found);
    request.parameters = std::move(match.parameters);
    return *match.route;
}

void take_key(const Route& route, Request& request) {
    const auto key = find_field(request.fields, "Idempotency-Key");
    if (!key || !route.idempotent_by_key) return;
    if (count_fields(request.fields, "Idempotency-Key") > 1 || !is_idempotency_key(*key)) {
        throw Problem(400, "Idempotency-Key has to be one key of 1 to " + std::to_string(kMaxIdempotencyKey) +
                               " visible ASCII characters.");
    }
    request.idempotency_key = std::string(*key);
}

/// What a failure looks like to the client; one of the daemon's own is reported with what the client is not told.
Response failed(const Service& service, const Request& request, const std::exception& failure) {
    auto problem = problem_from(failure);
    if (problem.status >= 500) {
        service.report_fault("request_failed", std::string(to_string(request.method)) + " " +
                                                   document::printable(request.path) + ": " + failure.what());
    }
    if (problem.status == 503 && !find_field(problem.fields, "Retry-After"))
        problem.with("Retry-After", std::to_string(kRetryAfterSeconds));
    return to_response(problem, request.path);
}

bidi::Task<Response> handled(const Service& service, const Route& route, const Request& request) {
    Response response;
    try {
        response = co_await route.handler(request);
    } catch (const std::exception& failure) {
        response = failed(service, request, failure);
    }
    co_return response;
}

/// Marks a key as being answered, for as long as it lives.
class KeyInProgress {
public:
    KeyInProgress(std::set<std::string>& keys, const std::string& key) : keys_(keys), key_(key) {
        first_ = keys_.insert(key_).second;
    }
    KeyInProgress(const KeyInProgress&) = delete;
    KeyInProgress& operator=(const KeyInProgress&) = delete;
    ~KeyInProgress() {
        if (first_) keys_.erase(key_);
    }
    [[nodiscard]] bool is_first() const noexcept { return first_; }

private:
    std::set<std::string>& keys_;
    std::string key_;
    bool first_ = false;
};

/// An answer that cannot be kept is given all the same: what was asked for has been done.
bidi::Task<> remember(const Service& service, const std::string& key, const StoredAnswer& given) {
    std::string fault;
    try {
        co_await service.options.idempotency->remember(key, given);
    } catch (const std::exception& failure) {
        fault = failure.what();
    }
    if (!fault.empty()) service.report_fault("answer_not_kept", "an Idempotency-Key's answer was not kept: " + fault);
}

bidi::Task<Response> handled_once(Service& service, const Route& route, const Request& request) {
    const auto& key = *request.idempotency_key;
    const KeyInProgress progress(service.keys_in_progress, key);
    if (!progress.is_first()) {
        co_return to_response(
            Problem(409, "A request with this Idempotency-Key is being answered.").with("Retry-After", "1"),
            request.path);
    }
    const auto hash = request_hash(request);
    const auto known = co_await service.options.idempotency->find(key);
    if (known && known->request_hash == hash) co_return from_stored(*known);
    if (known) {
        co_return to_response(Problem(422, "This Idempotency-Key was used for another request; take a new one."),
                              request.path);
    }
    auto response = co_await handled(service, route, request);
    if (response.status < 500) {
        const auto given = to_stored(response, hash);
        co_await remember(service, key, given);
    }
    co_return response;
}

bool has_field(const Outgoing& outgoing, std::string_view name) {
    return count_fields(outgoing.fields, name) > 0;
}

void add_missing(Outgoing& outgoing, std::string_view name, std::string_view value) {
    if (!has_field(outgoing, name)) outgoing.fields.emplace_back(name, value);
}

/// A field's value that would end the field, or the header, loses what does it.
void make_harmless(Fields& fields) {
    for (auto& [name, value] : fields) {
        std::ranges::replace_if(
            value, [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }, '?');
    }
}

void add_vary(Outgoing& outgoing, const Route* route, bool compressible) {
    std::string vary;
    if (route && route->produces.size() > 1) vary = "Accept";
    if (compressible) vary += vary.empty() ? "Accept-Encoding" : ", Accept-Encoding";
    if (!vary.empty()) add_missing(outgoing, "Vary", vary);
}

}  // namespace

Judged judge(const Header& header, const Service& service, Access::Clock::time_point now) {
    Judged judged;
    judged.framing = check_framing(header);
    auto target = parse_target(header.target);
    check_host(header, target, service.identity);
    check_origin(header, service.identity);

    auto& request = judged.request;
    const Route& route = find_route(service.table, header, target, request);
    judged.route = &route;
    request.method = route.method;
    request.head = header.method == "HEAD";
    request.fields = header.fields;
    if (service.options.access) service.options.access->require(route.scope, header.fields, now);
    request.content_type = check_body(header, judged.framing, route);
    judged.expects_continue = expects_continue(header, judged.framing);
    request.query = parse_query(target.query);
    check_query(request.query, route);
    request.media_type = negotiate(route, header.fields, request.query);
    take_key(route, request);
    if (const auto id = find_field(header.fields, "Last-Event-ID")) request.last_event_id = event_id_from(*id);
    request.target = std::move(target.origin_form);
    request.path = std::move(target.path);
    return judged;
}

bidi::Task<> take_body(const Service& service, const Route& route, Request& request, std::string body) {
    request.body = std::move(body);
    if (!changes_state(route.method) || request.content_type != "application/json") co_return;
    if (route.body == Body::none && request.body.empty()) co_return;
    const bool large = request.body.size() > kOffloadBytes;
    request.json = co_await off_loop(service.options.pool, large, [&request] { return parse_body(request.body); });
    if (route.body == Body::none) BodyReader(request.json).finish();
}

bidi::Task<Response> answer(Service& service, const Route& route, const Request& request) {
    Response response;
    try {
        if (request.idempotency_key && service.options.idempotency) {
            response = co_await handled_once(service, route, request);
        } else {
            response = co_await handled(service, route, request);
        }
    } catch (const std::exception& failure) {
        response = failed(service, request, failure);
    }
    co_return response;
}

bidi::Task<Outgoing> finish(const Service& service, const Route* route, const Request* request, Response response) {
    const bool is_read = request && !changes_state(request->method);
    const bool cacheable =
        is_read && (response.cacheable || response.immutable) && (response.status == 200 || response.status == 304);
    if (cacheable && response.etag.empty()) {
        response.etag = co_await off_loop(service.options.pool, response.body.size() > kOffloadBytes,
                                          [&response] { return etag_of(response.body); });
    }
    if (cacheable) {
        const auto condition = judge_conditions(request->fields, response.etag);
        if (condition == Condition::failed) {
            const Problem problem(412, "What is here is not what If-Match expects.");
            response = to_response(problem, request->path);
        } else if (condition == Condition::not_modified) {
            response.status = 304;
        }
    }
    const bool has_etag = !response.etag.empty() && (response.status < 300 || response.status == 304);

    Outgoing outgoing;
    outgoing.status = response.status;
    outgoing.fields = std::move(response.fields);
    const bool has_body = response.status != 204 && response.status != 304;
    const bool compressible =
        is_read && response.status == 200 && is_compressible(response.content_type, response.body.size());
    std::optional<std::string> packed;
    if (compressible && accepts_gzip(joined_field(request->fields, "Accept-Encoding"))) {
        packed = co_await off_loop(service.options.pool, response.body.size() > kOffloadBytes,
                                   [&response] { return gzip(response.body); });
    }
    add_vary(outgoing, route, compressible);
    if (has_etag) {
        const auto etag = packed ? gzip_etag(response.etag) : response.etag;
        add_missing(outgoing, "ETag", "\"" + etag + "\"");
    }
    if (has_body && (response.events || !response.body.empty()))
        add_missing(outgoing, "Content-Type", response.content_type);
    if (packed) outgoing.fields.emplace_back("Content-Encoding", "gzip");
    if (has_body) outgoing.body = packed ? *std::move(packed) : std::move(response.body);

    const bool kept = has_etag && cacheable;
    add_missing(outgoing, "Cache-Control", !kept ? "no-store" : response.immutable ? kImmutable : kRevalidate);
    add_missing(outgoing, "X-Content-Type-Options", "nosniff");
    add_missing(outgoing, "Referrer-Policy", "no-referrer");
    // No other site's page may embed an answer, not even as an image or a script.
    add_missing(outgoing, "Cross-Origin-Resource-Policy", "same-origin");
    if (response.content_type.starts_with("text/html")) add_missing(outgoing, "Content-Security-Policy", kPagePolicy);
    make_harmless(outgoing.fields);
    co_return outgoing;
}

std::string http_date(std::time_t time) {
    constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm utc{};
    gmtime_r(&time, &utc);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                  kDays.at(static_cast<std::size_t>(utc.tm_wday)), utc.tm_mday,
                  kMonths.at(static_cast<std::size_t>(utc.tm_mon)), utc.tm_year + 1900, utc.tm_hour, utc.tm_min,
                  utc.tm_sec);
    return text.data();
}

}  // namespace foxbench::http
