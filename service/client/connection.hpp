#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "bidi/task.hpp"
#include "service/client/daemon_client.hpp"
#include "service/error.hpp"
#include "service/url/url.hpp"

/// What requests and event streams have in common. Within client/ only.
namespace foxbench::client::detail {

using TimePoint = std::chrono::steady_clock::time_point;
using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

inline constexpr auto kAwait = boost::asio::as_tuple(boost::asio::use_awaitable);
/// The daemon's headers have a few hundred bytes.
inline constexpr std::uint32_t kMaxHeaderBytes = 64 * 1024;

/// The daemon's URL taken apart. Throws foxbench::Error (usage) for https and for a query.
[[nodiscard]] url::Url daemon_url(const std::string& text);

/// A request with what each of them has. `target` is put behind the URL's own path. Throws foxbench::Error (internal)
/// for a target that is not percent-encoded.
[[nodiscard]] HttpRequest make_request(const ClientOptions& options, boost::beast::http::verb method,
                                       std::string_view target, std::string_view accept);

/// "GET /v1/runs at http://127.0.0.1:8177".
[[nodiscard]] std::string describe(const ClientOptions& options, const HttpRequest& request);

/// An open connection to the daemon. Throws foxbench::Error (environment) in words for the user.
[[nodiscard]] bidi::Task<boost::beast::tcp_stream> connect(const ClientOptions& options);

/// What a connection's failure means to the user, `tried` from describe().
[[nodiscard]] Error transport_error(const std::string& tried, const boost::system::error_code& error,
                                    std::chrono::milliseconds allowed);

}  // namespace foxbench::client::detail
