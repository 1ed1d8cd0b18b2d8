#include "service/log/line_formatter.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include <spdlog/details/log_msg.h>

#include "service/document/json_text.hpp"
#include "service/document/utc_time.hpp"

namespace foxbench::log {
namespace {

constexpr std::array<std::string_view, 4> kOwnMembers{"time", "level", "event", "message"};

void append_unicode_escape(std::string& out, unsigned code_point) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(code_point >> shift) & 15];
}

/// UTF-8 text with what could end a line or steer a terminal written as JSON's escapes: the controls of ASCII, DEL, the
/// C1 controls (U+0080 to U+009F), and the line and paragraph separators U+2028 and U+2029. In JSON text these stand
/// within strings only, so that it stays the same JSON.
std::string without_controls(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') {
            out += "\\n";
        } else if (text[i] == '\t') {
            out += "\\t";
        } else if (byte(i) < 0x20 || byte(i) == 0x7F) {
            append_unicode_escape(out, byte(i));
        } else if (byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) <= 0x9F) {
            append_unicode_escape(out, byte(++i));
        } else if (byte(i) == 0xE2 && byte(i + 1) == 0x80 && (byte(i + 2) & 0xFE) == 0xA8) {
            append_unicode_escape(out, 0x2000 | (byte(i + 2) & 0x3F));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

/// A field's value for people: a plain word as it is, everything else as JSON.
std::string value_text(const Json& value) {
    constexpr std::string_view kNeedsQuotes = " \"=\\";
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (!text.empty() && text.find_first_of(kNeedsQuotes) == std::string::npos) return text;
    }
    return document::to_text(value);
}

std::string_view level_text(spdlog::level::level_enum level) noexcept {
    switch (level) {
        case spdlog::level::trace:
        case spdlog::level::debug:
            return "debug";
        case spdlog::level::info:
            return "info";
        case spdlog::level::warn:
            return "warn";
        default:
            return "error";
    }
}

class LineFormatter final : public spdlog::formatter {
public:
    explicit LineFormatter(Format format) : format_(format) {}

    std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<LineFormatter>(format_); }

    void format(const spdlog::details::log_msg& record, spdlog::memory_buf_t& out) override {
        const std::string_view given(record.payload.data(), record.payload.size());
        const std::string_view logger(record.logger_name.data(), record.logger_name.size());
        const auto payload = logger == kEventLogger ? std::string(given) : event_payload("log", given, {});
        const auto since_epoch = record.time.time_since_epoch();
        const auto time =
            document::utc_text(std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count());
        const auto line =
            format_ == Format::json ? json_line(time, record, payload) : human_line(time, record, payload);
        out.append(line.data(), line.data() + line.size());
    }

private:
    static std::string json_line(const std::string& time, const spdlog::details::log_msg& record,
                                 const std::string& payload) {
        std::string line = R"({"time":")" + time + R"(","level":")";
        line += level_text(record.level);
        line += "\",";
        line += without_controls(std::string_view(payload).substr(1));
        return line += '\n';
    }

    static std::string human_line(const std::string& time, const spdlog::details::log_msg& record,
                                  const std::string& payload) {
        const auto members = Json::parse(payload);
        std::string line = time + ' ';
        record.color_range_start = line.size();
        line += level_text(record.level);
        record.color_range_end = line.size();
        std::string rest;
        for (const auto& [name, value] : members.items()) {
            if (name == "event") {
                const auto event = value.get<std::string>();
                rest += event == "log" ? " " : ' ' + event + ": ";
            } else if (name == "message") {
                rest += value.get<std::string>();
            } else {
                rest += ' ' + name + '=' + value_text(value);
            }
        }
        line += without_controls(rest);
        return line += '\n';
    }

    Format format_;
};

}  // namespace

std::string event_payload(std::string_view name, std::string_view message, Fields fields) {
    Json payload{{"event", std::string(name)}, {"message", std::string(message)}};
    for (const auto& field : fields) {
        std::string member(field.name);
        if (std::ranges::find(kOwnMembers, field.name) != kOwnMembers.end()) member += '_';
        payload[member] = field.value;
    }
    return document::to_text(payload);
}

std::unique_ptr<spdlog::formatter> make_formatter(Format format) {
    return std::make_unique<LineFormatter>(format);
}

}  // namespace foxbench::log
