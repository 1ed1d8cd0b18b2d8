#include "service/store/results_folder.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "service/error.hpp"
#include "service/store/durable_file.hpp"
#include "service/store/test_support.hpp"
#include "service/store/zstd.hpp"

namespace foxbench::store {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ResultsFolder, HoldsTheReportAndTheDocument) {
    const TemporaryFolder results;
    write_run_folder(results.path(), "run-1", "# old\n", "{}");
    write_run_folder(results.path(), "run-1", "# A report\n", R"({"a": 1})");
    EXPECT_EQ(read_text_file(results.path() / "run-1" / "summary.md"), "# A report\n");
    EXPECT_EQ(read_text_file(results.path() / "run-1" / "run.json.zst"), R"({"a": 1})");
    EXPECT_EQ(files_in(results.path() / "run-1"), 2u);  // no temporary file is left

    remove_run_folder(results.path(), "run-1");
    remove_run_folder(results.path(), "run-1");
    EXPECT_EQ(files_in(results.path()), 0u);
}

TEST(ResultsFolder, IsNeverLeft) {
    const TemporaryFolder results;
    for (const char* run : {"..", "../x", "/etc", "a/../../b", "", ".", "a..b"}) {
        EXPECT_THROW(write_run_folder(results.path(), run, "", ""), Error) << run;
        EXPECT_THROW(remove_run_folder(results.path(), run), Error) << run;
    }
}

TEST(ResultsFolder, ThatCannotBeMadeSaysSo) {
    const TemporaryFolder results;
    std::ofstream(results.path() / "run-1") << "a file stands in the way";
    try {
        write_run_folder(results.path(), "run-1", "", "");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::environment);
        EXPECT_THAT(error.what(), ::testing::HasSubstr("could not make the folder"));
    }
}

TEST(ResultsFolder, FileIsReadByItsContentNotByItsName) {
    const TemporaryFolder results;
    const fs::path path = results.path() / "misnamed.json";
    write_durably(path, compress("{\"x\": 1}"));
    EXPECT_EQ(read_text_file(path), "{\"x\": 1}");
    write_durably(path, "plain");
    EXPECT_EQ(read_text_file(path), "plain");
    write_durably(path, "");
    EXPECT_EQ(read_text_file(path), "");
}

TEST(ResultsFolder, FileThatIsMissingDamagedOrTooLargeIsRefused) {
    const TemporaryFolder results;
    const auto code_of = [](const fs::path& path, std::size_t limit) {
        try {
            (void)read_text_file(path, limit);
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr(path.filename().string()));
            return error.code();
        }
        return ErrorCode::internal;
    };
    EXPECT_EQ(code_of(results.path() / "missing.json", 10), ErrorCode::not_found);
    EXPECT_EQ(code_of(results.path(), 10), ErrorCode::environment);
    const fs::path path = results.path() / "x.zst";
    write_durably(path, compress(std::string(1000, 'x')));
    EXPECT_EQ(code_of(path, 999), ErrorCode::usage);
    write_durably(path, compress(std::string(1000, 'x')).substr(0, 15));
    EXPECT_EQ(code_of(path, 1000), ErrorCode::usage);
    write_durably(path, std::string(1000, 'x'));
    EXPECT_EQ(code_of(path, 999), ErrorCode::usage);
}

}  // namespace
}  // namespace foxbench::store
