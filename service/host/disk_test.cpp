#include "service/host/disk.hpp"

#include <gtest/gtest.h>

#include "service/host/test_tree.hpp"

namespace foxbench::host {
namespace {

using testing_support::Tree;

/// ext4 on LVM on dm-crypt on a partition of an NVMe disk: what a Linux notebook has.
class StackTest : public testing::Test {
protected:
    StackTest() {
        sys_.link("dev/block/253:1", "devices/virtual/block/dm-1");
        sys_.write("devices/virtual/block/dm-1/dm/uuid", "LVM-9fO2kyZ");
        sys_.write("devices/virtual/block/dm-1/queue/write_cache", "write back");
        sys_.write("devices/virtual/block/dm-1/queue/scheduler", "none");
        sys_.link("devices/virtual/block/dm-1/slaves/dm-0", "devices/virtual/block/dm-0");
        sys_.write("devices/virtual/block/dm-0/dm/uuid", "CRYPT-LUKS2-21c0-root");
        sys_.link("devices/virtual/block/dm-0/slaves/nvme0n1p3", "devices/pci/nvme0n1/nvme0n1p3");
        sys_.write("devices/pci/nvme0n1/nvme0n1p3/partition", "3");
        sys_.write("devices/pci/nvme0n1/queue/write_cache", "write through");
        sys_.write("devices/pci/nvme0n1/queue/scheduler", "mq-deadline kyber [bfq] none");
        sys_.link("dev/block/259:3", "devices/pci/nvme0n1/nvme0n1p3");
    }

    Tree sys_;
};

TEST_F(StackTest, IsFollowedToTheDisk) {
    const auto layers = read_disk_layers("253:1", sys_.path());
    EXPECT_EQ(to_json(layers), document::Json::parse(R"([
        {"name": "dm-1", "kind": "lvm", "write_cache": "write back", "scheduler": "none"},
        {"name": "dm-0", "kind": "crypt"},
        {"name": "nvme0n1", "write_cache": "write through", "scheduler": "bfq"}])"));
    EXPECT_EQ(in_words(layers),
              "dm-1 (lvm, write back, scheduler none) on dm-0 (crypt) on nvme0n1 (write through, scheduler bfq)");
}

TEST_F(StackTest, OfAPartitionIsItsDisk) {
    const auto layers = read_disk_layers("259:3", sys_.path());
    ASSERT_EQ(layers.size(), 1u);
    EXPECT_EQ(layers[0].name, "nvme0n1");
    EXPECT_EQ(layers[0].kind, std::nullopt);
}

TEST_F(StackTest, OfARaidHasEveryDiskOnce) {
    sys_.link("dev/block/9:0", "devices/virtual/block/md0");
    sys_.write("devices/virtual/block/md0/md/level", "raid1");
    sys_.link("devices/virtual/block/md0/slaves/sda1", "devices/pci/sda/sda1");
    sys_.link("devices/virtual/block/md0/slaves/sdb1", "devices/pci/sdb/sdb1");
    sys_.link("devices/virtual/block/md0/slaves/sdb2", "devices/pci/sdb/sdb2");
    for (const char* part : {"sda/sda1", "sdb/sdb1", "sdb/sdb2"})
        sys_.write(std::string("devices/pci/") + part + "/partition", "1");
    EXPECT_EQ(in_words(read_disk_layers("9:0", sys_.path())), "md0 (raid1) on sda on sdb");
}

TEST_F(StackTest, OfADeviceThatStandsOnItselfEnds) {
    sys_.link("devices/virtual/block/dm-0/slaves/dm-1", "devices/virtual/block/dm-1");
    EXPECT_EQ(read_disk_layers("253:1", sys_.path()).size(), 3u);
}

TEST_F(StackTest, IsEmptyWithoutADevice) {
    EXPECT_TRUE(read_disk_layers("0:23", sys_.path()).empty());
    EXPECT_TRUE(read_disk_layers("", sys_.path() / "nothing").empty());
}

TEST(ChosenScheduler, StandsInBrackets) {
    EXPECT_EQ(parse_chosen("none [mq-deadline] kyber bfq\n"), "mq-deadline");
    EXPECT_EQ(parse_chosen("none\n"), "none");
    EXPECT_EQ(parse_chosen(""), std::nullopt);
}

TEST(DeviceNumber, IsOfBlockDevicesOnly) {
    EXPECT_FALSE(number_of_device("/dev/null").has_value());
    EXPECT_FALSE(number_of_device("/nonexistent").has_value());
}

}  // namespace
}  // namespace foxbench::host
