#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "service/client/daemon_client.hpp"
#include "service/error.hpp"

namespace foxbench::client {
namespace {

/// Neither a blank nor a line end may get into a header. What is wrong is said without repeating it: it is a secret.
std::string checked(std::string token, const std::string& origin) {
    if (!std::ranges::all_of(token, [](char c) { return c > ' ' && c <= '~'; }))
        throw Error(ErrorCode::usage, origin + " holds no token: blanks and what is not ASCII do not occur in one");
    return token;
}

}  // namespace

std::string find_token() {
    if (const char* token = std::getenv("FOXBENCH_TOKEN"); token && *token) return checked(token, "FOXBENCH_TOKEN");
    if (const char* file = std::getenv("FOXBENCH_TOKEN_FILE"); file && *file) return read_token(file);
    return {};
}

std::string read_token(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream)
        throw Error(ErrorCode::environment,
                    "the token file " + file.string() + " cannot be read: " + std::generic_category().message(errno));
    std::string first;
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string scope, token, rest;
        words >> scope >> token >> rest;
        if (scope.empty() || scope.starts_with('#')) continue;
        if (!rest.empty())
            throw Error(ErrorCode::usage,
                        "the token file " + file.string() + " has a line that is neither a token nor `SCOPE TOKEN`");
        if (token.empty()) token = scope;
        if (scope == "run") return checked(token, file.string());
        if (first.empty()) first = token;
    }
    if (first.empty()) throw Error(ErrorCode::usage, "the token file " + file.string() + " holds no token");
    return checked(first, file.string());
}

}  // namespace foxbench::client
