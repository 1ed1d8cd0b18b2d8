#include "service/http/connection.hpp"

#include <ctime>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "service/document/json_text.hpp"
#include "service/http/deadline.hpp"
#include "service/http/event_hub.hpp"
#include "service/http/limits.hpp"
#include "service/http/problem.hpp"

namespace foxbench::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace protocol = boost::beast::http;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using Parser = protocol::request_parser<protocol::string_body>;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
/// Enough for most headers in one read.
constexpr std::size_t kFirstRead = 2048;

beast::string_view view(std::string_view text) {
    return {text.data(), text.size()};
}

template <class Text>
std::string string(const Text& text) {
    return std::string(text.data(), text.size());
}

Header header_of(const Parser::value_type& message) {
    Header header;
    header.method = string(message.method_string());
    header.target = string(message.target());
    header.version = message.version();
    for (const auto& field : message) header.fields.emplace_back(string(field.name_string()), string(field.value()));
    return header;
}

Problem closing(unsigned status, std::string detail) {
    Problem problem(status, std::move(detail));
    problem.close = true;
    return problem;
}

/// What the parser's refusal of a header is to the client.
Problem header_problem(beast::error_code error, bool late, bool has_request_line) {
    if (late) return closing(408, "The header did not come in time.");
    if (error == protocol::error::header_limit || error == protocol::error::buffer_overflow) {
        if (!has_request_line) return closing(414, "The request line has no end within the header's limit.");
        return closing(431, "The header has more than " + std::to_string(kMaxHeaderBytes) + " bytes.");
    }
    return closing(400, "This is no HTTP/1.1 request: " + error.message() + ".");
}

Problem body_problem(beast::error_code error, bool late, std::size_t limit) {
    if (late) return closing(408, "The body did not come in time.");
    if (error == protocol::error::body_limit)
        return closing(413, "The body has more than the " + std::to_string(limit) + " bytes that this takes.");
    return closing(400, "The body is not framed as HTTP/1.1 has it: " + error.message() + ".");
}

Problem full(const char* what) {
    Problem problem(503, std::string("The daemon has as many ") + what + " as it takes; come back later.");
    problem.with("Retry-After", std::to_string(kRetryAfterSeconds));
    return problem;
}

/// One chunk of a chunked body (RFC 9112, section 7.1).
std::string chunk(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string size;
    for (auto rest = text.size(); rest > 0; rest /= 16) size.insert(size.begin(), kDigits[rest % 16]);
    return size + "\r\n" + std::string(text) + "\r\n";
}

class ConnectionImpl final : public Connection, public std::enable_shared_from_this<ConnectionImpl> {
public:
    ConnectionImpl(std::shared_ptr<Service> service, std::shared_ptr<Connections> connections, tcp::socket socket,
                   bool refused)
        : service_(std::move(service)),
          connections_(std::move(connections)),
          socket_(std::move(socket)),
          counter_(refused ? &connections_->refused : &connections_->served),
          refused_(refused) {
        ++*counter_;
        connections_->open.insert(this);
    }

    ~ConnectionImpl() override {
        --*counter_;
        connections_->open.erase(this);
        if (connections_->open.empty()) connections_->emptied.cancel();
    }

    void end_soon() override {
        last_ = true;
        if (events_) {
            events_->close();
        } else if (idle_) {
            end_now();
        }
    }

    void end_now() override {
        last_ = true;
        if (events_) events_->close();
        close();
    }

    static bidi::Task<> run(std::shared_ptr<ConnectionImpl> self) {
        try {
            bool goes_on = true;
            while (goes_on) goes_on = co_await self->serve_one();
        } catch (const std::exception& failure) {
            self->service_->report_fault("connection_failed", failure.what());
        }
        self->close();
    }

private:
    void close() {
        deadline_.clear();
        beast::error_code ignored;  // closing a socket that is closed already
        socket_.close(ignored);
    }

    const Limits& limits() const noexcept { return service_->options.limits; }

