#include "service/log/log.hpp"

#include <array>
#include <vector>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "service/document/json_text.hpp"
#include "service/error.hpp"
#include "service/log/line_formatter.hpp"
#include "service/text/words.hpp"

namespace foxbench::log {
namespace {

constexpr const char* kDefaultLogger = "foxbench";
constexpr std::array kLevels{Level::debug, Level::info, Level::warn, Level::error};

spdlog::level::level_enum spdlog_level(Level level) noexcept {
    switch (level) {
        case Level::debug:
            return spdlog::level::debug;
        case Level::info:
            return spdlog::level::info;
        case Level::warn:
            return spdlog::level::warn;
        case Level::error:
            break;
    }
    return spdlog::level::err;
}

Level level_of(spdlog::level::level_enum level) noexcept {
    if (level <= spdlog::level::debug) return Level::debug;
    if (level == spdlog::level::info) return Level::info;
    return level == spdlog::level::warn ? Level::warn : Level::error;
}

}  // namespace

const char* to_string(Level level) noexcept {
    switch (level) {
        case Level::debug:
            return "debug";
        case Level::info:
            return "info";
        case Level::warn:
            return "warn";
        case Level::error:
            break;
    }
    return "error";
}

Level level_from(std::string_view word) {
    std::vector<std::string> known;
    for (const auto candidate : kLevels) {
        if (word == to_string(candidate)) return candidate;
        known.emplace_back(to_string(candidate));
    }
    throw Error(ErrorCode::usage,
                "'" + document::printable(word) + "' is no log level." + text::suggestion(word, known));
}

Format format_from(std::string_view word) {
    if (word == "human") return Format::human;
    if (word == "json") return Format::json;
    const std::vector<std::string> known{"human", "json"};
    throw Error(ErrorCode::usage,
                "'" + document::printable(word) + "' is no log format." + text::suggestion(word, known));
}

void set_up(const Options& options) {
    set_up(options, std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
}

void set_up(const Options& options, std::shared_ptr<spdlog::sinks::sink> sink) {
    sink->set_formatter(make_formatter(options.format));
    spdlog::drop(kEventLogger);
    spdlog::drop(kDefaultLogger);
    spdlog::register_logger(std::make_shared<spdlog::logger>(kEventLogger, sink));
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(kDefaultLogger, std::move(sink)));
    set_level(options.level);
}

void set_level(Level level) {
    spdlog::set_level(spdlog_level(level));
}

Level level() {
    return level_of(spdlog::default_logger_raw()->level());
}

void event(Level level, std::string_view name, std::string_view message, Fields fields) noexcept {
    try {
        const auto severity = spdlog_level(level);
        if (const auto logger = spdlog::get(kEventLogger)) {
            if (logger->should_log(severity))
                logger->log(severity, spdlog::string_view_t(event_payload(name, message, fields)));
        } else {
            // Nobody has called set_up(): the default logger writes plain text.
            spdlog::log(severity, "{}: {}", name, document::printable(message, std::string_view::npos));
        }
    } catch (...) {  // out of memory; a log line is never worth the operation that it tells of
    }
}

}  // namespace foxbench::log
