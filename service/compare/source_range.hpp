#pragma once

#include <optional>

#include "service/compare/comparison.hpp"

namespace foxbench::compare {

/// The source between two builds, where both say which repository and which change they were made from and the
/// repository is the same; with the address of its list of changes where the repository is one of Mozilla's
/// (hg.mozilla.org's pushlog, https://mozilla-version-control-tools.readthedocs.io/en/latest/hgmo/pushlog.html) or on
/// GitHub. Empty for one and the same change. Pure.
[[nodiscard]] std::optional<SourceRange> source_range(const document::Browser& base, const document::Browser& next);

}  // namespace foxbench::compare
