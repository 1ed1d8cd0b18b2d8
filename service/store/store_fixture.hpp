#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "service/error.hpp"
#include "service/store/store.hpp"
#include "service/store/test_support.hpp"

/// A test's own store.
namespace foxbench::store {

class StoreTest : public ::testing::Test {
protected:
    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

    static std::string refusal(ErrorCode code, const std::function<void()>& call) {
        try {
            call();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "nothing was refused";
        return "";
    }

    TemporaryFolder folder_;
    Store store_{folder_.path()};
};

inline std::vector<std::string> ids_of(const RunPage& page) {
    std::vector<std::string> ids;
    for (const RunSummary& run : page.runs) ids.push_back(run.id);
    return ids;
}

}  // namespace foxbench::store
