#pragma once

#include <optional>
#include <string_view>

namespace foxbench::web {

/// The content of one of the dashboard's files ("index.html"); nothing for another name.
[[nodiscard]] std::optional<std::string_view> web_file(std::string_view name) noexcept;

}  // namespace foxbench::web
