// Run documents: what is taken is written as it was read, and every report of it can be made.
#include "service/document/run_document.hpp"

#include "service/document/content.hpp"
#include "service/document/json_text.hpp"
#include "service/error.hpp"
#include "service/report/render.hpp"
#include "tests/fuzz/rendering.hpp"
#include "tests/fuzz/target.hpp"

using foxbench::fuzz::require;
using foxbench::fuzz::text_of;
using namespace foxbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto document = document::parse(text_of(data, size), "input");
        const auto json = document::to_json(document);
        const auto again = document::from_json(json);
        require(document::to_json(again) == json, "a document that was written reads as the same");
        require(document::content_equal(again, document), "and has the same content");
        fuzz::render_everything(document);
    } catch (const Error& refused) {
        require(refused.code() == ErrorCode::usage || refused.code() == ErrorCode::unsupported,
                "a refusal is the document's fault");
    }
    return 0;
}
