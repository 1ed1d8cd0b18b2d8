// Round trips of two commands in one and the same browser: foxbench's client, a bare socket that sends the same bytes,
// Puppeteer.

#include <chrono>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio.hpp>

#include "benchmarks/arguments.hpp"
#include "benchmarks/bare_socket.hpp"
#include "benchmarks/comparison.hpp"
#include "benchmarks/firefox.hpp"
#include "benchmarks/puppeteer.hpp"
#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"
#include "service/measure/page_server.hpp"

namespace foxbench::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

/// Trips of one kind by one contestant in one round. The first ones, while both sides warm up, are not counted.
constexpr int kTrips = 500;
constexpr int kWarmUpTrips = 100;

constexpr const char* kExpression = "1";

/// Medians of a round's trips.
struct Round {
    double status_us = 0, evaluate_us = 0;
};

double median_of_warm(std::vector<double> trips_us) {
    trips_us.erase(trips_us.begin(), trips_us.begin() + kWarmUpTrips);
    return median(std::move(trips_us));
}

// ---- foxbench ----

/// A session of our client with the browser, for the scope of one round.
struct Session {
    std::shared_ptr<bidi::Connection> connection;
    std::string context;  ///< of the first tab
};

bidi::Task<Session> begin_session(std::string endpoint) {
    Session session;
    session.connection = co_await bidi::Connection::open(endpoint);
    co_await bidi::session::start(*session.connection);
    const auto tree = co_await bidi::browsing_context::get_tree(*session.connection);
    session.context = tree.contexts.at(0).context;
    co_return session;
}

bidi::Task<> end_session(Session session) {
    co_await bidi::session::end(*session.connection);
    co_await session.connection->close();
}

bidi::Task<Round> round_of_ours(std::string endpoint) {
    auto session = co_await begin_session(endpoint);
    auto& connection = *session.connection;
    std::vector<double> trips_us;
    for (int trip = 0; trip < kTrips; ++trip) {
        const auto start = Clock::now();
        co_await bidi::session::status(connection);
        trips_us.push_back(Microseconds(Clock::now() - start).count());
    }
    Round round;
    round.status_us = median_of_warm(std::exchange(trips_us, {}));

    const bidi::script::Target page = bidi::script::ContextTarget{session.context, {}};
    for (int trip = 0; trip < kTrips; ++trip) {
        const auto start = Clock::now();
        const auto result = co_await bidi::script::evaluate(connection, kExpression, page, false);
        trips_us.push_back(Microseconds(Clock::now() - start).count());
        if (result.exception() != nullptr) throw std::runtime_error("the expression threw");
    }
    round.evaluate_us = median_of_warm(std::move(trips_us));
    co_await end_session(std::move(session));
    co_return round;
}

// ---- bare socket ----

std::string command(int id, const std::string& method, nlohmann::json params) {
    return nlohmann::json{{"id", id}, {"method", method}, {"params", std::move(params)}}.dump();
}

nlohmann::json evaluation(const std::string& context) {
    return {{"expression", kExpression}, {"target", {{"context", context}}}, {"awaitPromise", false}};
}

/// A command's result; for the trips that are not timed.
nlohmann::json ask(BareSocket& socket, int id, const std::string& method, nlohmann::json params) {
    const auto answer =
        nlohmann::json::parse(socket.round_trip(BareSocket::frame_of(command(id, method, std::move(params)))));
    if (answer.at("type") != "success") throw std::runtime_error(method + ": " + answer.dump());
    return answer.at("result");
}

double median_trip(BareSocket& socket, const std::string& text) {
    const std::string frame = BareSocket::frame_of(text);
    std::vector<double> trips_us;
    for (int trip = 0; trip < kTrips; ++trip) {
        const auto start = Clock::now();
        (void)socket.round_trip(frame);
        trips_us.push_back(Microseconds(Clock::now() - start).count());
    }
    return median_of_warm(std::move(trips_us));
}

