#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "service/document/run_document.hpp"
#include "tests/support/program.hpp"

namespace foxbench::testing_support {

/// Runs with the fake browser (tests/fake_browser/README.md), which does what the test's script says. Each test has an
/// installation, a store and a host lock of its own.
class FakeBrowserTest : public testing::Test {
protected:
    FakeBrowserTest();

    /// What the browser does from now on: the rules of a script. Without it the browser behaves well.
    void set_rules(const std::string& json) const;
    /// Writes the configuration, with these members of the target and these lines after everything; its path.
    std::string write_config(const std::string& target_members = {}, const std::string& more = {}) const;

    /// The arguments of a small run: one warm-up pass and two measured ones of small-append.
    [[nodiscard]] std::vector<std::string> small_run(std::vector<std::string> more = {}) const;
    /// Does it.
    [[nodiscard]] Result run(std::vector<std::string> more = {}) const;

    /// The run that was stored last.
    [[nodiscard]] document::RunDocument stored() const;
    [[nodiscard]] document::Launch launch(std::size_t number) const;
    /// Nothing of any browser is there any more: no process, no profile.
    void expect_nothing_left() const;

    [[nodiscard]] std::string results() const { return folder_.file("results"); }

    TemporaryFolder folder_;
};

}  // namespace foxbench::testing_support
