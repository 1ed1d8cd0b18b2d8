#include "service/browser/profile.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "service/browser/copy_tree.hpp"
#include "service/browser/testing_support.hpp"
#include "service/error.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::browser {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProfileTest : public ::testing::Test {
protected:
    ProfileTest() : profiles_(folder_.path() / "profiles") {}

    /// A profile whose owner has ended: made by a child process that exits without removing it.
    fs::path orphan() {
        std::vector<fs::path> before = entries();
        const pid_t child = ::fork();
        if (child == 0) {
            Profile profile = Profile::create(profiles_, preferences_);
            ::_exit(profile.folder().empty() ? 1 : 0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
        for (const fs::path& entry : entries()) {
            if (std::find(before.begin(), before.end(), entry) == before.end()) return entry;
        }
        ADD_FAILURE() << "no orphan was made";
        return {};
    }

    [[nodiscard]] std::vector<fs::path> entries() const {
        std::error_code ignored;
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(profiles_, ignored)) found.push_back(entry.path());
        return found;
    }

    testing::TemporaryFolder folder_;
    fs::path profiles_;
    Preferences preferences_ = {{"a", 1}};
};

TEST_F(ProfileTest, IsAFolderOfItsOwnWithItsPreferences) {
    const auto profile = Profile::create(profiles_, preferences_);
    EXPECT_EQ(profile.folder().parent_path(), profiles_);
    struct stat status {};
    ASSERT_EQ(::stat(profile.folder().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    EXPECT_THAT(host::read_text(profile.folder() / "user.js").value_or(""), HasSubstr("user_pref(\"a\", 1);"));
}

TEST_F(ProfileTest, GoesWithItsObject) {
    fs::path folder;
    {
        Profile profile = Profile::create(profiles_, preferences_);
        folder = profile.folder();
        const Profile moved = std::move(profile);
        EXPECT_TRUE(fs::exists(folder));
    }
    EXPECT_FALSE(fs::exists(folder));
    EXPECT_TRUE(Profile().remove()) << "no folder is removed already";
}

TEST_F(ProfileTest, ThatIsReleasedStays) {
    const fs::path folder = Profile::create(profiles_, preferences_).release();
    EXPECT_TRUE(fs::exists(folder / "user.js"));
}

TEST_F(ProfileTest, IsACopyOfItsTemplateWithItsOwnPreferences) {
    const auto source = folder_.path() / "template";
    folder_.write("template/user.js", "old");
    folder_.write("template/startupCache/a/b.bin", std::string(300'000, 'x'));
    folder_.write("template/foxbench-template", "marker");
    fs::create_directories(source / "empty");
    fs::create_symlink("nowhere", source / "lock");
    const auto profile = Profile::create(profiles_, preferences_, source);
    EXPECT_EQ(host::read_text(profile.folder() / "startupCache/a/b.bin"), std::string(300'000, 'x'));
    EXPECT_TRUE(fs::is_directory(profile.folder() / "empty"));
    EXPECT_FALSE(fs::exists(profile.folder() / "foxbench-template"));
    EXPECT_FALSE(fs::is_symlink(profile.folder() / "lock")) << "a profile's link is another browser's lock";
    EXPECT_THAT(host::read_text(profile.folder() / "user.js").value_or(""), HasSubstr("user_pref"));
}

TEST_F(ProfileTest, OfATemplateThatIsGoneIsAnErrorAndLeavesNothing) {
    EXPECT_THROW(static_cast<void>(Profile::create(profiles_, preferences_, folder_.path() / "gone")), Error);
    EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(ProfileTest, ThatCannotBeMadeNamesTheFolder) {
    const auto file = folder_.write("file", "");
    for (const fs::path& place : {file / "profiles", fs::path("/proc/nowhere")}) {
        try {
            static_cast<void>(Profile::create(place, preferences_));
            ADD_FAILURE() << place;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::environment);
            EXPECT_THAT(error.what(), HasSubstr(place.string()));
        }
    }
}

TEST_F(ProfileTest, IsSweptWhenItsOwnerIsGone) {  // cases.md 2
    const auto gone = orphan();
    const auto mine = Profile::create(profiles_, preferences_);
    const auto report = sweep(profiles_);
    EXPECT_THAT(report.removed, ElementsAre(gone));
    EXPECT_THAT(report.stuck, IsEmpty());
    EXPECT_THAT(entries(), ElementsAre(mine.folder()));
}

TEST_F(ProfileTest, IsSweptWhenAnotherProcessHasItsOwnersPid) {
    const auto profile = Profile::create(profiles_, preferences_);
    const auto owner = profile.folder() / "foxbench-owner";
    std::string text = host::read_text(owner).value();
    const auto stat = host::read_process_stat(::getpid());
    const std::string ticks = std::to_string(stat->started_ticks);
    text.replace(text.find(" " + ticks), ticks.size() + 1, " 1");
    std::ofstream(owner) << text;
    EXPECT_THAT(sweep(profiles_).removed, ElementsAre(profile.folder()));
}

TEST_F(ProfileTest, SweepTouchesNothingThatIsNotOurs) {
    const auto foreign = folder_.write("profiles/foxbench-abcdef/keep", "").parent_path();
    const auto broken = folder_.write("profiles/foxbench-broken/foxbench-owner", "not ours 1 2 3").parent_path();
    folder_.write("profiles/file", "");
    const auto gone = orphan();
    fs::rename(gone, folder_.path() / "elsewhere");
    fs::create_directory_symlink(folder_.path() / "elsewhere", profiles_ / "link");
    const auto report = sweep(profiles_);
    EXPECT_THAT(report.removed, IsEmpty());
    EXPECT_TRUE(fs::exists(foreign / "keep"));
    EXPECT_TRUE(fs::exists(broken));
    EXPECT_TRUE(fs::exists(folder_.path() / "elsewhere/user.js"));
    EXPECT_THAT(sweep(folder_.path() / "nowhere").removed, IsEmpty());
}

TEST(TemplateKey, ChangesWithTheBuildAndThePreferences) {
    document::Browser build;
    build.sha256 = "a";
    build.binary = "/usr/lib/firefox/firefox";
    const std::string key = template_key(build, {{"a", 1}});
    EXPECT_EQ(key.size(), 32u);
    EXPECT_EQ(key, template_key(build, {{"a", 1}}));
    EXPECT_NE(key, template_key(build, {{"a", 2}}));
    EXPECT_NE(key, template_key(build, {{"a", "1"}}));
    auto other = build;
    other.sha256 = "b";
    EXPECT_NE(key, template_key(other, {{"a", 1}}));
    other = build;
    other.binary = "/opt/firefox/firefox";
    EXPECT_NE(key, template_key(other, {{"a", 1}}));
}

TEST_F(ProfileTest, BecomesATemplateWithoutWhatItsLaunchStored) {
    const auto target = template_folder(profiles_, "0123");
    EXPECT_FALSE(use_template(target));
    Profile profile = Profile::create(profiles_, preferences_);
    for (const char* name :
         {"storage/default/x", "sessionstore-backups/y", "minidumps/z", "startupCache/w", "prefs.js"}) {
        fs::create_directories((profile.folder() / name).parent_path());
        std::ofstream(profile.folder() / name) << name;
    }
    publish_template(std::move(profile), target);
    EXPECT_TRUE(use_template(target));
    EXPECT_TRUE(fs::exists(target / "startupCache/w"));
    EXPECT_TRUE(fs::exists(target / "prefs.js"));
    for (const char* name : {"storage", "sessionstore-backups", "minidumps", "foxbench-owner"}) {
        EXPECT_FALSE(fs::exists(target / name)) << name;
    }
    EXPECT_THAT(entries(), ElementsAre(profiles_ / "templates"));
}

TEST_F(ProfileTest, OfWhoeverPublishesFirstIsTheTemplate) {
    const auto target = template_folder(profiles_, "0123");
    publish_template(Profile::create(profiles_, Preferences{{"first", true}}), target);
    publish_template(Profile::create(profiles_, Preferences{{"second", true}}), target);
    EXPECT_THAT(host::read_text(target / "user.js").value_or(""), HasSubstr("first"));
    EXPECT_THAT(entries(), ElementsAre(profiles_ / "templates")) << "the second one is not left behind";
}

TEST_F(ProfileTest, TemplatesThatAreNoLongerUsedArePruned) {
    for (const char* key : {"old", "older", "recent"})
        publish_template(Profile::create(profiles_, preferences_), template_folder(profiles_, key));
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(template_folder(profiles_, "old") / "foxbench-template", now - std::chrono::hours(2));
    fs::last_write_time(template_folder(profiles_, "older") / "foxbench-template", now - std::chrono::hours(3));
    prune_templates(profiles_, 2);
    EXPECT_FALSE(use_template(template_folder(profiles_, "older")));
    EXPECT_TRUE(use_template(template_folder(profiles_, "recent")));
    EXPECT_TRUE(use_template(template_folder(profiles_, "old"))) << "and is now a recent one itself";
    prune_templates(profiles_, 0);
    EXPECT_TRUE(use_template(template_folder(profiles_, "recent"))) << "another process may be copying it";
}

TEST_F(ProfileTest, CopyOfASourceThatIsNotThereIsAnError) {
    EXPECT_EQ(copy_tree(folder_.path() / "nowhere", folder_.path()), std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace foxbench::browser
