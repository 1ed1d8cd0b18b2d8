#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/request.hpp"

namespace foxbench::http {

/// What a caller has to be allowed: nothing, to look, or also to start, cancel and delete. `run` includes `read`.
enum class Scope { none, read, run };

/// One line of the token file.
struct AccessToken {
    Scope scope = Scope::read;
    std::string token;

    friend bool operator==(const AccessToken&, const AccessToken&) = default;
};

/// Who may do what. Without tokens everybody may do everything: the server then listens on loopback alone. Tokens come
/// as `Authorization: Bearer` (RFC 6750) or as the cookie of a session that was opened with one. Not thread-safe.
class Access {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::string_view kCookie = "foxbench_session";
    /// A working day; the dashboard then asks for the token again.
    static constexpr std::chrono::hours kSessionLife{12};
    /// Sessions at a time; one more ends the oldest.
    static constexpr std::size_t kMaxSessions = 64;

    explicit Access(std::vector<AccessToken> tokens);

    /// Takes these in place of the present ones. Sessions of a token that is not among them end; those of one that is
    /// have its scope from now on. Gives whether anything is different.
    bool replace(std::vector<AccessToken> tokens);

    [[nodiscard]] bool is_open() const noexcept { return tokens_.empty(); }
    /// The scope of a token, in a time that does not depend on how much of one is right; nothing for an unknown one.
    [[nodiscard]] std::optional<Scope> scope_of(std::string_view token) const;

    /// Throws Problem: 401 (with WWW-Authenticate) without a token or with a wrong one, 403 where its scope is too
    /// small.
    void require(Scope needed, const Fields& fields, Clock::time_point now) const;

    /// Opens a session for a token; gives the Set-Cookie field's value. Throws Problem (401) for a wrong token.
    [[nodiscard]] std::string open_session(std::string_view token, Clock::time_point now);

private:
    struct Session {
        std::string token;  ///< its SHA-256
        Scope scope;
        Clock::time_point expires;
    };

    [[nodiscard]] std::optional<Scope> scope_of_digest(std::string_view digest) const;
    [[nodiscard]] std::optional<Scope> scope_of_caller(const Fields& fields, Clock::time_point now) const;

    std::vector<AccessToken> tokens_;          ///< token: its SHA-256
    std::map<std::string, Session> sessions_;  ///< by the SHA-256 of the cookie
};

}  // namespace foxbench::http
