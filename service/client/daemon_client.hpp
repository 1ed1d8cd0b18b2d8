#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "service/client/sse_parser.hpp"

/// The command line's view of a daemon: blocking calls, failures as foxbench::Error.
namespace foxbench::client {

using Json = nlohmann::ordered_json;

struct ClientOptions {
    std::string url;    ///< "http://127.0.0.1:8177"; a path in it is put before every target
    std::string token;  ///< sent as bearer token; empty: none
    std::chrono::milliseconds connect_deadline{5'000};
    /// For one request, everything included. Cancelling a run may take the browser 5 s; rendering a long one, seconds.
    std::chrono::milliseconds deadline{60'000};
};

/// An answer below 400.
struct Answer {
    unsigned status = 0;
    std::string content_type;
    std::map<std::string, std::string> headers;  ///< names in lower case; the last of equal ones
    std::string body;

    /// The body as JSON, read strictly. Throws foxbench::Error (environment) where it is none: not a daemon of ours.
    [[nodiscard]] Json json() const;
};

/// Server-sent events of a daemon, one after the other, across cuts: it connects again after the time that the stream
/// asked for, with Last-Event-ID, so that no event is missed or seen twice. Not thread-safe.
class EventStream {
public:
    EventStream(ClientOptions options, std::string target, std::string last_event_id = {});
    EventStream(EventStream&&) noexcept;
    EventStream& operator=(EventStream&&) noexcept;
    ~EventStream();

    /// The next event; nothing when none came within `at_most`, or when the stream has ended for good (see ended()).
    /// Throws foxbench::Error: what the daemon refuses (404, 401, ...), and `environment` when it could not be reached
    /// again for kPatience.
    [[nodiscard]] std::optional<ServerEvent> next(std::chrono::milliseconds at_most);

    /// The daemon has said that there will be no more (status 204).
    [[nodiscard]] bool ended() const noexcept;
    /// Of the last event that next() gave: where another stream can go on.
    [[nodiscard]] const std::string& last_event_id() const noexcept;

    /// A daemon that is being restarted is back by then.
    static constexpr std::chrono::seconds kPatience{60};

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One daemon. Each call is a connection of its own. Not thread-safe; copies are independent.
///
/// Every call throws foxbench::Error: with the code and text of the daemon's problem details for an answer of 400 or
/// more (problem.hpp), `environment` where it cannot be reached or does not answer in time.
class DaemonClient {
public:
    /// Throws foxbench::Error (usage) for a URL that is none, or https, which the daemon does not speak.
    explicit DaemonClient(ClientOptions options);

    [[nodiscard]] const std::string& url() const noexcept { return options_.url; }

    /// `target` is a path with its query, already percent-encoded: "/v1/runs?limit=50". `accept` is the media type
    /// wanted: "text/markdown", "text/csv".
    [[nodiscard]] Answer get(std::string_view target, std::string_view accept = "application/json") const;
    /// Sends JSON. With an `idempotency_key` the same call may be repeated after a failure.
    Answer post(std::string_view target, const Json& body = Json::object(),
                std::string_view idempotency_key = {}) const;
    /// Sends any other text, such as a report to import.
    Answer post_text(std::string_view target, std::string_view content_type, std::string body) const;
    Answer put(std::string_view target, const Json& body) const;
    Answer patch(std::string_view target, const Json& body) const;
    Answer del(std::string_view target) const;

    /// The events of "/v1/events" or "/v1/runs/ID/events".
    [[nodiscard]] EventStream events(std::string_view target, std::string last_event_id = {}) const;

private:
    ClientOptions options_;
};

/// The token to send: $FOXBENCH_TOKEN, else the one in the file that $FOXBENCH_TOKEN_FILE names (read_token()), else
/// empty. Throws foxbench::Error (usage) for a token that cannot be one.
[[nodiscard]] std::string find_token();
/// The token in a file: its only word, or of a daemon's own token file (lines `SCOPE TOKEN`) the first with the scope
/// `run`, else the first. Lines that begin with # are comments. Throws foxbench::Error: `environment` where the file
/// cannot be read, `usage` where there is none in it.
[[nodiscard]] std::string read_token(const std::filesystem::path& file);

/// Where a daemon may be.
struct Places {
    std::string url_option;       ///< what the user gave with --url; empty: nothing
    std::string url_environment;  ///< $FOXBENCH_URL; likewise
    std::string configured_url;   ///< of the configuration's `server: listen`; likewise
    std::string token;            ///< find_token()
};

/// The daemon at the first of these places that is given, if one answers /version there. Where a person has named the
/// place (--url, $FOXBENCH_URL) and no daemon answers, that is an Error (environment); where only the configuration
/// does, nothing: then there is no daemon, or the port belongs to another program.
[[nodiscard]] std::optional<DaemonClient> find_daemon(const Places& places);

}  // namespace foxbench::client
