#include "service/browser/profile_template.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "bidi/modules/script.hpp"
#include "service/browser/off_loop.hpp"

namespace foxbench::browser {

namespace fs = std::filesystem;

namespace {

/// Lets a client into the browser's own windows. Only while a template is made; no page is loaded then.
constexpr const char* kSystemAccess = "--remote-allow-system-access";

/// Themes are add-ons as well, and one of them has to stay.
constexpr std::string_view kDisableExtensions = R"js((async () => {
    const {AddonManager} = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
    const extensions = await AddonManager.getAddonsByTypes(["extension"]);
    for (const extension of extensions.filter(one => one.isBuiltin && one.isActive))
        await extension.disable({allowSystemAddons: true});
})())js";

/// Disables the extensions that come with the browser, for good in its profile. False where the browser does not let
/// us.
bidi::Task<bool> disable_builtin_extensions(Browser& browser) {
    try {
        // Firefox's own windows, which the specification does not know.
        const bidi::json params = {{"moz:scope", "chrome"}, {"maxDepth", 0}};
        const bidi::json windows = co_await browser.connection().call("browsingContext.getTree", params);
        const bidi::script::Target window =
            bidi::script::ContextTarget(windows.at("contexts").at(0).at("context").get<std::string>());
        const auto result = co_await bidi::script::evaluate(browser.connection(), kDisableExtensions, window, true);
        static_cast<void>(result.value());
        co_return true;
    } catch (const bidi::ProtocolError&) {
    } catch (const bidi::ScriptError&) {
    } catch (const bidi::json::exception&) {
    }
    co_return false;
}

}  // namespace

bidi::Task<fs::path> ensure_template(LaunchOptions options, document::Browser build,
                                     std::function<void(const std::string&)> on_progress) {
    const fs::path folder = template_folder(options.profiles_folder, template_key(build, options.preferences));
    if (use_template(folder)) co_return folder;
    if (on_progress)
        on_progress("preparing a profile template for " + build.name + " " + build.version + " (once per build)");
    options.template_folder.clear();
    LaunchOptions first_launch = options;
    if (std::ranges::find(first_launch.arguments, kSystemAccess) == first_launch.arguments.end())
        first_launch.arguments.emplace_back(kSystemAccess);
    auto browser = co_await Browser::launch(std::move(first_launch));
    if (!co_await disable_builtin_extensions(*browser) && on_progress)
        on_progress("its own extensions stay enabled: this browser does not let them be disabled from outside");
    Profile profile = co_await browser->stop_and_keep_profile();
    // The second launch finds the caches that the first one left, and completes them.
    browser = co_await Browser::launch(options, std::move(profile));
    profile = co_await browser->stop_and_keep_profile();
    co_await off_loop([&] {
        publish_template(std::move(profile), folder);
        prune_templates(options.profiles_folder);
        return true;
    });
    co_return folder;
}

}  // namespace foxbench::browser
