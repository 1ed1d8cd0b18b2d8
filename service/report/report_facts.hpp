#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "service/document/run_document.hpp"

/// The facts that a report states in words, read back. All take one line's text without its name and with entities
/// undone, unless said otherwise; what they cannot make out stays empty.
namespace foxbench::report {

/// A product as far as a run document can hold it (document::kMaxNumber).
[[nodiscard]] std::optional<std::int64_t> product(std::int64_t a, std::int64_t b);

/// A size in words ("64 KiB", "4096 B") in bytes.
[[nodiscard]] std::optional<std::int64_t> size_from(std::string_view words);
/// "40.0 µs", "16.2 ms", "10.5 s" in microseconds.
[[nodiscard]] std::optional<double> cost_from(std::string_view text);

/// The label within an id, where it is certain. The id's label lost whatever is not [A-Za-z0-9._-], and a number at the
/// end may tell runs of the same second apart: only one word that is no number was certainly the label.
[[nodiscard]] std::optional<std::string> label_from(const std::string& id);

/// "AMD Ryzen 7 (16 threads), 65 GB, linux 7.0.0-31-generic x64"
[[nodiscard]] document::Host host_from(std::string_view line);
/// "ext4 (/)"
[[nodiscard]] document::Profiles profiles_from(std::string_view line);
/// "Firefox 158 (wal-full)": product, major version, and the target's name where it is told. Empty for a heading that
/// is no browser's.
[[nodiscard]] std::optional<document::Target> target_from(std::string_view header);

/// A line of the list Environment (as it stands in the report) into what it is about. Whether it was understood.
bool environment_from(std::string_view line, document::Environment& seen);

/// Lower case, with '-' for what is not [a-z0-9._].
[[nodiscard]] std::string lower_slug(std::string text);

}  // namespace foxbench::report
