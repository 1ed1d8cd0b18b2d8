#include "service/host/digest.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::host {
namespace {

TEST(Sha256, GivesTheStandardsExamples) {  // FIPS 180-4, appendix B of FIPS 180-2
    EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, OfPiecesIsThatOfTheWhole) {
    EXPECT_EQ(Sha256().update("a").update("").update("bc").hex(), sha256_hex("abc"));
}

TEST(Sha256, OfAFileIsThatOfItsContentAlsoBeyondOneRead) {
    const auto file = std::filesystem::path(testing::TempDir()) / "digest_test.bin";
    const std::string content(1'000'003, 'x');
    std::ofstream(file, std::ios::binary) << content;
    EXPECT_EQ(Sha256().update_file(file).hex(), sha256_hex(content));
    std::filesystem::remove(file);
}

TEST(Sha256, OfAFileThatIsNotThereNamesIt) {
    try {
        static_cast<void>(Sha256().update_file("/nonexistent/libxul.so"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::environment);
        EXPECT_STREQ(error.what(), "cannot read /nonexistent/libxul.so: No such file or directory");
    }
}

}  // namespace
}  // namespace foxbench::host
