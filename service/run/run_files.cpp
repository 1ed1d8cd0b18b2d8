#include "service/run/run_files.hpp"

#include "service/document/json_text.hpp"
#include "service/report/render.hpp"
#include "service/store/results_folder.hpp"

namespace foxbench::run {

void write_run_files(const store::Store& store, const std::string& run) {
    const auto document = store.load(run);
    store::write_run_folder(store.results_dir(), run, report::render(document, report::Format::md),
                            document::to_text(document::to_json(document)));
}

std::optional<std::string> try_write_run_files(const store::Store& store, const std::string& run) {
    try {
        write_run_files(store, run);
        return std::nullopt;
    } catch (const std::exception& fault) {
        return "the report and document of run " + run + " could not be written: " + fault.what();
    }
}

}  // namespace foxbench::run
