#pragma once

#include <string>

/// Parts of SVG drawings. `style` is a class of the style sheet around them. Pure functions.
namespace foxbench::report {

/// A coordinate or length with one decimal, never "-0.0"; 0.0 for what is not finite. Fast: drawings have thousands.
[[nodiscard]] std::string px(double value);

/// A text; `anchor` is "start", "middle" or "end". `text` is unescaped.
[[nodiscard]] std::string text_at(double x, double y, const char* anchor, const char* style, const std::string& text);
[[nodiscard]] std::string line_at(double x1, double y1, double x2, double y2, const char* style);

}  // namespace foxbench::report
