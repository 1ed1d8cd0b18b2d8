// What a quick run costs beyond its timed passes: everything from the start of the program to its end (browser, page,
// what happens between the passes, verification included, storing), without a settle time. Against Puppeteer that
// drives the same worker on the same page and appends each pass to a file.

#include <chrono>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio.hpp>

#include "benchmarks/arguments.hpp"
#include "benchmarks/comparison.hpp"
#include "benchmarks/program.hpp"
#include "benchmarks/puppeteer.hpp"
#include "service/measure/page_server.hpp"
#include "service/workload/manifest.hpp"
#include "service/workload/plan.hpp"

namespace foxbench::benchmarks {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr const char* kBinding = "tellFoxbench";

/// The timed windows of a run. Series of one case share theirs, which counts once.
class TimedWindows {
public:
    void add(const json& pass) {
        windows_.emplace(pass.at("started_at_ms").get<double>(), pass.at("finished_at_ms").get<double>());
    }

    [[nodiscard]] std::size_t count() const noexcept { return windows_.size(); }
    [[nodiscard]] double total_ms() const {
        double total = 0;
        for (const auto& [start, end] : windows_) total += end - start;
        return total;
    }

private:
    std::set<std::pair<double, double>> windows_;
};

struct Cost {
    double total_ms = 0, timed_ms = 0;

    [[nodiscard]] double beyond_ms() const { return total_ms - timed_ms; }
};

TimedWindows windows_of_document(const fs::path& file) {
    std::ifstream in(file);
    const auto document = json::parse(in);
    if (document.at("state") != "completed")
        throw std::runtime_error("foxbench's run is not completed but " + document.at("state").dump());
    TimedWindows windows;
    for (const auto& series : document.at("targets").at(0).at("launches").at(0).at("series")) {
        windows.add(series.at("warmup"));
        for (const auto& pass : series.at("passes")) windows.add(pass);
    }
    return windows;
}

TimedWindows windows_of_messages(const fs::path& file) {
    TimedWindows windows;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const auto message = json::parse(line);
        if (message.at("type") == "error") throw std::runtime_error("the worker failed under Puppeteer: " + line);
        if (message.at("type") == "pass") windows.add(message);
    }
    return windows;
}

Cost run_ours(const Arguments& arguments, const std::vector<std::string>& more) {
    const std::string results = arguments.scratch / "results";
    std::vector<std::string> command{"run",       "--quiet", "--settle",  "0s",
                                     "--results", results,   "--firefox", arguments.firefox};
    command.insert(command.end(), more.begin(), more.end());
    const auto start = Clock::now();
    const int code = run_program(FOXBENCH_PROGRAM, std::move(command));
    Cost cost;
    cost.total_ms = Milliseconds(Clock::now() - start).count();
    if (code != 0) throw std::runtime_error("foxbench run ended with exit code " + std::to_string(code));

    const fs::path document = arguments.scratch / "run.json";
    if (run_program(FOXBENCH_PROGRAM, {"export", "latest", "--results", results, "-o", document}) != 0)
        throw std::runtime_error("foxbench export failed");
    cost.timed_ms = windows_of_document(document).total_ms();
    return cost;
}

bidi::Task<Cost> run_puppeteers(Puppeteer& puppeteer, std::string url, const workload::Plan& plan, fs::path output) {
    // The plan is handed over as a text, so it stands in the expression as a string within a string.
    const std::string literal = json(plan.for_worker().dump()).dump();
    json request{{"do", "workload"},
                 {"url", url},
                 {"binding", kBinding},
                 {"reply", "foxbench.proceed($NUMBER)"},
                 {"output", output.string()}};
    request["expression"] = "foxbench.start(" + std::string(kBinding) + ", " + literal + ")";
    const auto answer = co_await puppeteer.ask(std::move(request));
    const auto windows = windows_of_messages(output);
    if (windows.count() != static_cast<std::size_t>(plan.passes_total()))
        throw std::runtime_error("passes are missing under Puppeteer");
    Cost cost;
    cost.total_ms = answer.at("total_ms").get<double>();
    cost.timed_ms = windows.total_ms();
    co_return cost;
}

bidi::Task<> measure(Arguments arguments) {
    const auto manifest = workload::load_manifest(arguments.workload);
    const auto plan = workload::make_plan(manifest, "quick", workload::Json::object());
    const auto executor = co_await boost::asio::this_coro::executor;
    const measure::PageServer page(executor, manifest.folder, manifest.module);
    const auto puppeteer = co_await Puppeteer::start(arguments);
    const fs::path output = arguments.scratch / "messages.jsonl";

    // Makes the template and the hash of the build, which a run finds there but for the first time.
    run_ours(arguments, {"--calls", "1", "--files", "1", "--passes", "1"});

    std::vector<Contestant> beyond{{"foxbench", {}}, {"Puppeteer", {}}};
    std::vector<Contestant> timed{{"foxbench", {}}, {"Puppeteer", {}}};
    for (int round = 0; round < arguments.rounds; ++round) {
        // Each takes most of a minute, so say that something goes on.
        std::cerr << "round " << round + 1 << " of " << arguments.rounds << '\n';
        const Cost ours = run_ours(arguments, {});
        beyond[0].values.push_back(ours.beyond_ms());
        timed[0].values.push_back(ours.timed_ms);
        if (!puppeteer) continue;
        const Cost theirs = co_await run_puppeteers(*puppeteer, page.url(), plan, output);
        beyond[1].values.push_back(theirs.beyond_ms());
        timed[1].values.push_back(theirs.timed_ms);
    }
    print_comparison(std::cout, "A quick run beyond its timed passes", "ms", beyond);
    print_comparison(std::cout, "Its timed passes, for orientation", "ms", timed);
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    return foxbench::benchmarks::run_benchmark(argc, argv, "What a quick run costs beyond its timed passes",
                                               foxbench::benchmarks::measure);
}
