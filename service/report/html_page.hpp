#pragma once

#include <string>
#include <string_view>

namespace foxbench::report {

/// How many targets have a colour of their own; further ones begin anew.
inline constexpr std::size_t kTargetColours = 8;

/// A complete HTML document around `body` (HTML). It needs nothing from anywhere: the style is inside, there are no
/// scripts, and its own content security policy forbids everything else. Light or dark as the reader's system is.
/// `title` is unescaped.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

}  // namespace foxbench::report
