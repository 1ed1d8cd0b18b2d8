#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <utility>

#include "service/client/connection.hpp"
#include "service/client/daemon_client.hpp"
#include "service/client/problem.hpp"
#include "service/document/json_text.hpp"

namespace foxbench::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using namespace std::chrono_literals;

/// The daemon sends a comment every 15 s: after three of them missing the connection is dead.
constexpr std::chrono::milliseconds kSilence = 45s;
/// What the standard calls a few seconds, until the stream names a time; and the most that it may ask for.
constexpr std::chrono::milliseconds kDefaultRetry = 3s;
constexpr std::chrono::milliseconds kLongestRetry = 30s;
constexpr unsigned kNoContent = 204;

/// How one connection ended.
struct Ending {
    Ending() = default;

    bool connected = false;  ///< it was an event stream
    bool for_good = false;   ///< there will be no more
    std::optional<Error> why;
    std::chrono::milliseconds wait{0};  ///< what the daemon asked for besides the stream's own time
};

/// Whether a failure passes by itself: the daemon is being restarted, or has too many streams at the moment.
bool passes(unsigned status) noexcept {
    return status == 502 || status == 503 || status == 504 || status == 429;
}

std::chrono::milliseconds retry_after(beast::string_view text) noexcept {
    int seconds = 0;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    return std::clamp<std::chrono::milliseconds>(std::chrono::seconds(seconds), 0ms, kLongestRetry);
}

}  // namespace

struct EventStream::State {
    State(ClientOptions given, std::string where, std::string last_event_id)
        : options(std::move(given)), target(std::move(where)) {
        handed_out_id = last_event_id;
        parser.set_last_event_id(std::move(last_event_id));
        asio::co_spawn(loop, follow(), [this](std::exception_ptr error) {
            failure = std::move(error);
            finished = true;
        });
    }

    bidi::Task<> follow() {
        auto patience_until = detail::TimePoint::max();
        bool ever_connected = false;
        for (;;) {
            const auto ending = co_await read_once();
            if (ending.for_good) co_return;
            ever_connected = ever_connected || ending.connected;
            const auto now = std::chrono::steady_clock::now();
            if (ending.connected || patience_until == detail::TimePoint::max()) patience_until = now + kPatience;
            if (ending.why && (!ever_connected || now >= patience_until)) throw *ending.why;
            asio::steady_timer pause(loop);
            pause.expires_after(std::max(ending.wait, std::min(parser.retry().value_or(kDefaultRetry), kLongestRetry)));
            co_await pause.async_wait(detail::kAwait);
        }
    }

    /// One connection from its beginning to its end. Throws for what does not pass by itself.
    bidi::Task<Ending> read_once() {
        Ending ending;
        parser.restart();
        std::optional<beast::tcp_stream> stream;
        try {
            stream.emplace(co_await detail::connect(options));
        } catch (const Error& error) {
            ending.why = error;
        }
        if (!stream) co_return ending;

        auto request = detail::make_request(options, http::verb::get, target, "text/event-stream");
        request.set(http::field::cache_control, "no-store");
        if (!parser.last_event_id().empty()) request.set("Last-Event-ID", parser.last_event_id());
        const auto tried = detail::describe(options, request);
        stream->expires_after(options.deadline);
        const auto [write_error, written] = co_await http::async_write(*stream, request, detail::kAwait);
        beast::flat_buffer buffer;
        http::response_parser<http::buffer_body> response;
        response.header_limit(detail::kMaxHeaderBytes);
        response.body_limit(boost::none);  // a stream has no end; the parser bounds each event
        const auto [error, read] = co_await http::async_read_header(*stream, buffer, response, detail::kAwait);
        if (error) {
            ending.why = detail::transport_error(tried, write_error ? write_error : error, options.deadline);
            co_return ending;
        }
        const auto status = response.get().result_int();
        const std::string type(response.get()[http::field::content_type]);
        if (status == kNoContent) {
            ending.for_good = true;
        } else if (status >= 400) {
            const auto body = co_await read_refusal(*stream, buffer, response);
            auto problem = problem_error(tried, status, type, body);
            if (!passes(status)) throw problem;
            ending.why = std::move(problem);
            ending.wait = retry_after(response.get()[http::field::retry_after]);
        } else if (status != 200 || !type.starts_with("text/event-stream")) {
            throw Error(ErrorCode::environment, tried + " gave no event stream but " + std::to_string(status) + " " +
                                                    document::printable(type));
        } else {
            ending.connected = true;
            co_await read_events(*stream, buffer, response);
        }
        co_return ending;
    }

    using Response = http::response_parser<http::buffer_body>;

    bidi::Task<> read_events(beast::tcp_stream& stream, beast::flat_buffer& buffer, Response& response) {
        std::array<char, std::size_t{8} * 1024> piece;
        while (!response.is_done()) {
            auto& body = response.get().body();
            body.data = piece.data();
            body.size = piece.size();
            stream.expires_after(kSilence);
            const auto [error, size] = co_await http::async_read_some(stream, buffer, response, detail::kAwait);
            const auto text = std::string_view(piece.data(), piece.size() - body.size);
            std::ranges::move(parser.feed(text), std::back_inserter(events));
            if (error && error != http::error::need_buffer) co_return;
        }
    }

    static bidi::Task<std::string> read_refusal(beast::tcp_stream& stream, beast::flat_buffer& buffer,
                                                Response& response) {
        std::string text(std::size_t{64} * 1024, '\0');  // problem details have a few hundred bytes
        auto& body = response.get().body();
        body.data = text.data();
        body.size = text.size();
        co_await http::async_read(stream, buffer, response, detail::kAwait);
        text.resize(text.size() - body.size);
        co_return text;
    }

    ClientOptions options;
    std::string target;
    SseParser parser;
    std::deque<ServerEvent> events;
    std::string handed_out_id;  ///< of the last event that next() gave; the parser is ahead of it
    std::exception_ptr failure;
    bool finished = false;
    asio::io_context loop{1};  // last, so that what it still holds goes first
};

EventStream::EventStream(ClientOptions options, std::string target, std::string last_event_id)
    : state_(std::make_unique<State>(std::move(options), std::move(target), std::move(last_event_id))) {}
EventStream::EventStream(EventStream&&) noexcept = default;
EventStream& EventStream::operator=(EventStream&&) noexcept = default;
EventStream::~EventStream() = default;

std::optional<ServerEvent> EventStream::next(std::chrono::milliseconds at_most) {
    const auto until = std::chrono::steady_clock::now() + at_most;
    while (state_->events.empty() && !state_->finished) {
        if (state_->loop.run_one_until(until) == 0) break;
    }
    if (!state_->events.empty()) {
        auto event = std::move(state_->events.front());
        state_->events.pop_front();
        state_->handed_out_id = event.id;
        return event;
    }
    if (state_->failure) std::rethrow_exception(state_->failure);
    return std::nullopt;
}

bool EventStream::ended() const noexcept {
    return state_->finished && !state_->failure && state_->events.empty();
}

const std::string& EventStream::last_event_id() const noexcept {
    return state_->handed_out_id;
}

}  // namespace foxbench::client
