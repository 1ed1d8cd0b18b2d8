#include "service/store/same_document.hpp"

#include <array>
#include <vector>

#include <openssl/evp.h>

#include "service/document/content.hpp"
#include "service/document/ids.hpp"
#include "service/error.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/statements.hpp"

namespace foxbench::store {
namespace {

struct Candidate {
    std::string id;
    std::optional<std::string> hash;
};

std::vector<Candidate> candidates_for(Database& database, const std::string& id) {
    std::vector<Candidate> candidates;
    const auto add = [&](const std::string& name) {
        Statement rows = database.prepare(sql::kRunsNamed).bind(name);
        while (rows.step()) candidates.push_back({rows.text(0), rows.optional_text(1)});
    };
    add(id);
    if (const auto dash = id.rfind('-'); dash != id.npos && document::is_suffixed(id, id.substr(0, dash)))
        add(id.substr(0, dash));

    Statement rows = database.prepare(sql::kHashesBetween).bind(id + "-", id + ".");  // '.' follows '-' in ASCII
    while (rows.step()) {
        std::string found = rows.text(0);
        if (document::is_suffixed(found, id)) candidates.push_back({std::move(found), rows.optional_text(1)});
    }
    return candidates;
}

std::string hash_of_stored(Database& database, const std::string& run) {
    const document::RunDocument stored = load_run(database, run);
    std::string hash = content_hash(stored);
    if (is_final(stored.state)) note_content_hash(database, run, hash);
    return hash;
}

}  // namespace

std::string content_hash(const document::RunDocument& document) {
    const std::string text = document::canonical_text(document);
    std::array<unsigned char, 32> digest{};
    if (EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
        throw Error(ErrorCode::internal, "OpenSSL could not compute a SHA-256");
    }
    return {digest.begin(), digest.end()};
}

std::optional<std::string> find_same_run(Database& database, const document::RunDocument& document,
                                         const std::string& hash) {
    for (const Candidate& candidate : candidates_for(database, document.id)) {
        if ((candidate.hash ? *candidate.hash : hash_of_stored(database, candidate.id)) == hash) return candidate.id;
    }
    return std::nullopt;
}

void note_content_hash(Database& database, const std::string& run, const std::string& hash) {
    database.prepare(sql::kSetContentHash).bind(find_run_key(database, run), Blob{hash}).run();
}

}  // namespace foxbench::store
