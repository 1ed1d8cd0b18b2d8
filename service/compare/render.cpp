#include "service/compare/render.hpp"

#include "service/compare/formats.hpp"

namespace foxbench::compare {

std::string render(const std::vector<Comparison>& comparisons, report::Format format, bool explain) {
    switch (format) {
        case report::Format::csv:
            return to_csv(comparisons, explain);
        case report::Format::json:
            return to_json(comparisons, explain);
        case report::Format::html:
            return to_html(comparisons, explain);
        case report::Format::md:
            break;
    }
    return to_markdown(comparisons, explain);
}

}  // namespace foxbench::compare
