#pragma once

#include <array>
#include <string_view>

namespace bidi::testing {

/// Every command of the six modules, from the CDDL of w3c/webdriver-bidi. The tests show that each has its function.
inline constexpr std::array<std::string_view, 36> kCommandNames = {
    "session.end",
    "session.new",
    "session.status",
    "session.subscribe",
    "session.unsubscribe",
    "browser.close",
    "browser.createUserContext",
    "browser.getClientWindows",
    "browser.getUserContexts",
    "browser.removeUserContext",
    "browser.setClientWindowState",
    "browser.setDownloadBehavior",
    "browsingContext.activate",
    "browsingContext.captureScreenshot",
    "browsingContext.close",
    "browsingContext.create",
    "browsingContext.getTree",
    "browsingContext.handleUserPrompt",
    "browsingContext.locateNodes",
    "browsingContext.navigate",
    "browsingContext.print",
    "browsingContext.reload",
    "browsingContext.setBypassCSP",
    "browsingContext.setViewport",
    "browsingContext.startScreencast",
    "browsingContext.stopScreencast",
    "browsingContext.traverseHistory",
    "script.addPreloadScript",
    "script.callFunction",
    "script.disown",
    "script.evaluate",
    "script.getRealms",
    "script.removePreloadScript",
    "storage.deleteCookies",
    "storage.getCookies",
    "storage.setCookie",
};

}  // namespace bidi::testing
