#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "bidi/task.hpp"
#include "service/browser/browser.hpp"
#include "service/document/run_document.hpp"

/// Making the warmed profiles that launches copy; where they lie is profile.hpp's.
namespace foxbench::browser {

/// The template of this build with these preferences; when there is none yet, it is made by starting and closing the
/// browser twice, which takes some seconds. `options.template_folder` is not looked at. `on_progress` gets one line for
/// people before the work begins, and is not called when the template is there. Throws as Browser::launch.
///
/// In a template the extensions that come with the browser (form autofill, web compatibility, picture in picture, ...)
/// are disabled: their background pages start a process of their own about when the page has loaded, inside the
/// measurement. No preference does that, so it is done from within the browser, where it lets a client in
/// (`--remote-allow-system-access`); a browser that does not keeps them.
[[nodiscard]] bidi::Task<std::filesystem::path> ensure_template(
    LaunchOptions options, document::Browser build, std::function<void(const std::string&)> on_progress = {});

}  // namespace foxbench::browser
