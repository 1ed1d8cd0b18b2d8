#include "service/report/svg.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "service/report/text.hpp"

namespace foxbench::report {

std::string px(double value) {
    // No drawing is that large; what is beyond would need more room than the buffer has.
    constexpr double kGreatest = 1e9;
    if (!std::isfinite(value)) value = 0;
    if (std::fabs(value) > kGreatest) value = std::copysign(kGreatest, value);
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
    std::string written(text.data(), end.ptr);
    return written == "-0.0" ? "0.0" : written;
}

std::string text_at(double x, double y, const char* anchor, const char* style, const std::string& text) {
    return "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" text-anchor=\"" + anchor + "\" class=\"" + style + "\">" +
           xml_text(text) + "</text>\n";
}

std::string line_at(double x1, double y1, double x2, double y2, const char* style) {
    return "<line x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) + "\" y2=\"" + px(y2) + "\" class=\"" +
           style + "\"/>\n";
}

}  // namespace foxbench::report
