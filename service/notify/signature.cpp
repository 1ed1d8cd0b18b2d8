#include "service/notify/signature.hpp"

#include <array>
#include <climits>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "service/error.hpp"
#include "service/text/words.hpp"

namespace foxbench::notify {

std::string sign(std::string_view secret, std::string_view body) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(body.data());
    if (secret.size() > INT_MAX ||
        !HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes, body.size(), digest.data(), &length))
        throw Error(ErrorCode::internal, "OpenSSL failed to sign a message");
    return text::hex({digest.data(), length});
}

std::string signature_header(std::string_view secret, std::string_view body) {
    return "sha256=" + sign(secret, body);
}

}  // namespace foxbench::notify
