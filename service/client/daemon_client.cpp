#include "service/client/daemon_client.hpp"

#include <algorithm>
#include <utility>

#include "service/client/connection.hpp"
#include "service/client/problem.hpp"
#include "service/document/json_text.hpp"

namespace foxbench::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

/// A long run's document with every sample; nothing that the daemon serves is near it.
constexpr std::uint64_t kMaxBodyBytes = std::uint64_t{1} << 30;
/// For a daemon that is there, /version takes a millisecond.
constexpr std::chrono::milliseconds kProbeDeadline{2'000};

bidi::Task<Answer> exchange(const ClientOptions& options, const detail::HttpRequest& request) {
    const auto tried = detail::describe(options, request);
    auto stream = co_await detail::connect(options);
    stream.expires_after(options.deadline);
    const auto [write_error, written] = co_await http::async_write(stream, request, detail::kAwait);
    // A refusal may come, and the connection be closed, before all of the body was sent: what was said is read first.
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.header_limit(detail::kMaxHeaderBytes);
    parser.body_limit(kMaxBodyBytes);
    const auto [read_error, read] = co_await http::async_read(stream, buffer, parser, detail::kAwait);
    if (read_error) throw detail::transport_error(tried, write_error ? write_error : read_error, options.deadline);

    auto response = parser.release();
    Answer answer;
    answer.status = response.result_int();
    for (const auto& field : response) {
        std::string name(field.name_string());
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        answer.headers[name] = std::string(field.value());
    }
    if (const auto type = answer.headers.find("content-type"); type != answer.headers.end())
        answer.content_type = type->second;
    answer.body = std::move(response.body());
    if (answer.status >= 400) throw problem_error(tried, answer.status, answer.content_type, answer.body);
    co_return answer;
}

Answer send(const ClientOptions& options, const detail::HttpRequest& request) {
    asio::io_context loop(1);
    std::optional<Answer> result;
    std::exception_ptr failure;
    asio::co_spawn(loop, exchange(options, request), [&](std::exception_ptr error, Answer answer) {
        failure = std::move(error);
        result = std::move(answer);
    });
    loop.run();
    if (failure) std::rethrow_exception(failure);
    return std::move(result).value();
}

Answer send_with_body(const ClientOptions& options, http::verb method, std::string_view target,
                      std::string_view content_type, std::string body, std::string_view idempotency_key = {}) {
    auto request = detail::make_request(options, method, target, "application/json");
    request.set(http::field::content_type, beast::string_view(content_type.data(), content_type.size()));
    if (!idempotency_key.empty())
        request.set("Idempotency-Key", beast::string_view(idempotency_key.data(), idempotency_key.size()));
    request.body() = std::move(body);
    request.prepare_payload();
    return send(options, request);
}

}  // namespace

Json Answer::json() const {
    try {
        return document::parse_json(body, "the daemon's answer");
    } catch (const Error& error) {
        // Not the user's fault, though it reads like it.
        throw Error(ErrorCode::environment, error.what());
    }
}

DaemonClient::DaemonClient(ClientOptions options) : options_(std::move(options)) {
    (void)detail::daemon_url(options_.url);
    while (options_.url.ends_with('/')) options_.url.pop_back();
}

Answer DaemonClient::get(std::string_view target, std::string_view accept) const {
    return send(options_, detail::make_request(options_, http::verb::get, target, accept));
}

Answer DaemonClient::post(std::string_view target, const Json& body, std::string_view idempotency_key) const {
    return send_with_body(options_, http::verb::post, target, "application/json", document::to_text(body),
                          idempotency_key);
}

Answer DaemonClient::post_text(std::string_view target, std::string_view content_type, std::string body) const {
    return send_with_body(options_, http::verb::post, target, content_type, std::move(body));
}

Answer DaemonClient::put(std::string_view target, const Json& body) const {
    return send_with_body(options_, http::verb::put, target, "application/json", document::to_text(body));
}

Answer DaemonClient::patch(std::string_view target, const Json& body) const {
    return send_with_body(options_, http::verb::patch, target, "application/json", document::to_text(body));
}

Answer DaemonClient::del(std::string_view target) const {
    auto request = detail::make_request(options_, http::verb::delete_, target, "application/json");
    // The daemon takes no change without it: pages of other sites cannot send it unasked.
    request.set(http::field::content_type, "application/json");
    return send(options_, request);
}

EventStream DaemonClient::events(std::string_view target, std::string last_event_id) const {
    return EventStream(options_, std::string(target), std::move(last_event_id));
}

std::optional<DaemonClient> find_daemon(const Places& places) {
    const bool named = !places.url_option.empty() || !places.url_environment.empty();
    ClientOptions options;
    options.url = !places.url_option.empty()        ? places.url_option
                  : !places.url_environment.empty() ? places.url_environment
                                                    : places.configured_url;
    options.token = places.token;
    if (options.url.empty()) return std::nullopt;

    const DaemonClient client(options);
    options.connect_deadline = options.deadline = kProbeDeadline;
    try {
        const auto version = DaemonClient(options).get("/version").json();
        if (version.is_object() && version.contains("version")) return client;
        throw Error(ErrorCode::environment, "what listens at " + options.url + " is no foxbench daemon");
    } catch (const Error& error) {
        if (!named) return std::nullopt;
        if (error.code() != ErrorCode::not_found) throw;
        throw Error(ErrorCode::environment,
                    "what listens at " + options.url + " is no foxbench daemon: " + error.what());
    }
}

}  // namespace foxbench::client
