#pragma once

#include <optional>
#include <string>
#include <string_view>

/// gzip of answers (RFC 1952). Pure functions, callable from any thread.
namespace foxbench::http {

/// Whether Accept-Encoding allows gzip (RFC 9110, section 12.5.3): named, or by `*`, with a weight above 0 and not
/// below that of identity. Without the field: no, since old scripts do not expect it.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

/// Whether it can pay: a text of kMinGzipBytes or more.
[[nodiscard]] bool is_compressible(std::string_view content_type, std::size_t bytes) noexcept;

/// The body in gzip's format; nothing where it would not be smaller. Throws std::bad_alloc.
[[nodiscard]] std::optional<std::string> gzip(std::string_view body);

}  // namespace foxbench::http
