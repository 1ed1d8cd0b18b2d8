#include "service/browser/build.hpp"

#include <gmock/gmock.h>

#include "service/browser/testing_support.hpp"
#include "service/error.hpp"
#include "service/host/digest.hpp"

namespace foxbench::browser {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kIni =
    "; a comment with an = sign\n[App]\nVendor=Mozilla\nName=Firefox\nVersion=158.0a1\nBuildID=20260915101112\r\n"
    "SourceRepository=https://hg.mozilla.org/mozilla-central\nSourceStamp=44242c0bf7ee\n"
    "ID={ec8030f7-c20a-464f-9b0e-13a3a9e97384}\n\n[Gecko]\nVersion=not this one\n";

TEST(ApplicationIni, IsReadFromItsAppSection) {
    const auto ini = parse_application_ini(kIni);
    EXPECT_EQ(ini.name, "Firefox");
    EXPECT_EQ(ini.version, "158.0a1");
    EXPECT_EQ(ini.build_id, "20260915101112") << "without the carriage return";
    EXPECT_EQ(ini.source_repository, "https://hg.mozilla.org/mozilla-central");
    EXPECT_EQ(ini.source_stamp, "44242c0bf7ee");
}

class InstallationTest : public ::testing::Test {
protected:
    /// An installation with small files for large ones.
    fs::path install(const std::string& folder, const std::string& launcher = "firefox", const char* ini = kIni) {
        folder_.write(folder + "/application.ini", ini);
        folder_.write(folder + "/libxul.so", "xul");
        folder_.write(folder + "/omni.ja", "omni");
        return folder_.write_program(folder + "/" + launcher,
                                     "\x7f"
                                     "ELF");
    }

    [[nodiscard]] Installation locate(const fs::path& binary) const {
        return locate_installation(binary, {(folder_.path() / "bin").string(), folder_.path(), folder_.path()});
    }

    void expect_usage_error(const fs::path& binary, const std::string& text) const {
        try {
            ADD_FAILURE() << "found " << locate(binary).launcher;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::usage);
            EXPECT_THAT(error.what(), HasSubstr(text));
        }
    }

    testing::TemporaryFolder folder_;
};

TEST_F(InstallationTest, IsBesideTheExecutable) {
    const auto launcher = install("lib/firefox");
    EXPECT_EQ(locate(launcher).launcher, launcher);
    EXPECT_EQ(locate(launcher).folder, launcher.parent_path());
}

TEST_F(InstallationTest, IsFoundThroughLinks) {
    const auto launcher = install("lib/firefox");
    fs::create_directories(folder_.path() / "bin");
    fs::create_symlink("../lib/firefox/firefox", folder_.path() / "bin/firefox");
    EXPECT_EQ(locate(folder_.path() / "bin/firefox").launcher, launcher);
}

TEST_F(InstallationTest, IsFoundThroughAScriptThatExecutesAName) {
    const auto launcher = install("lib/firefox-esr", "firefox-esr");
    fs::create_directories(folder_.path() / "bin");
    fs::create_symlink(launcher, folder_.path() / "bin/firefox-esr");
    const auto script =
        folder_.write_program("bin/firefox",
                              "#!/bin/sh\n\nFIREFOX=\"$(command -v firefox)\"\n"
                              "[ -x \"$FIREFOX.real\" ] && exec \"$FIREFOX.real\" \"$@\"\n\nexec firefox-esr \"$@\"\n");
    EXPECT_EQ(locate(script).launcher, launcher);
}

TEST_F(InstallationTest, IsTheDivertedOneWhereThereIsOne) {
    const auto diverted = install("lib/firefox");
    fs::create_directories(folder_.path() / "bin");
    fs::create_symlink(diverted, folder_.path() / "bin/firefox.real");
    const auto script = folder_.write_program(
        "bin/firefox",
        "#!/bin/sh\n[ -x \"$FIREFOX.real\" ] && exec \"$FIREFOX.real\" \"$@\"\nexec firefox-esr \"$@\"\n");
    EXPECT_EQ(locate(script).launcher, diverted);
}

TEST_F(InstallationTest, IsFoundThroughAFolderThatAScriptMentions) {
    const auto launcher = install("lib64/firefox");
    const auto script =
        folder_.write_program("bin/firefox", "#!/bin/bash\nMOZ_DIST_BIN=\"" + launcher.parent_path().string() +
                                                 "\"\nexec $MOZ_DIST_BIN/firefox \"$@\"\n");
    EXPECT_EQ(locate(script).launcher, launcher);
}

