#include "service/host/facts.hpp"

#include <gtest/gtest.h>

namespace foxbench::host {
namespace {

TEST(HashedMachineId, DoesNotTellTheMachineId) {
    const std::string id = "0123456789abcdef0123456789abcdef";
    const std::string hashed = hashed_machine_id(id + "\n");
    EXPECT_EQ(hashed.size(), 16u);
    EXPECT_EQ(hashed, hashed_machine_id(id)) << "white space around it means nothing";
    EXPECT_NE(hashed, hashed_machine_id("0123456789abcdef0123456789abcdee"));
    EXPECT_EQ(id.find(hashed), std::string::npos);
    EXPECT_EQ(hashed_machine_id("\n"), "") << "an image that was never booted has an empty one";
}

TEST(CpuModel, OnX86IsTheModelName) {
    EXPECT_EQ(parse_cpu_model("processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 97\n"
                              "model name\t: AMD Ryzen 7 7800X3D 8-Core Processor\nstepping\t: 2\n"),
              "AMD Ryzen 7 7800X3D 8-Core Processor");
}

TEST(CpuModel, OnArm64IsMadeOfTheCodes) {
    EXPECT_EQ(parse_cpu_model("processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n"),
              "Arm Neoverse-N1");
    EXPECT_EQ(parse_cpu_model("CPU implementer\t: 0x51\nCPU part\t: 0x001\n"), "arm64 implementer 0x51 part 0x001");
}

TEST(CpuModel, IsNothingWhereTheKernelTellsNone) {
    EXPECT_EQ(parse_cpu_model(""), std::nullopt);
    EXPECT_EQ(parse_cpu_model("processor\t: 0\nBogoMIPS\t: 50.00\n"), std::nullopt);
}

TEST(Meminfo, IsInBytes) {
    const char* text =
        "MemTotal:       16384000 kB\nMemFree:  1 kB\nMemAvailable:    8000 kB\nHugePages_Total:       0\n";
    EXPECT_EQ(parse_meminfo_bytes(text, "MemTotal"), std::uint64_t{16384000} * 1024);
    EXPECT_EQ(parse_meminfo_bytes(text, "MemAvailable"), std::uint64_t{8000} * 1024);
    EXPECT_EQ(parse_meminfo_bytes(text, "HugePages_Total"), std::nullopt) << "a number of pages is no size";
    EXPECT_EQ(parse_meminfo_bytes(text, "Mem"), std::nullopt);
}

TEST(Architecture, IsCalledAsInNode) {
    EXPECT_EQ(architecture("x86_64"), "x64");
    EXPECT_EQ(architecture("aarch64"), "arm64");
    EXPECT_EQ(architecture("riscv64"), "riscv64");
}

constexpr const char* kMountinfo =
    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "40 27 0:40 / /mnt/a\\040b rw,noatime shared:5 master:2 - btrfs /dev/mapper/x rw,subvol=/a\n"
    "41 27 0:41 / /home rw - ext4 /dev/old rw\n"
    "42 41 0:42 / /home rw,nosuid - tmpfs tmpfs rw,size=4k\n"
    "cut short\n";

TEST(Mountinfo, UndoesEscapesAndSkipsOptionalMembers) {
    const auto mounts = parse_mountinfo(kMountinfo);
    ASSERT_EQ(mounts.size(), 5u);
    EXPECT_EQ(mounts[2].mount_point, "/mnt/a b");
    EXPECT_EQ(mounts[2].filesystem, "btrfs");
    EXPECT_EQ(mounts[2].source, "/dev/mapper/x");
    EXPECT_EQ(mounts[2].options, "rw,noatime,subvol=/a") << "each option once";
}

TEST(MountOf, IsTheNearestOne) {
    const auto mounts = parse_mountinfo(kMountinfo);
    EXPECT_EQ(mount_of(mounts, "/mnt/a b/profiles")->device_number, "0:40");
    EXPECT_EQ(mount_of(mounts, "/var/profiles")->device_number, "254:0");
}

TEST(MountOf, ComparesWholeNames) {
    EXPECT_EQ(mount_of(parse_mountinfo(kMountinfo), "/homes/x")->mount_point, "/");
}

TEST(MountOf, OfTwoOnOneFolderIsTheUpper) {
    EXPECT_EQ(mount_of(parse_mountinfo(kMountinfo), "/home/me")->filesystem, "tmpfs");
}

TEST(MountOf, IsNothingWithoutMounts) {
    EXPECT_FALSE(mount_of({}, "/home"));
}

TEST(Tmpfs, IsRecognised) {  // cases.md 33: syncs are free there
    document::Profiles profiles;
    EXPECT_FALSE(is_tmpfs(profiles));
    profiles.filesystem = "ext4";
    EXPECT_FALSE(is_tmpfs(profiles));
    profiles.filesystem = "tmpfs";
    EXPECT_TRUE(is_tmpfs(profiles));
    profiles.filesystem = "ramfs";
    EXPECT_TRUE(is_tmpfs(profiles));
}

TEST(ReadProfiles, OfAFolderNotYetMadeIsThatOfItsParent) {
    EXPECT_EQ(read_profiles("/proc/self/fd").filesystem, "proc");
    EXPECT_TRUE(read_profiles("/nonexistent/folder").filesystem.has_value());
}

TEST(ReadProfiles, SaysTheSameOfTheDiskAsReadDisk) {
    const auto layers = read_disk_of(testing::TempDir());
    const auto extra = read_profiles(testing::TempDir()).extra;
    EXPECT_EQ(extra.is_null(), layers.empty()) << "absent, not empty";
    EXPECT_EQ(layers.empty() ? document::Json::array() : extra.at("disk"), to_json(layers));
    EXPECT_TRUE(read_disk_of("/proc").empty());
}

TEST(FreeBytes, OfAFolderNotYetMadeIsThatOfItsParent) {
    EXPECT_GT(free_bytes(testing::TempDir()).value_or(0), 0u);
    EXPECT_TRUE(free_bytes("/nonexistent/folder").has_value());
}

TEST(OnlineProcessors, AreThoseOfTheHost) {
    EXPECT_EQ(static_cast<std::int64_t>(online_processors().size()), read_host().threads);
}

TEST(ReadHost, KnowsWhatEveryLinuxKnows) {
    const auto host = read_host();
    EXPECT_EQ(host.os, "linux");
    EXPECT_TRUE(host.name.has_value());
    EXPECT_TRUE(host.kernel.has_value());
    EXPECT_TRUE(host.arch.has_value());
    EXPECT_GE(host.threads.value_or(0), 1);
    EXPECT_GT(host.memory_bytes.value_or(0), 0);
}

}  // namespace
}  // namespace foxbench::host