    /// Reads one request and answers it. Whether another one may follow.
    bidi::Task<bool> serve_one() {
        if (buffer_.size() == 0) {
            idle_ = true;
            const auto error = co_await read_first();
            idle_ = false;
            if (error && deadline_.passed() && refused_) co_return co_await reject(full("connections"));
            if (error) co_return false;
        }
        skip_empty_line();

        Parser parser;
        parser.header_limit(kMaxHeaderBytes);
        parser.body_limit(boost::none);  // the route decides, once it is known
        deadline_.set(refused_ ? limits().refusal : limits().header);
        const auto [error, read] = co_await protocol::async_read_header(socket_, buffer_, parser, kTuple);
        received_ = Clock::now();
        if (error == protocol::error::end_of_stream) co_return false;
        if (error) co_return co_await reject(header_problem(error, deadline_.passed(), has_request_line(parser)));
        co_return co_await serve(parser);
    }

    bidi::Task<beast::error_code> read_first() {
        deadline_.set(refused_ ? limits().refusal : limits().idle);
        const auto [error, size] = co_await socket_.async_read_some(buffer_.prepare(kFirstRead), kTuple);
        buffer_.commit(size);
        co_return error;
    }

    /// Some clients end a body with a line break that belongs to nothing (RFC 9112, section 2.2).
    void skip_empty_line() {
        const auto* bytes = static_cast<const char*>(buffer_.data().data());
        if (buffer_.size() >= 2 && bytes[0] == '\r' && bytes[1] == '\n') buffer_.consume(2);
    }

    bool has_request_line(const Parser& parser) const {
        const std::string_view unread(static_cast<const char*>(buffer_.data().data()), buffer_.size());
        return !parser.get().target().empty() || unread.find('\n') != std::string_view::npos;
    }

    bidi::Task<bool> serve(Parser& parser) {
        // What a trailer says later of these has no say: all of it is taken now.
        const auto header = header_of(parser.get());
        keep_ = parser.get().keep_alive();
        version_ = header.version;
        head_ = header.method == "HEAD";

        std::optional<Problem> problem;
        Judged judged;
        try {
            judged = judge(header, *service_, received_);
        } catch (const Problem& found) {
            problem = found;
        }
        if (refused_ && !(judged.route && judged.route->always)) problem = full("connections");
        if (problem) {
            // A body that nobody wants is not read, and where the next request begins is not known then.
            problem->close = problem->close || !parser.is_done();
            co_return co_await reject(*problem, header.target);
        }
        auto& request = judged.request;
        if (judged.framing.has_body()) {
            problem = co_await read_body(parser, judged);
            if (problem) co_return co_await reject(*problem, request.path);
        }
        auto body = std::move(parser.get().body());
        try {
            co_await take_body(*service_, *judged.route, request, std::move(body));
        } catch (const Problem& found) {
            problem = found;
        }
        if (problem) co_return co_await reject(*problem, request.path);

        deadline_.clear();
        auto response = co_await answer(*service_, *judged.route, request);
        if (response.events && connections_->streaming >= limits().event_streams) {
            response.events->close();
            response = to_response(full("event streams"), request.path);
        }
        if (response.events && head_) response.events->close();
        if (response.events && !head_) {
            co_await stream(std::move(response), judged.route);
            co_return false;
        }
        co_return co_await send(judged.route, &request, std::move(response));
    }

    bidi::Task<std::optional<Problem>> read_body(Parser& parser, const Judged& judged) {
        const auto limit = body_limit(*judged.route);
        deadline_.set(limits().body);
        if (judged.expects_continue && buffer_.size() == 0) {
            constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
            co_await asio::async_write(socket_, asio::buffer(kContinue), kTuple);  // a lost client shows when reading
        }
        parser.body_limit(limit);
        const auto [error, read] = co_await protocol::async_read(socket_, buffer_, parser, kTuple);
        std::optional<Problem> problem;
        if (error) problem = body_problem(error, deadline_.passed(), limit);
        co_return problem;
    }

    bidi::Task<bool> reject(Problem problem, std::string path = {}) {
        if (problem.close) keep_ = false;
        auto response = to_response(problem, std::string_view(path).substr(0, path.find('?')));
        co_return co_await send(nullptr, nullptr, std::move(response));
    }

