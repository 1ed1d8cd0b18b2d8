#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "service/client/daemon_client.hpp"
#include "service/error.hpp"

namespace foxbench::client {
namespace {

class Token : public ::testing::Test {
protected:
    std::filesystem::path file(const std::string& text) const {
        std::ofstream(path_) << text;
        return path_;
    }
    void TearDown() override {
        std::filesystem::remove(path_);
        ::unsetenv("FOXBENCH_TOKEN");
        ::unsetenv("FOXBENCH_TOKEN_FILE");
    }

    std::filesystem::path path_ =
        std::filesystem::temp_directory_path() / ("foxbench-token-test-" + std::to_string(::getpid()));
};

TEST_F(Token, OfAFileIsItsOnlyWord) {
    EXPECT_EQ(read_token(file("abc123\n")), "abc123");
    EXPECT_EQ(read_token(file("# mine\n\n  abc123  \n")), "abc123");
}

TEST_F(Token, OfADaemonsFileIsTheOneThatMayDoMost) {
    EXPECT_EQ(read_token(file("read aaa\nrun bbb\nrun ccc\n")), "bbb");
    EXPECT_EQ(read_token(file("read aaa\nread bbb\n")), "aaa");
}

TEST_F(Token, IsAbsentOrWrong) {
    for (const char* text : {"", "# nothing\n", "run a b\n", "run a\x01\n", "h\xc3\xa9\n"})
        EXPECT_THROW((void)read_token(file(text)), Error) << text;
    EXPECT_THROW((void)read_token("/nowhere/token"), Error);
}

TEST_F(Token, ComesFromTheEnvironment) {
    EXPECT_EQ(find_token(), "");
    ::setenv("FOXBENCH_TOKEN_FILE", file("run fromfile\n").c_str(), 1);
    EXPECT_EQ(find_token(), "fromfile");
    ::setenv("FOXBENCH_TOKEN", "direct", 1);
    EXPECT_EQ(find_token(), "direct");
    ::setenv("FOXBENCH_TOKEN", "a\r\nHost: b", 1);
    EXPECT_THROW((void)find_token(), Error);
}

}  // namespace
}  // namespace foxbench::client
