#include "service/notify/signature.hpp"

#include <gtest/gtest.h>

namespace foxbench::notify {
namespace {

/// https://www.rfc-editor.org/rfc/rfc4231, section 4.
TEST(Signatures, AreThoseOfRfc4231) {
    EXPECT_EQ(sign(std::string(20, '\x0b'), "Hi There"),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    EXPECT_EQ(sign("Jefe", "what do ya want for nothing?"),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(sign(std::string(20, '\xaa'), std::string(50, '\xdd')),
              "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    EXPECT_EQ(sign(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

/// printf '{"a":1}' | openssl dgst -sha256 -hmac secret
TEST(Signatures, AreWhatTheOpensslCommandSays) {
    EXPECT_EQ(signature_header("secret", "{\"a\":1}"),
              "sha256=aa9e2e3575f5d7098b6caccd790888c36d5fdb63342a73bada2d6a51747a8494");
}

TEST(Signatures, DependOnEveryByte) {
    EXPECT_NE(sign("secret", "a"), sign("secret", "b"));
    EXPECT_NE(sign("secret", "a"), sign("Secret", "a"));
    EXPECT_NE(sign("secret", "a"), sign("secret", std::string("a\0", 2)));
    EXPECT_EQ(sign("", "").size(), 64U);
}

}  // namespace
}  // namespace foxbench::notify
