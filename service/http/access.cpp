#include "service/http/access.hpp"

#include <algorithm>
#include <array>

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "service/error.hpp"
#include "service/host/digest.hpp"
#include "service/http/ascii.hpp"
#include "service/http/problem.hpp"
#include "service/text/words.hpp"

namespace foxbench::http {
namespace {

constexpr std::string_view kBearer = "Bearer ";

/// 256 bits that nobody guesses, in hexadecimal.
std::string new_secret() {
    std::array<unsigned char, 32> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
        throw Error(ErrorCode::environment, "no random bytes could be had for a session");
    return text::hex(bytes);
}

std::optional<std::string_view> cookie(const Fields& fields, std::string_view name) {
    for (const auto& [field, value] : fields) {
        if (!iequals(field, "Cookie")) continue;
        for (const auto item : list_items(value, ';')) {
            if (item.size() > name.size() && item.starts_with(name) && item[name.size()] == '=')
                return item.substr(name.size() + 1);
        }
    }
    return std::nullopt;
}

std::vector<AccessToken> digested(std::vector<AccessToken> tokens) {
    for (auto& token : tokens) token.token = host::sha256_hex(token.token);
    return tokens;
}

}  // namespace

Access::Access(std::vector<AccessToken> tokens) : tokens_(digested(std::move(tokens))) {}

bool Access::replace(std::vector<AccessToken> tokens) {
    auto fresh = digested(std::move(tokens));
    if (fresh == tokens_) return false;
    tokens_ = std::move(fresh);
    for (auto session = sessions_.begin(); session != sessions_.end();) {
        const auto scope = scope_of_digest(session->second.token);
        if (scope) session->second.scope = *scope;
        session = scope ? std::next(session) : sessions_.erase(session);
    }
    return true;
}

std::optional<Scope> Access::scope_of(std::string_view token) const {
    return scope_of_digest(host::sha256_hex(token));
}

std::optional<Scope> Access::scope_of_digest(std::string_view digest) const {
    // Digests have one length, and every one is compared: neither a token's length nor its beginning shows in the time.
    std::optional<Scope> scope;
    for (const auto& known : tokens_) {
        if (CRYPTO_memcmp(known.token.data(), digest.data(), digest.size()) == 0)
            scope = std::max(scope.value_or(Scope::none), known.scope);
    }
    return scope;
}

std::optional<Scope> Access::scope_of_caller(const Fields& fields, Clock::time_point now) const {
    if (const auto authorization = find_field(fields, "Authorization")) {
        // One that is there and wrong is not made good by a cookie.
        if (count_fields(fields, "Authorization") != 1) return std::nullopt;
        if (!iequals(authorization->substr(0, kBearer.size()), kBearer)) return std::nullopt;
        return scope_of(trimmed(authorization->substr(kBearer.size())));
    }
    if (const auto secret = cookie(fields, kCookie)) {
        const auto session = sessions_.find(host::sha256_hex(*secret));
        if (session != sessions_.end() && now < session->second.expires) return session->second.scope;
    }
    return std::nullopt;
}

void Access::require(Scope needed, const Fields& fields, Clock::time_point now) const {
    if (needed == Scope::none || is_open()) return;
    const auto scope = scope_of_caller(fields, now);
    if (!scope) {
        throw Problem(401, "This needs a token of the daemon's token file: Authorization: Bearer TOKEN.")
            .with("WWW-Authenticate", "Bearer realm=\"foxbench\"");
    }
    if (*scope < needed) {
        throw Problem(403, "This token may read only; this needs one with the scope 'run'.")
            .with("WWW-Authenticate", "Bearer realm=\"foxbench\", error=\"insufficient_scope\", scope=\"run\"");
    }
}

std::string Access::open_session(std::string_view token, Clock::time_point now) {
    const auto scope = is_open() ? Scope::run : scope_of(token);
    if (!scope) {
        throw Problem(401, "This is no token of the daemon's token file.")
            .with("WWW-Authenticate", "Bearer realm=\"foxbench\"");
    }
    std::erase_if(sessions_, [now](const auto& session) { return session.second.expires <= now; });
    if (sessions_.size() >= kMaxSessions) {
        sessions_.erase(
            std::ranges::min_element(sessions_, {}, [](const auto& session) { return session.second.expires; }));
    }
    const auto secret = new_secret();
    sessions_[host::sha256_hex(secret)] = {host::sha256_hex(token), *scope, now + kSessionLife};
    return std::string(kCookie) + "=" + secret +
           "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + std::to_string(std::chrono::seconds(kSessionLife).count());
}

}  // namespace foxbench::http
