#pragma once

#include <cstddef>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>

/// Names of runs. An id becomes a folder's name and a part of URLs, so nothing but what matches is_run_id() ever
/// reaches a path. Pure functions.
namespace foxbench::document {

inline constexpr std::size_t kMaxRunIdLength = 128;

/// The rule of is_run_id() in words, for messages.
inline constexpr const char* kRunIdRule =
    "up to 128 letters, digits, '.', '_' and '-', a letter or digit first, without \"..\"";

/// What stands for the newest run wherever a run is named. Never the id of one.
inline constexpr std::string_view kLatest = "latest";

/// `[A-Za-z0-9][A-Za-z0-9._-]{0,127}` without "..".
[[nodiscard]] bool is_run_id(std::string_view text) noexcept;

/// A label as a part of an id: each character (code point) outside `[A-Za-z0-9._-]` becomes '-', and so does the second
/// of two dots in a row. Empty for an empty label; at most as many characters as fit into an id behind the time and
/// before a suffix.
[[nodiscard]] std::string slug(std::string_view label);

/// "2026-09-15_22-13-00-local-wal-full": the local time of queueing, and the label's slug if there is a label.
[[nodiscard]] std::string make_id(const std::tm& local_time, std::string_view label = {});

/// `id` itself, or where `taken` says so the first free one of `id`-2, `id`-3, ... (`id` is cut where the suffix would
/// make it too long). "latest" counts as taken.
[[nodiscard]] std::string free_id(const std::string& id, const std::function<bool(const std::string&)>& taken);

/// Whether `id` is `base` with a suffix as free_id() makes it.
[[nodiscard]] bool is_suffixed(std::string_view id, std::string_view base) noexcept;

}  // namespace foxbench::document
