#include "service/run/before_commands.hpp"

#include <fstream>

#include <boost/asio.hpp>
#include <gmock/gmock.h>

#include "bidi/testing/run_task.hpp"
#include "service/error.hpp"

namespace foxbench::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BeforeCommandsTest : public testing::Test {
protected:
    void run(std::vector<std::string> commands) {
        bidi::testing::run(io_, run_before_commands(std::move(commands), folder_,
                                                    [this](const std::string& what) { told_.push_back(what); }));
    }

    std::string failure(std::vector<std::string> commands) {
        try {
            run(std::move(commands));
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::environment);
            return error.what();
        }
        return "(none)";
    }

    boost::asio::io_context io_;
    std::filesystem::path folder_ = std::filesystem::current_path();
    std::vector<std::string> told_;
};

TEST_F(BeforeCommandsTest, RunInOrderInTheirFolderAndTellWhatTheyPrint) {
    run({"pwd", "echo second; echo third >&2"});
    ASSERT_EQ(told_.size(), 4U);
    EXPECT_EQ(told_[0], "before: pwd");
    EXPECT_THAT(told_[1], HasSubstr(folder_.string()));
    EXPECT_THAT(told_[3], AllOf(HasSubstr("second"), HasSubstr("third")));
}

TEST_F(BeforeCommandsTest, AFailureIsToldWithItsOutputAndEndsTheRow) {
    EXPECT_EQ(failure({"echo no such build; exit 3", "echo never"}),
              "before: 'echo no such build; exit 3' ended with exit code 3: no such build");
    EXPECT_THAT(told_, testing::Not(testing::Contains(HasSubstr("never"))));
}

TEST_F(BeforeCommandsTest, SilenceIsSaid) {
    EXPECT_THAT(failure({"exit 1"}), HasSubstr("exit code 1; it printed nothing"));
}

TEST_F(BeforeCommandsTest, AMissingFolderFails) {
    folder_ = "/no/such/folder";
    EXPECT_THAT(failure({"true"}), HasSubstr("/no/such/folder"));
}

TEST_F(BeforeCommandsTest, ASignalIsNamed) {
    EXPECT_THAT(failure({"kill -9 $$"}), HasSubstr("signal 9"));
}

}  // namespace
}  // namespace foxbench::run
