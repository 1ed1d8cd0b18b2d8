#include "service/workload/manifest.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"
#include "service/workload/plan.hpp"

namespace foxbench::workload {
namespace {

using testing::HasSubstr;

/// A folder with a manifest of its own, gone afterwards.
class ManifestTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(testing::TempDir()) / "manifest_test" / "tiny";
        std::filesystem::create_directories(folder_);
        write("worker.js", "export const cases = {};\n");
    }
    void TearDown() override { std::filesystem::remove_all(folder_.parent_path()); }

    void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

    std::string fault(std::string text, const std::string& what, const std::string& with) {
        text.replace(text.find(what), what.size(), with);
        write("workload.yaml", text);
        try {
            (void)load_manifest(folder_);
        } catch (const Error& error) {
            std::string message = error.what();
            return message.substr(message.find("workload.yaml"));
        }
        return "(accepted)";
    }

    std::filesystem::path folder_;
    const std::string good_ =
        "name: tiny\n"
        "module: worker.js\n"
        "parameters:\n"
        "  passes: {type: count, min: 1, max: 10}\n"
        "  size: {type: size, min: 1, max: 1MiB}\n"
        "  sizes: {type: sizes, min: size, max: 1MiB, max_items: 2}\n"
        "presets:\n"
        "  quick: {passes: 2, size: 4KiB, sizes: [8KiB]}\n"
        "cases:\n"
        "  one:\n"
        "    for_each: {part: sizes}\n"
        "    disk: part\n"
        "    series: [{name: 'one ({part})', table: per-call, calls: size / 4}]\n";
};

TEST_F(ManifestTest, OfAFurtherWorkloadIsAFolderAndNothingElse) {
    write("workload.yaml", good_);
    const Manifest manifest = find_workload(folder_.parent_path(), "tiny");
    EXPECT_EQ(manifest.presets.front().second.dump(), R"({"passes":2,"size":4096,"sizes":[8192]})");
    EXPECT_THAT(list_workloads(folder_.parent_path()), testing::ElementsAre("tiny"));
}

TEST_F(ManifestTest, SaysWhereItIsWrong) {
    EXPECT_EQ(fault(good_, "name: tiny", "name: other"), "workload.yaml:1:7: name: a workload bears its folder's name");
    EXPECT_THAT(fault(good_, "module: worker.js", "module: ../x.js"), HasSubstr("expected the name of a file in"));
    EXPECT_THAT(fault(good_, "type: count", "type: counts"),
                HasSubstr(":4:18: parameters.passes.type: 'counts' is no type"));
    EXPECT_THAT(fault(good_, "min: size", "min: sise"),
                HasSubstr("the limit 'sise' is neither a number nor a parameter"));
    EXPECT_THAT(fault(good_, "passes: {type", "turns: {type"), HasSubstr("every workload has the parameter 'passes'"));
    EXPECT_THAT(fault(good_, "size: 4KiB", "size: 4KB"), HasSubstr(":8:28: presets.quick.size: '4KB' is no size"));
    EXPECT_THAT(fault(good_, "size: 4KiB, ", ""), HasSubstr("the parameter 'size' is missing"));
    EXPECT_THAT(fault(good_, "passes: 2", "passes: 11"), HasSubstr("passes: 11 is out of range"));
    EXPECT_THAT(fault(good_, "part: sizes", "part: size"), HasSubstr("'size' is no parameter of type sizes"));
    EXPECT_THAT(fault(good_, "per-call", "per-cal"), HasSubstr("'per-cal' is no table"));
    EXPECT_THAT(fault(good_, "calls: size / 4", "calls: sice / 4"),
                HasSubstr("the formula 'sice / 4' cannot be evaluated"));
    EXPECT_THAT(fault(good_, "disk: part", "disc: part"), HasSubstr("unknown key 'disc'. Did you mean 'disk'?"));
    EXPECT_THAT(fault(good_, "calls: size / 4", "calls: size / 4, bytes_total: 5"), HasSubstr("go together"));
}

TEST_F(ManifestTest, IsNamedWhenThereIsNone) {
    write("workload.yaml", good_);
    try {
        (void)find_workload(folder_.parent_path(), "tny");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("Did you mean 'tiny'?"));
    }
}

TEST_F(ManifestTest, MayGiveANumberADefaultThatPresetsNeedNotName) {
    std::string text = good_;
    text.replace(text.find("  size: {type"), std::string("  size: {type: size, min: 1, max: 1MiB}\n").size(),
                 "  size: {type: size, min: 1, max: 1MiB}\n  extra: {type: size, min: 0, max: 1MiB, default: 1KiB}\n");
    text.replace(text.find("calls: size / 4"), std::string("calls: size / 4").size(), "calls: extra / 4");
    write("workload.yaml", text);
    const Manifest manifest = load_manifest(folder_);
    EXPECT_EQ(manifest.presets.front().second.dump(), R"({"passes":2,"size":4096,"sizes":[8192]})");
    const Plan plan = make_plan(manifest, "quick", Json::object());
    EXPECT_FALSE(plan.parameters.contains("extra"));
    EXPECT_EQ(plan.sequences.front().series.front().calls, 256) << "formulas know it all the same";
    EXPECT_EQ(make_plan(manifest, "quick", {{"extra", 2048}}).parameters["extra"], 2048);
}

TEST_F(ManifestTest, RefusesADefaultThatIsNone) {
    EXPECT_THAT(fault(good_, "max: 10}", "max: 10, default: many}"), HasSubstr("expected a number"));
    EXPECT_THAT(fault(good_, "max_items: 2}", "max_items: 2, default: 1}"), HasSubstr("a list has no default"));
    EXPECT_THAT(fault(good_, "max: 10}\n", "max: 10}\n  more: {type: count, min: 1, max: 10, default: 11}\n"),
                HasSubstr("more: 11 is out of range, 1 to 10"));
}

}  // namespace
}  // namespace foxbench::workload
