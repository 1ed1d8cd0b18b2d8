#include "service/daemon/expected_waits.hpp"

#include <gmock/gmock.h>

namespace foxbench::daemon {
namespace {

using testing::ElementsAre;
using Seconds = std::optional<double>;

TEST(ExpectedWaits, AddUpWhatIsBefore) {
    EXPECT_THAT(expected_waits(10.0, {5.0, 7.0, 1.0}), ElementsAre(Seconds(10), Seconds(15), Seconds(22)));
}

TEST(ExpectedWaits, AreUnknownBehindAnUnknownLength) {
    EXPECT_THAT(expected_waits(0.0, {std::nullopt, 7.0}), ElementsAre(Seconds(0), std::nullopt));
    EXPECT_THAT(expected_waits(std::nullopt, {5.0}), ElementsAre(std::nullopt));
}

}  // namespace
}  // namespace foxbench::daemon
