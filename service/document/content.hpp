#pragma once

#include <string>

#include "service/document/run_document.hpp"

/// When two documents are the same. Pure functions.
namespace foxbench::document {

/// A document as text in one form whatever wrote it: members sorted by name, no blanks, whole numbers without a
/// fraction, and without its id, since that changes where another run already has it. Equal text is equal content; a
/// hash of it identifies a run.
[[nodiscard]] std::string canonical_text(const RunDocument& document);

/// Whether both say the same of a run: equal as JSON but for the id.
[[nodiscard]] bool content_equal(const RunDocument& a, const RunDocument& b);

}  // namespace foxbench::document
