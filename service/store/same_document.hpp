#pragma once

#include <optional>
#include <string>

#include "service/document/run_document.hpp"
#include "service/store/sqlite.hpp"

/// Which stored run is the document that somebody imports.
namespace foxbench::store {

/// SHA-256 over the document's content, which is everything but its id: 32 bytes.
[[nodiscard]] std::string content_hash(const document::RunDocument& document);

/// The run that holds the same content and stands, or came, under the document's id, or under that id but for a suffix
/// that an import gave (run and run-2). Another id altogether is another run, whatever it holds. Notes hashes of
/// finished runs that have none yet.
[[nodiscard]] std::optional<std::string> find_same_run(Database& database, const document::RunDocument& document,
                                                       const std::string& hash);

void note_content_hash(Database& database, const std::string& run, const std::string& hash);

}  // namespace foxbench::store
