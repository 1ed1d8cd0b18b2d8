// Messages of a browser into the connection: answers to calls that wait, events of every type, anything else.
//
// The input: a message a line. Commands 1 to 6 wait for their answers when the messages come.
#include <memory>
#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/events.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"
#include "bidi/modules/storage.hpp"
#include "bidi/testing/run_task.hpp"
#include "bidi/testing/scripted_server.hpp"
#include "tests/fuzz/target.hpp"

using foxbench::fuzz::require;
using foxbench::fuzz::take_until;
using namespace bidi;

namespace {

/// Each is a frame of its own; more lines are left out.
constexpr int kMaxMessages = 64;
/// Normal closure (RFC 6455, section 7.4.1).
constexpr std::uint16_t kClosed = 1000;

/// Calls that wait, and how they ended.
class Calls {
public:
    explicit Calls(boost::asio::io_context& io) : io_(io) {}

    template <class Result>
    void start(Task<Result> call) {
        const auto times = std::make_shared<int>(0);
        ++open_;
        boost::asio::co_spawn(io_, std::move(call), [this, times](std::exception_ptr failure, auto&&...) {
            require(++*times == 1, "a call ends once");
            --open_;
            check(failure);
        });
    }
    [[nodiscard]] int open() const noexcept { return open_; }

private:
    static void check(const std::exception_ptr& failure) {
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (const Error&) {
            // What the browser answered, or the end.
        }
    }

    boost::asio::io_context& io_;
    int open_ = 0;
};

/// An event that fits its type is handled, one that does not is counted; nothing else happens.
template <class... Events>
std::vector<Subscription> subscribe_to(Connection& connection) {
    std::vector<Subscription> subscriptions;
    (subscriptions.push_back(on<Events>(connection, [](const Events&) {})), ...);
    return subscriptions;
}

std::vector<Subscription> subscribe(Connection& connection) {
    using namespace browsing_context;
    return subscribe_to<ContextCreated, ContextDestroyed, NavigationStarted, FragmentNavigated, HistoryUpdated,
                        DomContentLoaded, Load, DownloadWillBegin, DownloadEnd, NavigationAborted, NavigationCommitted,
                        NavigationFailed, UserPromptClosed, UserPromptOpened, bidi::log::EntryAdded, script::Message,
                        script::RealmCreated, script::RealmDestroyed>(connection);
}

template <class Condition>
void run_until(boost::asio::io_context& io, Condition condition) {
    const auto give_up_at = std::chrono::steady_clock::now() + bidi::testing::kHangBound;
    io.restart();
    while (!condition() && io.run_one_until(give_up_at) != 0) {
    }
    require(condition(), "everything comes to an end");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // One server for all inputs: the ports would run out otherwise.
    static boost::asio::io_context io{1};
    static bidi::testing::ScriptedServer server(io);
    server.on_command([](const json&) { return std::vector<json>(); });

    server.forget_unsent();  // the library ends a connection itself where a frame is wrong
    const auto connection = bidi::testing::run(io, Connection::open(server.url()));
    const auto subscriptions = subscribe(*connection);
    Calls calls(io);
    const auto sent = server.commands().size();
    const script::Target context = script::ContextTarget("c1");
    const script::Target realm = script::RealmTarget("r1");
    calls.start(session::status(*connection));
    calls.start(script::evaluate(*connection, "1", context, true));
    calls.start(script::evaluate(*connection, "1", realm, true));
    calls.start(browsing_context::get_tree(*connection));
    calls.start(storage::get_cookies(*connection));
    calls.start(script::get_realms(*connection));
    run_until(io, [&] { return server.commands().size() == sent + 6; });

    auto rest = foxbench::fuzz::text_of(data, size);
    for (int i = 0; i < kMaxMessages && !rest.empty(); ++i) server.send_raw(std::string(take_until(rest, '\n')));
    server.close(kClosed);
    run_until(io, [&] { return connection->reason() && calls.open() == 0; });
    require(!connection->is_open(), "a connection with a reason has ended");
    bidi::testing::run(io, connection->close());
    return 0;
}
