#include "service/browser/find.hpp"

#include <gmock/gmock.h>

#include "service/browser/testing_support.hpp"
#include "service/error.hpp"

namespace foxbench::browser {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class FindBinaryTest : public ::testing::Test {
protected:
    FindBinaryTest() {
        environment_.path = (folder_.path() / "bin").string() + ":" + (folder_.path() / "more").string();
        environment_.home = folder_.path() / "home";
        environment_.directory = folder_.path();
    }

    [[nodiscard]] fs::path find(std::string_view spec) const { return find_binary(spec, environment_); }

    void expect_error(std::string_view spec, ErrorCode code, const ::testing::Matcher<std::string>& message) const {
        try {
            ADD_FAILURE() << "found " << find(spec);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code);
            EXPECT_THAT(std::string(error.what()), message);
        }
    }

    testing::TemporaryFolder folder_;
    SearchEnvironment environment_;
};

TEST_F(FindBinaryTest, WithoutASpecTakesFirefoxBeforeFirefoxEsr) {
    const auto esr = folder_.write_program("bin/firefox-esr", "");
    EXPECT_EQ(find(""), esr);
    const auto firefox = folder_.write_program("more/firefox", "");
    EXPECT_EQ(find(""), firefox) << "the name counts before the place on the path";
}

TEST_F(FindBinaryTest, WithoutASpecSaysHowToGetOne) {
    expect_error("", ErrorCode::environment,
                 AllOf(HasSubstr("neither firefox nor firefox-esr"), HasSubstr("apt-get install firefox-esr")));
}

TEST_F(FindBinaryTest, TakesANameOnThePath) {
    const auto nightly = folder_.write_program("more/firefox-nightly", "");
    EXPECT_EQ(find("firefox-nightly"), nightly);
    expect_error("firefox-beta", ErrorCode::usage, HasSubstr("no program firefox-beta on the PATH"));
}

TEST_F(FindBinaryTest, PassesOverWhatCannotBeExecuted) {
    folder_.write("bin/firefox", "not executable");
    fs::create_directories(folder_.path() / "more/firefox-esr");
    expect_error("", ErrorCode::environment, HasSubstr("no Firefox found"));
}

TEST_F(FindBinaryTest, TakesPathsAbsoluteRelativeAndInTheHomeFolder) {
    const auto firefox = folder_.write_program("home/builds/firefox", "");
    EXPECT_EQ(find(firefox.string()), firefox);
    EXPECT_EQ(find("./home/builds/../builds/firefox"), firefox);
    EXPECT_EQ(find("~/builds/firefox"), firefox);
}

TEST_F(FindBinaryTest, TakesTheObjectFolderOfALocalBuildAndItsDistBin) {
    const auto firefox = folder_.write_program("src/obj-x86_64-pc-linux-gnu/dist/bin/firefox", "");
    EXPECT_EQ(find("src/obj-x86_64-pc-linux-gnu"), firefox);
    EXPECT_EQ(find("src/obj-x86_64-pc-linux-gnu/dist/bin"), firefox);
    EXPECT_EQ(find("src/obj-x86_64-pc-linux-gnu/dist/bin/"), firefox);
}

TEST_F(FindBinaryTest, SaysWhatIsWrongWithAPath) {
    expect_error("./nowhere", ErrorCode::usage,
                 AllOf(HasSubstr(folder_.path().string() + "/nowhere"), HasSubstr("no such file")));
    folder_.write("text", "");
    expect_error("./text", ErrorCode::usage, HasSubstr("cannot be executed"));
    fs::create_directories(folder_.path() / "obj-empty");
    expect_error("./obj-empty", ErrorCode::usage, HasSubstr("neither firefox nor dist/bin/firefox"));
}

TEST_F(FindBinaryTest, NeedsAHomeForATilde) {
    environment_.home.clear();
    expect_error("~/firefox", ErrorCode::usage, HasSubstr("HOME is not set"));
}

TEST_F(FindBinaryTest, RecognisesSnaps) {  // cases.md 9
    EXPECT_TRUE(is_snap("/snap/bin/firefox"));
    EXPECT_TRUE(is_snap(folder_.write_program("bin/firefox", "#!/bin/sh\nexec /snap/bin/firefox \"$@\"\n")));
    EXPECT_FALSE(is_snap(folder_.write_program("bin/other", "#!/bin/sh\nexec firefox-esr \"$@\"\n")));
    EXPECT_FALSE(is_snap("/nonexistent"));
}

}  // namespace
}  // namespace foxbench::browser
