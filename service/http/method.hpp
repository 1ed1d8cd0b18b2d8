#pragma once

#include <optional>
#include <string_view>

namespace foxbench::http {

/// The methods a route can have. HEAD is served by GET's route.
enum class Method { get, post, put, patch, del };

/// "GET", "POST", "PUT", "PATCH", "DELETE".
[[nodiscard]] std::string_view to_string(Method method) noexcept;
/// Case-sensitive (RFC 9110, section 9.1); HEAD gives `get`; nothing for a method that no route has.
[[nodiscard]] std::optional<Method> method_from(std::string_view word) noexcept;
/// Whether the method may change something (RFC 9110, section 9.2.1).
[[nodiscard]] constexpr bool changes_state(Method method) noexcept {
    return method != Method::get;
}

}  // namespace foxbench::http
