#include "benchmarks/firefox.hpp"

#include <charconv>
#include <chrono>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <boost/asio.hpp>

#include "benchmarks/program.hpp"
#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/script.hpp"
#include "service/browser/async_event.hpp"
#include "service/browser/build.hpp"
#include "service/browser/preferences.hpp"
#include "service/browser/profile_template.hpp"

namespace foxbench::benchmarks {
namespace {

constexpr std::string_view kListening = "WebDriver BiDi listening on ws://127.0.0.1:";
constexpr std::chrono::seconds kStartDeadline{30};

/// What foxbench itself sets for a browser (docs/firefox-bidi.md, "Start").
const Environment kBrowserEnvironment{
    {"MOZ_CRASHREPORTER", "1"}, {"MOZ_CRASHREPORTER_NO_REPORT", "1"}, {"MOZ_CRASHREPORTER_SHUTDOWN", "1"}};

}  // namespace

bidi::Task<browser::LaunchOptions> launch_options(Arguments arguments) {
    browser::LaunchOptions options;
    options.binary = arguments.firefox;
    options.profiles_folder = arguments.scratch / "profiles";
    options.preferences = browser::effective_preferences(nullptr, browser::Timer::standard);
    browser::HashCache hashes;
    auto build = browser::identify(browser::locate_installation(options.binary), hashes);
    std::function<void(const std::string&)> say = [](const std::string& line) { std::cerr << line << '\n'; };
    options.template_folder = co_await browser::ensure_template(options, std::move(build), std::move(say));
    co_return options;
}

bidi::Task<> load_isolated_page(bidi::Connection& connection, std::string context, std::string url) {
    bidi::browsing_context::NavigateOptions navigation;
    navigation.wait = bidi::browsing_context::ReadinessState::complete;
    co_await bidi::browsing_context::navigate(connection, context, url, navigation);
    const bidi::script::Target page = bidi::script::ContextTarget{context, {}};
    const auto isolated = co_await bidi::script::evaluate(connection, "crossOriginIsolated", page, false);
    if (isolated.value().plain() != true) throw std::runtime_error("the page is not cross-origin isolated");
}

bidi::Task<std::unique_ptr<UnclaimedFirefox>> UnclaimedFirefox::start(browser::LaunchOptions options) {
    const auto executor = co_await boost::asio::this_coro::executor;
    std::unique_ptr<UnclaimedFirefox> firefox(new UnclaimedFirefox);
    firefox->profile_ = browser::Profile::create(options.profiles_folder, options.preferences, options.template_folder);

    auto listening = std::make_shared<browser::AsyncEvent>(executor);
    browser::ProcessOptions process;
    process.executable = options.binary;
    process.arguments = {"--headless", "--no-remote", "--remote-debugging-port=0", "--profile",
                         firefox->profile_.folder()};
    process.environment = environment_with(kBrowserEnvironment);
    process.on_error_line = [listening, self = firefox.get()](std::string_view line) {
        if (!line.starts_with(kListening) || listening->is_set()) return;
        std::from_chars(line.data() + kListening.size(), line.data() + line.size(), self->port_);
        listening->set();
    };
    firefox->process_ = browser::Process::spawn(executor, std::move(process));
    if (!co_await listening->wait_until(std::chrono::steady_clock::now() + kStartDeadline)) {
        throw std::runtime_error("Firefox did not listen in time: " + firefox->process_->error_tail());
    }
    co_return firefox;
}

std::string UnclaimedFirefox::endpoint() const {
    return "ws://127.0.0.1:" + std::to_string(port_) + "/session";
}

}  // namespace foxbench::benchmarks
