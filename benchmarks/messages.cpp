// Channel messages from the page: many small ones, and a large one. All of them have to arrive, whole and in order.

#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio.hpp>

#include "benchmarks/arguments.hpp"
#include "benchmarks/comparison.hpp"
#include "benchmarks/firefox.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"
#include "service/measure/page_server.hpp"

namespace foxbench::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::int64_t kMessages = 20'000;
constexpr std::size_t kLargeBytes = std::size_t{32} << 20;
constexpr const char* kChannel = "benchmark";

/// Calls a function in the page that writes to a channel, and gives each message's value to `receive`. Returns the
/// milliseconds until the function's own result was there, which comes after all of its messages.
bidi::Task<double> call_with_channel(bidi::Connection& connection, std::string context, std::string function,
                                     std::function<void(const bidi::json&)> receive) {
    const auto subscription = bidi::on<bidi::script::Message>(connection, [&](const bidi::script::Message& message) {
        if (message.channel == kChannel) receive(message.data.plain());
    });
    bidi::script::CallFunctionOptions options;
    options.arguments = {bidi::script::channel_value(kChannel)};
    const bidi::script::Target page = bidi::script::ContextTarget{context, {}};
    const auto start = Clock::now();
    const auto result = co_await bidi::script::call_function(connection, function, false, page, options);
    (void)result.value();
    co_return Milliseconds(Clock::now() - start).count();
}

bidi::Task<double> many_small(bidi::Connection& connection, std::string context) {
    std::int64_t received = 0;
    std::function<void(const bidi::json&)> receive = [&received](const bidi::json& value) {
        if (value != received)
            throw std::runtime_error("message " + std::to_string(received) + " is lost: " + value.dump() +
                                     " came instead");
        ++received;
    };
    std::string function = "channel => { for (let i = 0; i < " + std::to_string(kMessages) + "; ++i) channel(i); }";
    const double took_ms = co_await call_with_channel(connection, context, std::move(function), std::move(receive));
    if (received != kMessages) throw std::runtime_error(std::to_string(kMessages - received) + " messages are lost");
    co_return took_ms;
}

bidi::Task<double> one_large(bidi::Connection& connection, std::string context) {
    std::size_t received = 0;
    std::function<void(const bidi::json&)> receive = [&received](const bidi::json& value) {
        const auto& text = value.get_ref<const std::string&>();
        received += text.size();
        if (text.find_first_not_of('x') != std::string::npos)
            throw std::runtime_error("the large message was changed on its way");
    };
    std::string function = "channel => channel('x'.repeat(" + std::to_string(kLargeBytes) + "))";
    const double took_ms = co_await call_with_channel(connection, context, std::move(function), std::move(receive));
    if (received != kLargeBytes)
        throw std::runtime_error("of the large message only " + std::to_string(received) + " bytes came");
    co_return took_ms;
}

bidi::Task<> measure(Arguments arguments) {
    const auto options = co_await launch_options(arguments);
    const auto executor = co_await boost::asio::this_coro::executor;
    const measure::PageServer page(executor, arguments.workload, "worker.js");
    const auto browser = co_await browser::Browser::launch(options);
    auto& connection = browser->connection();
    const std::string context = browser->first_context();
    co_await load_isolated_page(connection, context, page.url());
    const std::vector<std::string> events{std::string(bidi::script::Message::kMethod)};
    co_await bidi::session::subscribe(connection, events);

    std::vector<Contestant> small{{"foxbench", {}}};
    std::vector<Contestant> large{{"foxbench", {}}};
    for (int round = 0; round < arguments.rounds; ++round) {
        small[0].values.push_back(co_await many_small(connection, context));
        large[0].values.push_back(co_await one_large(connection, context));
    }
    // A handler that throws is counted by the connection, which goes on: here it means a message that was not as it
    // should be.
    if (connection.counters().handler_failures > 0) throw std::runtime_error("a message was lost or changed");
    co_await browser->stop();
    print_comparison(std::cout, std::to_string(kMessages) + " channel messages, none lost", "ms", small);
    print_comparison(std::cout, "One channel message of 32 MiB, not lost", "ms", large);
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    return foxbench::benchmarks::run_benchmark(
        argc, argv, "How long messages from the page take, and whether all arrive", foxbench::benchmarks::measure);
}
