#include "service/notify/poster.hpp"

#include <algorithm>
#include <array>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <openssl/x509v3.h>

#include "service/document/json_text.hpp"
#include "service/error.hpp"
#include "service/url/url.hpp"

namespace foxbench::notify {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;
using TimePoint = std::chrono::steady_clock::time_point;
using Request = http::request<http::string_body>;

/// What the receiver says is not wanted, but reading a little of it spares it a reset connection.
constexpr std::size_t kMaxAnswerBytes = std::size_t{64} * 1024;
constexpr std::uint32_t kMaxHeaderBytes = 16 * 1024;
constexpr std::chrono::seconds kReadOn{1};
constexpr std::size_t kMaxErrorBytes = 300;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

/// What is sent and where to; lives as long as the attempt.
struct Job {
    url::Url url;
    Request request;
    TimePoint deadline;
    std::chrono::milliseconds allowed;
};

std::string failure(const Job& job, const std::string& doing, const error_code& error) {
    const bool late = error == beast::error::timeout || error == asio::error::timed_out;
    const auto text = late ? "nothing within " + std::to_string(job.allowed.count()) + " ms" : error.message();
    return document::printable(doing + " " + job.url.host_header() + ": " + text, kMaxErrorBytes);
}

/// A look-up on its own, since it cannot be cancelled while the system's resolver is at it: the caller goes away at the
/// deadline, the answer is dropped when it comes.
struct Lookup {
    explicit Lookup(const asio::any_io_executor& executor) : resolver(executor), done(executor) {}

    tcp::resolver resolver;
    asio::steady_timer done;
    tcp::resolver::results_type endpoints;
    error_code error = asio::error::timed_out;
};

bidi::Task<std::shared_ptr<Lookup>> look_up(const Job& job) {
    auto lookup = std::make_shared<Lookup>(co_await asio::this_coro::executor);
    lookup->done.expires_at(job.deadline);
    lookup->resolver.async_resolve(job.url.host, std::to_string(job.url.port), tcp::resolver::numeric_service,
                                   [lookup](const error_code& error, tcp::resolver::results_type endpoints) {
                                       lookup->error = error;
                                       lookup->endpoints = std::move(endpoints);
                                       lookup->done.cancel();
                                   });
    co_await lookup->done.async_wait(kAwait);
    co_return lookup;
}

/// Reads the answer's body, or its beginning, and drops it. How that goes matters to nobody.
template <class Stream>
bidi::Task<> skip_body(Stream& stream, beast::flat_buffer& buffer, http::response_parser<http::buffer_body>& parser) {
    std::array<char, std::size_t{4} * 1024> piece;
    for (std::size_t total = 0; total < kMaxAnswerBytes && !parser.is_done(); total += piece.size()) {
        parser.get().body().data = piece.data();
        parser.get().body().size = piece.size();
        const auto [error, size] = co_await http::async_read(stream, buffer, parser, kAwait);
        if (error && error != http::error::need_buffer) co_return;
    }
}

/// Sends the request over a stream that is ready for it and judges the answer.
template <class Stream>
bidi::Task<Attempt> exchange(Stream& stream, const Job& job) {
    Attempt attempt;
    auto& transport = beast::get_lowest_layer(stream);
    const auto [write_error, written] = co_await http::async_write(stream, job.request, kAwait);
    if (write_error) {
        attempt.error = failure(job, "cannot send to", write_error);
        co_return attempt;
    }
    beast::flat_buffer buffer;
    http::response_parser<http::buffer_body> parser;
    parser.header_limit(kMaxHeaderBytes);
    parser.body_limit(boost::none);  // skip_body() has its own
    const auto [read_error, read] = co_await http::async_read_header(stream, buffer, parser, kAwait);
    if (read_error) {
        attempt.error = failure(job, "no answer from", read_error);
        co_return attempt;
    }
    const auto status = static_cast<int>(parser.get().result_int());
    attempt.status = status;
    if (status / 100 != 2) {
        attempt.error = job.url.host_header() + " answered " + std::to_string(status);
        if (status / 100 == 3) attempt.error += "; redirects are not followed";
    }
    transport.expires_at(std::min(job.deadline, std::chrono::steady_clock::now() + kReadOn));
    co_await skip_body(stream, buffer, parser);
    co_return attempt;
}

/// The name that the certificate has to be for (RFC 6125, RFC 9110 section 4.3.4), and that the server is told (RFC
/// 6066: names only, no addresses).
bool expect_host(SSL* connection, const std::string& host) {
    auto* parameters = SSL_get0_param(connection);
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str()) == 1) return true;
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // Not the macro SSL_set_tlsext_host_name(), which has an old-style cast.
    return SSL_set1_host(connection, host.c_str()) == 1 &&
           SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                    const_cast<char*>(host.c_str())) == 1;
}

