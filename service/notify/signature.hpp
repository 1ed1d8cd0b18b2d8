#pragma once

#include <string>
#include <string_view>

namespace foxbench::notify {

/// HMAC-SHA256 (RFC 2104, FIPS 180-4) of `body` under `secret`: 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sign(std::string_view secret, std::string_view body);

/// The value of the header X-Foxbench-Signature: "sha256=" and the signature. A receiver computes the same over the
/// bytes that it got and compares in constant time.
[[nodiscard]] std::string signature_header(std::string_view secret, std::string_view body);

}  // namespace foxbench::notify
