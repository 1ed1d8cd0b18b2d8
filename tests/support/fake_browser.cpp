#include "tests/support/fake_browser.hpp"

#include <filesystem>

#include "tests/support/stored_run.hpp"

namespace foxbench::testing_support {

FakeBrowserTest::FakeBrowserTest() {
    // A copy, since some scripts change its files.
    std::filesystem::copy(std::filesystem::path(FOXBENCH_FAKE_BROWSER).parent_path(), folder_.path() / "browser");
    set_rules("[]");
    write_config();
}

void FakeBrowserTest::set_rules(const std::string& json) const {
    folder_.write("script.json", "{\"rules\": " + json + "}");
}

std::string FakeBrowserTest::write_config(const std::string& target_members, const std::string& more) const {
    return folder_.write("foxbench.yaml",
                         "server: {listen: 127.0.0.1:0, shutdown_grace: 0s}\n"
                         "results: results\n"
                         "workloads: " FOXBENCH_SOURCE_DIR
                         "/workloads\n"
                         "lock: lock\n"
                         "settle: 0ms\n"
                         "targets:\n"
                         "  fake:\n"
                         "    binary: browser/firefox\n"
                         "    env: {FOXBENCH_FAKE_BROWSER: " +
                             folder_.file("script.json") + "}\n" + target_members + more);
}

std::vector<std::string> FakeBrowserTest::small_run(std::vector<std::string> more) const {
    std::vector<std::string> arguments{"run",          "--config", folder_.file("foxbench.yaml"),
                                       "--results",    results(),  "--cases",
                                       "small-append", "--calls",  "6",
                                       "--passes",     "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

Result FakeBrowserTest::run(std::vector<std::string> more) const {
    return foxbench(small_run(std::move(more)));
}

document::RunDocument FakeBrowserTest::stored() const {
    return newest_run(results());
}

document::Launch FakeBrowserTest::launch(std::size_t number) const {
    return stored().targets.at(0).launches.at(number);
}

void FakeBrowserTest::expect_nothing_left() const {
    expect_no_process_with(folder_.file("browser"));
    EXPECT_TRUE(no_profile_left(results()));
}

}  // namespace foxbench::testing_support