bidi::Task<Attempt> exchange_over_tls(beast::tcp_stream transport, ssl::context& context, const Job& job) {
    ssl::stream<beast::tcp_stream> stream(std::move(transport), context);
    Attempt attempt;
    if (!expect_host(stream.native_handle(), job.url.host)) {
        attempt.error = "OpenSSL does not take " + job.url.host + " as a host's name";
        co_return attempt;
    }
    const auto [error] = co_await stream.async_handshake(ssl::stream_base::client, kAwait);
    if (error) {
        const long verdict = SSL_get_verify_result(stream.native_handle());
        attempt.error = failure(job, "no TLS with", error);
        if (verdict != X509_V_OK)
            attempt.error = document::printable("the certificate of " + job.url.host_header() +
                                                    " is refused: " + X509_verify_cert_error_string(verdict),
                                                kMaxErrorBytes);
        co_return attempt;
    }
    co_return co_await exchange(stream, job);
}

ssl::context make_context(const PosterOptions& options) {
    try {
        ssl::context context(ssl::context::tls_client);
        if (SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION) != 1)
            throw Error(ErrorCode::internal, "OpenSSL gives no TLS 1.2");
        context.set_verify_mode(ssl::verify_peer);
        if (options.ca_file)
            context.load_verify_file(options.ca_file->string());
        else
            context.set_default_verify_paths();
        return context;
    } catch (const boost::system::system_error& error) {
        throw Error(ErrorCode::environment, "the certificates to trust cannot be read from " +
                                                (options.ca_file ? options.ca_file->string() : "the system's folder") +
                                                ": " + error.what());
    }
}

}  // namespace

struct Poster::State {
    explicit State(PosterOptions given) : options(std::move(given)) {}

    PosterOptions options;
    /// Made when it is first needed: the system's certificates take 30 ms to read and megabytes to keep.
    std::optional<ssl::context> context;

    static bidi::Task<Attempt> post(std::shared_ptr<State> self, Job job) {
        Attempt attempt;
        const auto lookup = co_await look_up(job);
        if (lookup->error) {
            attempt.error = failure(job, "cannot look up", lookup->error);
            co_return attempt;
        }
        beast::tcp_stream stream(co_await asio::this_coro::executor);
        stream.expires_at(job.deadline);
        const auto [error, endpoint] = co_await stream.async_connect(lookup->endpoints, kAwait);
        if (error) {
            attempt.error = failure(job, "cannot connect to", error);
            co_return attempt;
        }
        if (job.url.tls) co_return co_await exchange_over_tls(std::move(stream), *self->context, job);
        co_return co_await exchange(stream, job);
    }

    static bidi::Task<Attempt> refuse(std::string why) {
        Attempt attempt;
        attempt.error = std::move(why);
        co_return attempt;
    }
};

Poster::Poster(PosterOptions options) : state_(std::make_shared<State>(std::move(options))) {}

Poster::~Poster() = default;

bidi::Task<Attempt> Poster::post(std::string url, Headers headers, std::string body) const {
    Job job;
    try {
        job.url = url::parse_url(url);
        if (job.url.tls && !state_->context) state_->context.emplace(make_context(state_->options));
    } catch (const Error& error) {
        return State::refuse(error.what());
    }
    auto& request = job.request;
    request.method(http::verb::post);
    request.target(job.url.target);
    request.version(11);
    request.set(http::field::host, job.url.host_header());
    request.set(http::field::user_agent, state_->options.user_agent);
    request.set(http::field::content_type, "application/json");
    request.set(http::field::accept, "*/*");
    request.keep_alive(false);
    for (const auto& [name, value] : headers) request.set(name, value);
    request.body() = std::move(body);
    request.prepare_payload();
    job.allowed = state_->options.deadline;
    job.deadline = std::chrono::steady_clock::now() + job.allowed;
    return State::post(state_, std::move(job));
}

}  // namespace foxbench::notify
