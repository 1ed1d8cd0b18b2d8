#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <spdlog/formatter.h>

#include "service/log/log.hpp"

/// How a record becomes its line. Within log/ only.
namespace foxbench::log {

/// The logger for events: its payloads are JSON objects, made by event() alone. Every other logger's are plain text.
inline constexpr const char* kEventLogger = "foxbench.events";

/// A payload: {"event", "message", ...}.
[[nodiscard]] std::string event_payload(std::string_view name, std::string_view message, Fields fields);

[[nodiscard]] std::unique_ptr<spdlog::formatter> make_formatter(Format format);

}  // namespace foxbench::log