    void tell(const Route* route, unsigned status) const {
        if (!service_->options.on_answer) return;
        Answered answered;
        answered.route = route;
        answered.status = status;
        answered.took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - received_);
        service_->options.on_answer(answered);
    }

    bidi::Task<bool> send(const Route* route, const Request* request, Response response) {
        auto outgoing = co_await finish(*service_, route, request, std::move(response));
        const bool keep = keep_ && !last_ && !refused_;
        protocol::response<protocol::string_body> message;
        message.version(version_);
        message.result(outgoing.status);
        message.reason(view(phrase_of(outgoing.status)));
        message.set(protocol::field::date, http_date(std::time(nullptr)));
        for (const auto& [name, value] : outgoing.fields) message.insert(view(name), view(value));
        if (outgoing.status != 204 && outgoing.status != 304) message.content_length(outgoing.body.size());
        if (!head_) message.body() = std::move(outgoing.body);
        message.keep_alive(keep);
        tell(route, outgoing.status);

        protocol::response_serializer<protocol::string_body> serializer(message);
        while (!serializer.is_done()) {
            // The deadline is for each piece: a large answer may take its time as long as it is taken.
            deadline_.set(limits().idle);
            const auto [error, written] = co_await protocol::async_write_some(socket_, serializer, kTuple);
            if (error) co_return false;
        }
        if (!keep) co_await linger();
        co_return keep;
    }

    bidi::Task<> linger() {
        beast::error_code error;
        socket_.shutdown(tcp::socket::shutdown_send, error);
        deadline_.set(limits().linger);
        while (!error) {
            buffer_.clear();
            const auto result = co_await socket_.async_read_some(buffer_.prepare(kReadBufferBytes), kTuple);
            error = std::get<0>(result);
        }
    }

    /// From here on the connection is an event stream and counts as one.
    bidi::Task<> stream(Response response, const Route* route) {
        --*counter_;
        counter_ = &connections_->streaming;
        ++*counter_;
        events_ = response.events;
        if (last_) events_->close();
        const auto outgoing = co_await finish(*service_, route, nullptr, std::move(response));
        tell(route, outgoing.status);

        const bool chunked = version_ >= 11;
        std::string text = std::string("HTTP/1.") + (chunked ? "1" : "0") +
                           " 200 OK\r\nDate: " + http_date(std::time(nullptr)) +
                           "\r\nContent-Type: text/event-stream\r\n";
        for (const auto& [name, value] : outgoing.fields) text.append(name).append(": ").append(value).append("\r\n");
        text += chunked ? "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" : "Connection: close\r\n\r\n";

        asio::co_spawn(socket_.get_executor(), watch(shared_from_this()), asio::detached);
        bool good = co_await write(text);
        while (good) {
            auto events = co_await events_->next();
            if (!events) break;
            text = chunked ? chunk(*events) : *std::move(events);
            good = co_await write(text);
        }
        events_->close();
        text = "0\r\n\r\n";
        if (good && chunked) co_await write(text);
    }

    bidi::Task<bool> write(const std::string& text) {
        deadline_.set(limits().idle);
        const auto [error, written] = co_await asio::async_write(socket_, asio::buffer(text), kTuple);
        deadline_.clear();  // the watching read has none
        co_return !error;
    }

    /// Sees that a client has gone, so that its stream does not count until the next comment.
    static bidi::Task<> watch(std::shared_ptr<ConnectionImpl> self) {
        std::array<char, 64> ignored;
        beast::error_code error;
        while (!error) {
            const auto result = co_await self->socket_.async_read_some(asio::buffer(ignored), kTuple);
            error = std::get<0>(result);
        }
        self->events_->close();
    }

    std::shared_ptr<Service> service_;
    std::shared_ptr<Connections> connections_;
    tcp::socket socket_;
    Deadline deadline_{socket_};
    beast::flat_buffer buffer_{kReadBufferBytes};
    std::size_t* counter_;
    const bool refused_;
    std::shared_ptr<Subscription> events_;
    Clock::time_point received_;
    unsigned version_ = 11;
    bool head_ = false;
    bool keep_ = false;  ///< the client and the framing allow another request
    bool last_ = false;  ///< the server does not
    bool idle_ = false;
};

}  // namespace

void Connection::start(std::shared_ptr<Service> service, std::shared_ptr<Connections> connections, tcp::socket socket,
                       bool refused) {
    beast::error_code ignored;  // an answer is one write; the option only spares its last packet a wait
    socket.set_option(tcp::no_delay(true), ignored);
    const auto executor = socket.get_executor();
    auto connection =
        std::make_shared<ConnectionImpl>(std::move(service), std::move(connections), std::move(socket), refused);
    asio::co_spawn(executor, ConnectionImpl::run(std::move(connection)), asio::detached);
}

}  // namespace foxbench::http
