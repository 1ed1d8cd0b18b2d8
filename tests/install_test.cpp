// What `cmake --install` puts on a machine works there.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/program.hpp"

namespace foxbench {
namespace {

using testing::HasSubstr;
using testing_support::Program;
using testing_support::read_file;
using testing_support::TemporaryFolder;

class Installation : public testing::Test {
protected:
    Installation() { install(); }

    void install() const {
        const auto result =
            Program({"/bin/sh", "-c",
                     "DESTDIR='" + folder_.path().string() + "' cmake --install " FOXBENCH_BUILD_DIR " --prefix /usr"})
                .finish();
        ASSERT_EQ(result.exit_code, 0) << result.err;
    }
    [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
    testing_support::Result foxbench(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), file("usr/bin/foxbench"));
        return Program(arguments).finish();
    }

    TemporaryFolder folder_;
};

TEST_F(Installation, HasAConfigurationInOrderAndItsOwnWorkloads) {
    const auto checked = foxbench({"config", "check", file("etc/foxbench/foxbench.yaml")});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    const auto shown = foxbench({"config", "show", file("etc/foxbench/foxbench.yaml")});
    EXPECT_THAT(shown.out, HasSubstr(file("usr/share/foxbench/workloads")));
    EXPECT_THAT(shown.out, HasSubstr("/var/lib/foxbench"));
    EXPECT_THAT(foxbench({"run", "--help"}).out, HasSubstr("--calls"));
}

TEST_F(Installation, HasAUnitThatStartsIt) {
    const auto unit = read_file(file("usr/lib/systemd/system/foxbench.service"));
    EXPECT_THAT(unit, HasSubstr("ExecStart=/usr/bin/foxbench serve --config /etc/foxbench/foxbench.yaml"));
    EXPECT_TRUE(std::filesystem::exists(file("usr/lib/sysusers.d/foxbench.conf")));
}

TEST_F(Installation, LeavesAConfigurationThatIsThere) {
    folder_.write("etc/foxbench/foxbench.yaml", "hosts: {name: mine}\n");
    install();
    EXPECT_EQ(read_file(file("etc/foxbench/foxbench.yaml")), "hosts: {name: mine}\n");
}

}  // namespace
}  // namespace foxbench
