#include "service/config/secrets.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "service/error.hpp"

namespace foxbench::config {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SecretsTest : public testing::Test {
protected:
    ~SecretsTest() override { fs::remove(file_); }

    void write(const std::string& text, fs::perms mode) {
        std::ofstream(file_) << text;
        fs::permissions(file_, mode);
    }

    template <class Read>
    std::string fault(const Read& read) {
        try {
            (void)read(file_);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::usage);
            return error.what();
        }
        return "(accepted)";
    }

    static constexpr fs::perms kPrivate = fs::perms::owner_read | fs::perms::owner_write;
    fs::path file_ = fs::current_path() / "secrets-test.txt";
};

TEST_F(SecretsTest, TokensHaveScopes) {
    write("# for the dashboard\nread 0123456789abcdef\n\nrun fedcba9876543210\n", kPrivate);
    const auto tokens = read_tokens(file_);
    ASSERT_EQ(tokens.size(), 2U);
    EXPECT_FALSE(tokens[0].may_run);
    EXPECT_EQ(tokens[0].token, "0123456789abcdef");
    EXPECT_TRUE(tokens[1].may_run);
}

TEST_F(SecretsTest, TokensThatOthersCanReadAreRefused) {
    write("run 0123456789abcdef\n", kPrivate | fs::perms::group_read);
    EXPECT_THAT(fault(read_tokens), HasSubstr("chmod 600"));
}

TEST_F(SecretsTest, FaultyTokensNameTheirLine) {
    write("run 0123456789abcdef\nwrite 0123456789abcdef\n", kPrivate);
    EXPECT_THAT(fault(read_tokens), HasSubstr("line 2: expected 'read TOKEN' or 'run TOKEN'"));
    write("run short\n", kPrivate);
    EXPECT_THAT(fault(read_tokens), HasSubstr("line 1: the token has fewer than 16"));
    write("# nothing\n", kPrivate);
    EXPECT_THAT(fault(read_tokens), HasSubstr("has no token"));
}

TEST_F(SecretsTest, AMissingFileIsNamed) {
    EXPECT_THAT(fault(read_secret), testing::AllOf(HasSubstr("secrets-test.txt"), HasSubstr("No such file")));
}

TEST_F(SecretsTest, ASecretEndsBeforeItsLineBreak) {
    write("the key \n", kPrivate | fs::perms::group_read);
    EXPECT_EQ(read_secret(file_), "the key ");
    write("\n", kPrivate);
    EXPECT_THAT(fault(read_secret), HasSubstr("is empty"));
    write("x", kPrivate | fs::perms::others_read);
    EXPECT_THAT(fault(read_secret), HasSubstr("others can read"));
}

}  // namespace
}  // namespace foxbench::config
