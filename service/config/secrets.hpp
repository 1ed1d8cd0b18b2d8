#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// What stands in files of its own, so that the configuration can be shown to anybody.
namespace foxbench::config {

/// One line of a token file.
struct Token {
    bool may_run = false;  ///< scope `run`, else `read`
    std::string token;
};

/// Reads lines `read TOKEN` and `run TOKEN`; lines that begin with # are comments. Throws Error (usage) for a file that
/// cannot be read, that others than its owner can read, that has no token, or a token shorter than 16 characters.
[[nodiscard]] std::vector<Token> read_tokens(const std::filesystem::path& file);

/// Reads the key that signs messages: the file's text without line breaks at its end. Throws Error (usage) for a file
/// that cannot be read, that everybody can read, or that is empty.
[[nodiscard]] std::string read_secret(const std::filesystem::path& file);

}  // namespace foxbench::config