TEST_F(InstallationTest, OfAScriptThatOnlyFindsItselfIsNone) {
    const auto script = folder_.write_program("bin/firefox", "#!/bin/sh\nexec firefox \"$@\"\n");
    expect_usage_error(script, "is a script that does not lead to a Firefox");
}

TEST_F(InstallationTest, OfAnythingElseIsNone) {
    expect_usage_error(folder_.write_program("bin/ls",
                                             "\x7f"
                                             "ELF"),
                       "is not a Firefox: no application.ini and libxul.so beside it");
    expect_usage_error(folder_.path() / "nowhere", "is not a Firefox");
    expect_usage_error(install("lib/thunderbird", "thunderbird",
                               "[App]\nName=Thunderbird\nID={3550f703-e582-4d05-9a08-453d09bdfdc6}\n"),
                       "is not a Firefox but Thunderbird");
}

TEST_F(InstallationTest, IsIdentifiedByOneSumOverItsFiles) {
    const auto launcher = install("lib/firefox");
    folder_.write("lib/firefox/browser/omni.ja", "front end");
    HashCache cache;
    const auto browser = identify(locate(launcher), cache);
    EXPECT_EQ(browser.name, "Firefox");
    EXPECT_EQ(browser.version, "158.0a1");
    EXPECT_EQ(browser.build_id, "20260915101112");
    EXPECT_EQ(browser.binary, launcher.string());
    EXPECT_EQ(browser.local_build, false);
    EXPECT_EQ(browser.sha256, host::sha256_hex("\x7f"
                                               "ELF"
                                               "xul"
                                               "omni"
                                               "front end"));
}

TEST_F(InstallationTest, InAnObjectFolderIsALocalBuildWithoutArchives) {
    const auto launcher = install("obj-x86_64-pc-linux-gnu/dist/bin");
    fs::remove(launcher.parent_path() / "omni.ja");
    HashCache cache;
    const auto browser = identify(locate(launcher), cache);
    EXPECT_EQ(browser.local_build, true);
    EXPECT_EQ(browser.sha256, host::sha256_hex("\x7f"
                                               "ELF"
                                               "xul"));
    EXPECT_FALSE(in_object_folder("/usr/lib/firefox/firefox"));
    EXPECT_FALSE(in_object_folder("/builds/dist/bin/firefox"));
}

TEST_F(InstallationTest, ThatWasReplacedHasAnotherSum) {  // cases.md 13
    const auto launcher = install("lib/firefox");
    HashCache cache(folder_.path() / "sums.json");
    const auto before = identify(locate(launcher), cache).sha256;
    folder_.write("lib/firefox/libxul.so.new", "XUL");
    fs::rename(folder_.path() / "lib/firefox/libxul.so.new", folder_.path() / "lib/firefox/libxul.so");
    EXPECT_NE(identify(locate(launcher), cache).sha256, before);
}

TEST_F(InstallationTest, SumsAreKeptBetweenProcesses) {
    const auto launcher = install("lib/firefox");
    const auto file = folder_.path() / "cache/sums.json";
    const auto files = locate(launcher).identifying_files();
    const std::string sum = HashCache(file).sum_of(files);
    // Only a cache that does not read the files again can give this answer.
    std::string text = document::Json::parse(std::ifstream(file)).dump();
    const std::string planted(64, 'a');
    text.replace(text.find(sum), sum.size(), planted);
    std::ofstream(file) << text;
    EXPECT_EQ(HashCache(file).sum_of(files), planted);
}

TEST_F(InstallationTest, ACacheFileThatIsBrokenOrCannotBeWrittenOnlyCostsTime) {
    const auto files = locate(install("lib/firefox")).identifying_files();
    const std::string sum = HashCache().sum_of(files);
    EXPECT_EQ(HashCache(folder_.write("broken.json", "{\"a\": [")).sum_of(files), sum);
    EXPECT_EQ(HashCache(folder_.write("odd.json", "{\"a\": 1, \"b\": \"short\"}")).sum_of(files), sum);
    EXPECT_EQ(HashCache("/proc/nowhere/sums.json").sum_of(files), sum);
}

}  // namespace
}  // namespace foxbench::browser
