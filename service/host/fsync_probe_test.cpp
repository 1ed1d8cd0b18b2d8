#include "service/host/fsync_probe.hpp"

#include <gtest/gtest.h>

#include "service/host/test_tree.hpp"

namespace foxbench::host {
namespace {

using testing_support::Tree;

TEST(FsyncProbe, MeasuresAndLeavesNothingBehind) {
    const Tree folder;
    const auto probe = probe_fsync(folder.path());
    ASSERT_TRUE(probe.has_value());
    EXPECT_GT(probe->median_us, 0);
    EXPECT_GE(probe->writes, 1);
    EXPECT_LE(probe->writes, kFsyncProbeWrites);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FsyncProbe, WithoutTimeWritesOnce) {
    const Tree folder;
    EXPECT_EQ(probe_fsync(folder.path(), std::chrono::milliseconds(0)).value().writes, 1);
}

TEST(FsyncProbe, WithAllTheTimeOfTheWorldWritesSoMany) {
    const Tree folder;
    EXPECT_EQ(probe_fsync(folder.path(), std::chrono::hours(1)).value().writes, kFsyncProbeWrites);
}

TEST(FsyncProbe, OfAFolderThatCannotBeWrittenIsNothing) {
    EXPECT_FALSE(probe_fsync("/proc").has_value());
    EXPECT_FALSE(probe_fsync("/nonexistent").has_value());
}

TEST(FsyncProbe, DoesNotWriteThroughALinkThatSomebodyPutThere) {
    const Tree folder;
    folder.write("precious", "text");
    std::filesystem::create_symlink(folder.path() / "precious", folder.path() / ".fsync-probe");
    EXPECT_TRUE(probe_fsync(folder.path(), std::chrono::milliseconds(0)).has_value());
    EXPECT_EQ(std::filesystem::file_size(folder.path() / "precious"), 5u);
}

}  // namespace
}  // namespace foxbench::host
