// From the start of a browser to a loaded, cross-origin isolated page: foxbench's way (a copy of a warmed template)
// against Puppeteer's (a new profile).

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <vector>

#include <boost/asio.hpp>

#include "benchmarks/arguments.hpp"
#include "benchmarks/comparison.hpp"
#include "benchmarks/firefox.hpp"
#include "benchmarks/puppeteer.hpp"
#include "service/measure/page_server.hpp"

namespace foxbench::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

/// One start of ours and what it consists of.
struct Start {
    double total_ms = 0, profile_ms = 0, listening_ms = 0, session_ms = 0, page_ms = 0;
};

bidi::Task<Start> start_ours(browser::LaunchOptions options, std::string url) {
    const auto start = Clock::now();
    options.first_page = url;
    const auto browser = co_await browser::Browser::launch(options);
    const auto launched = Clock::now();
    co_await load_isolated_page(browser->connection(), browser->first_context(), url);
    Start result;
    result.total_ms = Milliseconds(Clock::now() - start).count();
    result.page_ms = Milliseconds(Clock::now() - launched).count();
    result.profile_ms = browser->timings().profile_ms;
    result.listening_ms = browser->timings().spawn_to_listening_ms;
    result.session_ms = browser->timings().to_session_ms;
    co_await browser->stop();
    co_return result;
}

bidi::Task<double> start_puppeteers(Puppeteer& puppeteer, std::string url) {
    nlohmann::json request{{"do", "start_up"}, {"url", url}};
    const auto answer = co_await puppeteer.ask(std::move(request));
    if (answer.at("isolated") != true) throw std::runtime_error("Puppeteer's page is not cross-origin isolated");
    co_return answer.at("ready_ms").get<double>();
}

bidi::Task<> measure(Arguments arguments) {
    const auto options = co_await launch_options(arguments);
    const auto executor = co_await boost::asio::this_coro::executor;
    const measure::PageServer page(executor, arguments.workload, "worker.js");
    const auto puppeteer = co_await Puppeteer::start(arguments);

    std::vector<Contestant> contestants{{"foxbench", {}}, {"Puppeteer", {}}};
    std::vector<double> profile_ms, listening_ms, session_ms, page_ms;
    for (int round = 0; round < arguments.rounds; ++round) {
        const auto ours = co_await start_ours(options, page.url());
        contestants[0].values.push_back(ours.total_ms);
        profile_ms.push_back(ours.profile_ms);
        listening_ms.push_back(ours.listening_ms);
        session_ms.push_back(ours.session_ms);
        page_ms.push_back(ours.page_ms);
        if (puppeteer) contestants[1].values.push_back(co_await start_puppeteers(*puppeteer, page.url()));
    }
    print_comparison(std::cout, "From start to a loaded isolated page", "ms", contestants);
    std::cout << "  of foxbench's: copying the template " << median(profile_ms) << ", until it listens "
              << median(listening_ms) << ", until there is a session " << median(session_ms) << ", loading the page "
              << median(page_ms) << " ms\n";
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    return foxbench::benchmarks::run_benchmark(
        argc, argv, "How long a browser takes from its start to a loaded isolated page", foxbench::benchmarks::measure);
}
