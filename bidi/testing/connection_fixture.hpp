#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

#include "bidi/connection.hpp"
#include "bidi/testing/run_task.hpp"
#include "bidi/testing/scripted_server.hpp"

namespace bidi::testing {

/// How a call that runs beside the test has ended.
struct Outcome {
    int completions = 0;
    json result;
    std::exception_ptr error;

    [[nodiscard]] std::optional<ErrorKind> kind() const {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const Error& thrown) {
            return thrown.kind();
        } catch (const std::exception& thrown) {
            ADD_FAILURE() << "not an error of the library: " << thrown.what();
        }
        return std::nullopt;
    }
    [[nodiscard]] std::string message() const {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const std::exception& thrown) {
            return thrown.what();
        }
        return {};
    }
};

/// A connection to a scripted server, both on one event loop.
class ConnectionFixture : public ::testing::Test {
protected:
    void connect(ConnectionOptions options = {}) {
        connection = run(io, Connection::open(server.url(), std::move(options)));
    }

    std::shared_ptr<Outcome> start_call(std::string method, json params = json::object(), CallOptions options = {},
                                        boost::asio::cancellation_slot slot = {}) {
        auto outcome = std::make_shared<Outcome>();
        auto call = connection->call(std::move(method), std::move(params), std::move(options));
        boost::asio::co_spawn(
            io, std::move(call),
            boost::asio::bind_cancellation_slot(slot, [outcome](std::exception_ptr error, json result) {
                ++outcome->completions;
                outcome->error = std::move(error);
                outcome->result = std::move(result);
            }));
        return outcome;
    }

    /// Runs the loop until the condition holds.
    template <class Condition>
    void until(Condition condition) {
        const auto give_up_at = std::chrono::steady_clock::now() + kHangBound;
        io.restart();
        while (!condition() && io.run_one_until(give_up_at) != 0) {
        }
        ASSERT_TRUE(condition()) << "the loop ran dry or the test hangs";
    }
    void wait_for(const std::shared_ptr<Outcome>& outcome) {
        until([&] { return outcome->completions > 0; });
    }
    /// A round trip: everything that was sent before has arrived.
    void settle() {
        server.answer("test.settle");
        run(io, connection->call("test.settle"));
    }
    void stay_silent() {
        server.on_command([](const json&) { return std::vector<json>(); });
    }

    boost::asio::io_context io{1};
    ScriptedServer server{io};
    std::shared_ptr<Connection> connection;
};

}  // namespace bidi::testing
