#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace foxbench::client {

/// One event of a stream of server-sent events.
struct ServerEvent {
    std::string type;  ///< "message" where the stream names none
    std::string data;  ///< its lines joined with LF
    std::string id;    ///< the last id that the stream gave, with this event or before it
};

/// Reads text/event-stream as https://html.spec.whatwg.org/#event-stream-interpretation says, from pieces cut anywhere.
/// Pure.
class SseParser {
public:
    /// More than one event of the daemon has by far; an endless line is no event stream.
    static constexpr std::size_t kMaxEventBytes = std::size_t{4} * 1024 * 1024;

    /// The events that are complete with this piece. Throws foxbench::Error (environment) for an event of more than
    /// kMaxEventBytes.
    [[nodiscard]] std::vector<ServerEvent> feed(std::string_view piece);

    /// Forgets what is incomplete, for the next connection's stream. The id and the retry time stay.
    void restart();

    /// What to send as Last-Event-ID: that of the last complete event; empty where there was none.
    [[nodiscard]] const std::string& last_event_id() const noexcept { return last_event_id_; }
    void set_last_event_id(std::string id);

    /// How long the stream says to wait before connecting again.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const noexcept { return retry_; }

private:
    void take_line(std::string_view line, std::vector<ServerEvent>& events);
    void take_field(std::string_view name, std::string_view value);

    std::string line_;          ///< the line that has not ended yet
    bool after_cr_ = false;     ///< an LF that comes next belongs to the line end before
    bool at_beginning_ = true;  ///< a byte order mark may come
    std::string type_, data_;   ///< of the event that has not ended yet
    std::string id_;            ///< likewise, and of all after it
    std::string last_event_id_;
    std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace foxbench::client
