#include "service/run/launch_noise.hpp"

#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <unistd.h>

#include "bidi/testing/run_task.hpp"

namespace foxbench::run {
namespace {

using bidi::testing::run;

class LaunchNoiseTest : public testing::Test {
protected:
    LaunchNoiseTest() {
        folder_ = std::filesystem::path(testing::TempDir()) / "launch_noise_test";
        std::filesystem::create_directories(folder_);
    }
    ~LaunchNoiseTest() override { std::filesystem::remove_all(folder_); }

    boost::asio::io_context io_;
    std::filesystem::path folder_;
};

TEST_F(LaunchNoiseTest, ProbesTheDiskBeforeAndAfter) {
    LaunchNoise noise(folder_);
    run(io_, noise.look_before());
    run(io_, noise.look_after(::getpgrp()));
    EXPECT_FALSE(noise.result()->at("after").contains("fsync_probe"));
    run(io_, noise.probe_after());
    const auto result = noise.result();
    ASSERT_TRUE(result.has_value());
    for (const char* moment : {"before", "after"})
        EXPECT_GT(result->at(moment).at("fsync_probe").at("median_us").get<double>(), 0) << moment;
    EXPECT_TRUE(result->at("other_cpu_percent").is_number());
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(LaunchNoiseTest, OfAFolderThatCannotBeWrittenHasNoProbe) {
    LaunchNoise noise(folder_ / "nothing");
    run(io_, noise.look_before());
    run(io_, noise.look_after(::getpgrp()));
    run(io_, noise.probe_after());
    EXPECT_FALSE(noise.result()->at("before").contains("fsync_probe"));
    EXPECT_FALSE(noise.result()->at("after").contains("fsync_probe"));
}

TEST_F(LaunchNoiseTest, OfALaunchThatDidNotComeThatFarIsNothing) {
    LaunchNoise noise(folder_);
    EXPECT_FALSE(noise.result().has_value());
    run(io_, noise.probe_after());
    EXPECT_FALSE(noise.result().has_value());
}

}  // namespace
}  // namespace foxbench::run
