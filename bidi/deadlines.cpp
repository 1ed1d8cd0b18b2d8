#include "bidi/deadlines.hpp"

#include <algorithm>
#include <array>

namespace bidi {

namespace {

using namespace std::string_view_literals;

constexpr std::array kScripts{"script.callFunction"sv, "script.evaluate"sv};

constexpr std::array kNavigations{
    "browsingContext.captureScreenshot"sv,
    "browsingContext.close"sv,
    "browsingContext.create"sv,
    "browsingContext.navigate"sv,
    "browsingContext.print"sv,
    "browsingContext.reload"sv,
    "browsingContext.setViewport"sv,
    "browsingContext.traverseHistory"sv,
    "input.performActions"sv,
    "session.new"sv,
    "webExtension.install"sv,
};

}  // namespace

std::chrono::milliseconds Deadlines::of(std::string_view method) const noexcept {
    if (std::ranges::find(kScripts, method) != kScripts.end()) return script;
    if (std::ranges::find(kNavigations, method) != kNavigations.end()) return navigation;
    return cheap;
}

}  // namespace bidi
