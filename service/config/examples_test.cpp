#include <gtest/gtest.h>

#include "service/config/changes.hpp"

namespace foxbench::config {
namespace {

TEST(Examples, OfTheCheckoutAreInOrder) {
    int examples = 0;
    for (const auto& entry : std::filesystem::directory_iterator(FOXBENCH_SOURCE_DIR "/configs")) {
        if (entry.path().extension() != ".yaml") continue;
        ++examples;
        try {
            check_references(load_config(entry.path()));
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();
        }
    }
    EXPECT_GE(examples, 5);
}

}  // namespace
}  // namespace foxbench::config
