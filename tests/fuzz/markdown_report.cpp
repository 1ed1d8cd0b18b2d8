// Markdown reports: what is imported renders back to the same bytes, is a run document, and has every other report.
#include "service/document/run_document.hpp"
#include "service/error.hpp"
#include "service/report/import_markdown.hpp"
#include "service/report/render.hpp"
#include "tests/fuzz/rendering.hpp"
#include "tests/fuzz/target.hpp"

using foxbench::fuzz::require;
using foxbench::fuzz::text_of;
using namespace foxbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = text_of(data, size);
    std::optional<document::RunDocument> imported;
    try {
        imported = report::import_markdown(text, "input");
    } catch (const Error& refused) {
        require(refused.code() == ErrorCode::usage, "a refusal is a usage error");
        return 0;
    }
    require(report::looks_like_report(text), "what is imported looks like a report");
    require(report::render(*imported, report::Format::md) == text, "a report renders back to the same bytes");
    const auto json = document::to_json(*imported);
    require(document::to_json(document::from_json(json)) == json, "an imported report is a run document");
    fuzz::render_everything(*imported);
    return 0;
}