Round round_of_bare_socket(std::uint16_t port) {
    const auto none = nlohmann::json::object();
    BareSocket socket(port, "/session");
    ask(socket, 1, "session.new", {{"capabilities", none}});
    const auto tree = ask(socket, 2, "browsingContext.getTree", none);
    const std::string context = tree.at("contexts").at(0).at("context");
    Round round;
    // Three digits in the id, as most of our client's commands have.
    round.status_us = median_trip(socket, command(100, "session.status", none));
    round.evaluate_us = median_trip(socket, command(101, "script.evaluate", evaluation(context)));
    ask(socket, 3, "session.end", none);
    return round;
}

// ---- Puppeteer ----

bidi::Task<double> median_trip(Puppeteer& puppeteer, nlohmann::json request) {
    request["count"] = kTrips;
    const auto answer = co_await puppeteer.ask(std::move(request));
    co_return median_of_warm(answer.at("trips_us").get<std::vector<double>>());
}

struct PuppeteersRound {
    Round by_connection;          ///< the two commands as they are
    double page_evaluate_us = 0;  ///< page.evaluate(), which people use
};

bidi::Task<PuppeteersRound> round_of_puppeteer(Puppeteer& puppeteer, std::string endpoint) {
    nlohmann::json connect{{"do", "connect"}, {"endpoint", endpoint}};
    nlohmann::json status{{"do", "call"}, {"method", "session.status"}, {"params", nlohmann::json::object()}};
    nlohmann::json evaluate{{"do", "call"}, {"method", "script.evaluate"}, {"params", evaluation("$CONTEXT")}};
    nlohmann::json page_evaluate{{"do", "evaluate"}, {"expression", kExpression}};
    nlohmann::json disconnect{{"do", "disconnect"}};

    PuppeteersRound round;
    co_await puppeteer.ask(std::move(connect));
    round.by_connection.status_us = co_await median_trip(puppeteer, std::move(status));
    round.by_connection.evaluate_us = co_await median_trip(puppeteer, std::move(evaluate));
    round.page_evaluate_us = co_await median_trip(puppeteer, std::move(page_evaluate));
    co_await puppeteer.ask(std::move(disconnect));
    co_return round;
}

// ----

bidi::Task<> measure(Arguments arguments) {
    const auto options = co_await launch_options(arguments);
    const auto firefox = co_await UnclaimedFirefox::start(options);
    const auto puppeteer = co_await Puppeteer::start(arguments);
    {
        const auto executor = co_await boost::asio::this_coro::executor;
        const measure::PageServer page(executor, arguments.workload, "worker.js");
        auto session = co_await begin_session(firefox->endpoint());
        co_await load_isolated_page(*session.connection, session.context, page.url());
        co_await end_session(std::move(session));
    }

    std::vector<Contestant> status{{"foxbench", {}}, {"bare socket", {}}, {"Puppeteer's connection", {}}};
    std::vector<Contestant> evaluate{
        {"foxbench", {}}, {"bare socket", {}}, {"Puppeteer's connection", {}}, {"Puppeteer's page.evaluate", {}}};
    for (int round = 0; round < arguments.rounds; ++round) {
        const auto ours = co_await round_of_ours(firefox->endpoint());
        status[0].values.push_back(ours.status_us);
        evaluate[0].values.push_back(ours.evaluate_us);
        const auto bare = round_of_bare_socket(firefox->port());
        status[1].values.push_back(bare.status_us);
        evaluate[1].values.push_back(bare.evaluate_us);
        if (!puppeteer) continue;
        const auto theirs = co_await round_of_puppeteer(*puppeteer, firefox->endpoint());
        status[2].values.push_back(theirs.by_connection.status_us);
        evaluate[2].values.push_back(theirs.by_connection.evaluate_us);
        evaluate[3].values.push_back(theirs.page_evaluate_us);
    }
    print_comparison(std::cout, "Round trip of session.status", "us", status);
    print_comparison(std::cout, "Round trip of script.evaluate", "us", evaluate);
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    return foxbench::benchmarks::run_benchmark(argc, argv, "How long a command takes to the browser and back",
                                               foxbench::benchmarks::measure);
}
