#include "service/client/sse_parser.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "service/error.hpp"

namespace foxbench::client {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::vector<ServerEvent> SseParser::feed(std::string_view piece) {
    std::vector<ServerEvent> events;
    while (!piece.empty()) {
        if (std::exchange(after_cr_, false) && piece.front() == '\n') {
            piece.remove_prefix(1);
            continue;
        }
        const auto end = piece.find_first_of("\r\n");
        const auto part = piece.substr(0, end);
        if (line_.size() + data_.size() + part.size() > kMaxEventBytes)
            throw Error(ErrorCode::environment, "the daemon sends an event of more than " +
                                                    std::to_string(kMaxEventBytes) + " bytes: this is no foxbench");
        line_ += part;
        if (end == std::string_view::npos) break;
        after_cr_ = piece[end] == '\r';
        piece.remove_prefix(end + 1);
        take_line(std::exchange(line_, {}), events);
    }
    return events;
}

void SseParser::restart() {
    line_.clear();
    after_cr_ = false;
    at_beginning_ = true;
    type_.clear();
    data_.clear();
    // An id of an event that was cut off must not be sent as the last one that came.
    id_ = last_event_id_;
}

void SseParser::set_last_event_id(std::string id) {
    id_ = id;
    last_event_id_ = std::move(id);
}

void SseParser::take_line(std::string_view line, std::vector<ServerEvent>& events) {
    if (std::exchange(at_beginning_, false) && line.starts_with(kByteOrderMark))
        line.remove_prefix(kByteOrderMark.size());
    if (line.empty()) {
        last_event_id_ = id_;
        if (!data_.empty()) {
            data_.pop_back();  // the last line's LF
            events.push_back({type_.empty() ? "message" : type_, data_, id_});
        }
        type_.clear();
        data_.clear();
        return;
    }
    const auto colon = line.find(':');
    if (colon == 0) return;  // a comment
    auto value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    take_field(line.substr(0, colon), value);
}

void SseParser::take_field(std::string_view name, std::string_view value) {
    if (name == "event") {
        type_ = value;
    } else if (name == "data") {
        data_ += value;
        data_ += '\n';
    } else if (name == "id") {
        if (value.find('\0') == std::string_view::npos) id_ = value;
    } else if (name == "retry") {
        const auto digit = [](char c) { return c >= '0' && c <= '9'; };
        std::int64_t milliseconds = 0;
        const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), milliseconds);
        if (!value.empty() && std::ranges::all_of(value, digit) && error == std::errc{})
            retry_ = std::chrono::milliseconds(milliseconds);
    }
}

}  // namespace foxbench::client
