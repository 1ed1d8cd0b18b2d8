#include "service/client/connection.hpp"

#include <algorithm>

#include "service/document/json_text.hpp"

namespace foxbench::client::detail {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

/// `error` is of looking up the host's name or of connecting to it.
Error unreachable(const ClientOptions& options, const boost::system::error_code& error) {
    const bool late = error == beast::error::timeout || error == asio::error::timed_out;
    const auto why =
        late ? "no connection within " + std::to_string(options.connect_deadline.count()) + " ms" : error.message();
    std::string message = "no foxbench daemon can be reached at " + options.url + ": " + why;
    if (error == asio::error::connection_refused)
        message += ". Nothing listens there; `foxbench serve` starts a daemon";
    return Error(ErrorCode::environment, document::printable(message, 500));
}

}  // namespace

url::Url daemon_url(const std::string& text) {
    auto url = url::parse_url(text);
    if (url.tls)
        throw Error(ErrorCode::usage, "the daemon at " + document::printable(text) +
                                          " cannot be asked over https, which it does not speak: use http, through a "
                                          "tunnel (ssh -L) where the network is not to be trusted");
    if (url.target.find('?') != std::string::npos)
        throw Error(ErrorCode::usage, "the daemon's URL " + document::printable(text) + " must not have a query");
    return url;
}

HttpRequest make_request(const ClientOptions& options, http::verb method, std::string_view target,
                         std::string_view accept) {
    if (!target.starts_with('/') || !std::ranges::all_of(target, [](char c) { return c > ' ' && c <= '~'; }))
        throw Error(ErrorCode::internal, "the target '" + document::printable(target) + "' is not percent-encoded");
    const auto url = daemon_url(options.url);
    auto path = url.target;
    while (path.ends_with('/')) path.pop_back();
    path += target;

    HttpRequest request(method, path, 11);
    request.set(http::field::host, url.host_header());
    request.set(http::field::user_agent, "foxbench");
    request.set(http::field::accept, beast::string_view(accept.data(), accept.size()));
    if (!options.token.empty()) request.set(http::field::authorization, "Bearer " + options.token);
    request.keep_alive(false);
    return request;
}

std::string describe(const ClientOptions& options, const HttpRequest& request) {
    return std::string(request.method_string()) + ' ' +
           document::printable(std::string_view(request.target().data(), request.target().size())) + " at " +
           options.url;
}

bidi::Task<beast::tcp_stream> connect(const ClientOptions& options) {
    const auto url = daemon_url(options.url);
    const auto executor = co_await asio::this_coro::executor;
    tcp::resolver resolver(executor);
    const auto [lookup_error, endpoints] =
        co_await resolver.async_resolve(url.host, std::to_string(url.port), tcp::resolver::numeric_service, kAwait);
    if (lookup_error) throw unreachable(options, lookup_error);
    beast::tcp_stream stream(executor);
    stream.expires_after(options.connect_deadline);
    const auto [error, endpoint] = co_await stream.async_connect(endpoints, kAwait);
    if (error) throw unreachable(options, error);
    stream.expires_never();
    co_return stream;
}

Error transport_error(const std::string& tried, const boost::system::error_code& error,
                      std::chrono::milliseconds allowed) {
    std::string why;
    if (error == beast::error::timeout)
        why = "no answer within " + std::to_string(allowed.count()) + " ms";
    else if (error == http::error::end_of_stream || error == asio::error::eof ||
             error == http::error::partial_message || error == asio::error::connection_reset ||
             error == asio::error::broken_pipe)
        why = "the connection was closed before the answer was complete; is the daemon being stopped?";
    else
        why = "what listens there is no foxbench daemon, or talks to it are cut: " + error.message();
    return Error(ErrorCode::environment, document::printable(tried + ": " + why, 500));
}

}  // namespace foxbench::client::detail
