#pragma once

#include <cstddef>
#include <string>

#include "service/document/run_document.hpp"

/// Sentences that every format of a report has, unescaped.
namespace foxbench::report {

/// What stands before the run's id: "OPFS sync write benchmark". For other workloads the document's member "title", or
/// the workload's name.
[[nodiscard]] std::string heading(const document::RunDocument& document);
/// What stands above each target's figures, with code between backticks.
[[nodiscard]] std::string title(const document::RunDocument& document);

/// "preset=quick, N=2000, S=4096 B, chunks=64 KiB / 1 MiB, R=3, M=200"; for other workloads their parameters by name.
[[nodiscard]] std::string configuration(const document::RunDocument& document);

/// "AMD Ryzen 7 (16 threads), 65 GB, linux 7.0.0 x64", without what is not known.
[[nodiscard]] std::string host(const document::RunDocument& document);
/// "ext4 (/)"
[[nodiscard]] std::string profiles(const document::RunDocument& document);

/// "Median run of R=15 (5 launches × 3) (by total time) after one warm-up pass; ...", with a colon at the end.
[[nodiscard]] std::string median_run(const document::RunDocument& document, const document::Target& target);

/// Of how many launches a target's figures are: those with at least one measured pass, or as many as were asked for
/// where no pass is known.
[[nodiscard]] std::size_t measured_launches(const document::RunDocument& document, const document::Target& target);
/// The measured passes a launch was asked for; the most that a series has where the configuration does not say.
[[nodiscard]] std::size_t asked_passes(const document::RunDocument& document, const document::Target& target);
/// The launches of a target that were asked for.
[[nodiscard]] std::size_t asked_launches(const document::RunDocument& document, const document::Target& target);

/// "partial. The browser ended.": state and reason.
[[nodiscard]] std::string state(const document::RunDocument& document);

/// What the worker saw of the browser around it, a text a line; the first may be empty where nothing is known.
struct EnvironmentLines {
    std::string user_agent;  ///< what is not known is empty
    std::string platform;    ///< "Linux x86_64; hardwareConcurrency: 16"
    std::string timestamp;
    std::string resolution;  ///< "20 µs (crossOriginIsolated: true)"
    std::string estimate;    ///< "2.0 MB used of 10737 MB"
};
/// Of the target's first launch that got as far as having one.
[[nodiscard]] EnvironmentLines environment(const document::Target& target);

}  // namespace foxbench::report
