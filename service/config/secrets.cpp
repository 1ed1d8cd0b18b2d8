#include "service/config/secrets.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include <sys/stat.h>

#include "service/error.hpp"

namespace foxbench::config {
namespace {

/// 16 characters of base64 are 96 bits: nobody guesses that over a network.
constexpr std::size_t kShortestToken = 16;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
    throw Error(ErrorCode::usage, file.string() + ": " + what);
}

std::string read_private(const std::filesystem::path& file, mode_t forbidden, const char* mode) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) refuse(file, "cannot be read: " + std::generic_category().message(errno));
    if ((status.st_mode & forbidden) != 0)
        refuse(file, std::string("others can read this secret; say chmod ") + mode + " " + file.string());
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    if (stream) text << stream.rdbuf();
    if (!stream) refuse(file, "cannot be read: " + std::generic_category().message(errno));
    return std::move(text).str();
}

}  // namespace

std::vector<Token> read_tokens(const std::filesystem::path& file) {
    std::istringstream lines(read_private(file, S_IRWXG | S_IRWXO, "600"));
    std::vector<Token> tokens;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::istringstream words(line);
        std::string scope;
        Token token;
        std::string rest;
        if (!(words >> scope) || scope.front() == '#') continue;
        const std::string where = "line " + std::to_string(number) + ": ";
        if ((scope != "read" && scope != "run") || !(words >> token.token) || (words >> rest))
            refuse(file, where + "expected 'read TOKEN' or 'run TOKEN'");
        if (token.token.size() < kShortestToken) {
            refuse(file, where + "the token has fewer than " + std::to_string(kShortestToken) +
                             " characters; make one with: openssl rand -base64 24");
        }
        token.may_run = scope == "run";
        tokens.push_back(std::move(token));
    }
    if (tokens.empty()) refuse(file, "has no token; expected lines 'read TOKEN' or 'run TOKEN'");
    return tokens;
}

std::string read_secret(const std::filesystem::path& file) {
    std::string secret = read_private(file, S_IRWXO, "640");
    while (!secret.empty() && (secret.back() == '\n' || secret.back() == '\r')) secret.pop_back();
    if (secret.empty()) refuse(file, "is empty; put the key that the receiver knows into it");
    return secret;
}

}  // namespace foxbench::config
