#pragma once

#include <string>

#include "service/document/run_document.hpp"
#include "service/report/render.hpp"
#include "service/text/words.hpp"
#include "tests/fuzz/target.hpp"

namespace foxbench::fuzz {

[[nodiscard]] inline bool is_harmless(const std::string& written) {
    return !text::has_control_characters(written, true);
}

/// Makes every report and table of a run, whatever it holds. Throws what the rendering throws.
inline void render_everything(const document::RunDocument& document) {
    using report::Format, report::Table;
    for (const auto format : {Format::md, Format::csv, Format::json, Format::html}) {
        const auto written = report::render(document, format);
        // An imported report is given back word for word, whatever its end.
        const bool is_imported = format == Format::md && document.report_markdown;
        require(is_imported || written.ends_with('\n'), "a report ends with a line break");
        require(is_harmless(written), "a report steers no terminal");
        for (const auto table : {Table::per_call, Table::per_file, Table::latency, Table::derived})
            require(is_harmless(report::render_table(document, table, format)), "a table steers no terminal");
    }
}

}  // namespace foxbench::fuzz
