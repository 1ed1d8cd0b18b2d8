#include "bidi/modules/firefox_fixture.hpp"

#include <set>
#include <stdexcept>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "bidi/testing/run_task.hpp"

namespace bidi::testing {
namespace {

namespace asio = boost::asio;

/// An event that takes longer does not come.
constexpr std::chrono::seconds kEventBound{20};
/// From browser.close to the end of the process: 0.6 s were measured.
constexpr std::chrono::seconds kExitBound{10};

constexpr std::string_view kEvents[] = {
    browsing_context::ContextCreated::kMethod,
    browsing_context::ContextDestroyed::kMethod,
    browsing_context::DomContentLoaded::kMethod,
    browsing_context::DownloadEnd::kMethod,
    browsing_context::DownloadWillBegin::kMethod,
    browsing_context::FragmentNavigated::kMethod,
    browsing_context::HistoryUpdated::kMethod,
    browsing_context::Load::kMethod,
    browsing_context::NavigationAborted::kMethod,
    browsing_context::NavigationCommitted::kMethod,
    browsing_context::NavigationFailed::kMethod,
    browsing_context::NavigationStarted::kMethod,
    browsing_context::UserPromptClosed::kMethod,
    browsing_context::UserPromptOpened::kMethod,
    log::EntryAdded::kMethod,
    script::Message::kMethod,
    script::RealmCreated::kMethod,
    script::RealmDestroyed::kMethod,
};

}  // namespace

struct FirefoxTest::Shared {
    asio::io_context io;
    asio::steady_timer changed{io};
    FirefoxProcess firefox;
    TestSite site{io};
    std::shared_ptr<Connection> connection;
    session::NewResult session;
    std::set<std::string_view> events;  ///< those that this browser has

    Task<> connect() {
        connection = co_await Connection::open(firefox.url());
        session::CapabilitiesRequest request;
        request.always_match.emplace().unhandled_prompt_behavior.emplace(session::UserPromptHandlerType::ignore);
        session = co_await session::start(*connection, request);
        for (const std::string_view event : kEvents) {
            const std::vector<std::string> names{std::string(event)};
            if ((co_await error_code(session::subscribe(*connection, names))).empty()) events.insert(event);
        }
    }
};

std::unique_ptr<FirefoxTest::Shared> FirefoxTest::shared_;

/// Closes the browser after the last test.
class FirefoxTest::Environment : public ::testing::Environment {
public:
    void TearDown() override {
        if (!shared_) return;
        run([]() { return browser::close(connection()); });
        EXPECT_EQ(firefox().wait_for_exit(kExitBound), 0) << "browser.close ends Firefox with exit code 0";
        shared_.reset();
    }
};

void FirefoxTest::SetUpTestSuite() {
    if (shared_) return;
    auto shared = std::make_unique<Shared>();
    testing::run(shared->io, shared->connect());
    shared_ = std::move(shared);
    ::testing::AddGlobalTestEnvironment(new Environment);  // which GoogleTest deletes
}

void FirefoxTest::SetUp() {
    run([this]() -> Task<> {
        const auto created = co_await browsing_context::create(connection(), browsing_context::CreateType::tab);
        tab_ = created.context;
    });
}

void FirefoxTest::TearDown() {
    run([this]() -> Task<> {
        const std::string code = co_await error_code(browsing_context::close(connection(), tab_));
        EXPECT_TRUE(code.empty() || code == "no such frame") << code;
    });
}

void FirefoxTest::run(const std::function<Task<>()>& body) {
    try {
        testing::run(shared_->io, body());
    } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
    }
}

Task<> FirefoxTest::until(std::function<bool()> condition) {
    const auto give_up_at = std::chrono::steady_clock::now() + kEventBound;
    while (!condition()) {
        shared_->changed.expires_at(give_up_at);
        co_await shared_->changed.async_wait(asio::as_tuple(asio::use_awaitable));
        if (std::chrono::steady_clock::now() >= give_up_at)
            throw std::runtime_error("what the test waits for does not come");
    }
}

void FirefoxTest::notify() {
    shared_->changed.cancel();
}

std::shared_ptr<bool> FirefoxTest::in_background(Task<> command) {
    auto succeeded = std::make_shared<bool>(false);
    asio::co_spawn(shared_->io, std::move(command), [succeeded](std::exception_ptr error) {
        *succeeded = !error;
        notify();
    });
    return succeeded;
}

Task<std::string> FirefoxTest::error_code(Task<> command) {
    std::string code;
    try {
        co_await std::move(command);
    } catch (const ProtocolError& error) {
        code = error.code();
    }
    co_return code;
}

Task<bool> FirefoxTest::has(std::string command) {
    const std::string code = co_await error_code(connection().call(command));
    co_return code != "unknown command";
}

bool FirefoxTest::has_event(std::string_view event) {
    return shared_->events.contains(event);
}

Task<json> FirefoxTest::evaluate(std::string expression) {
    const script::EvaluateResult result = co_await script::evaluate(connection(), expression, page(), true);
    co_return result.value().plain();
}

Task<> FirefoxTest::visit(std::string path) {
    const std::string url = site().url(path);
    co_await browsing_context::navigate(connection(), tab_, url, browsing_context::ReadinessState::complete);
}

Connection& FirefoxTest::connection() {
    return *shared_->connection;
}
TestSite& FirefoxTest::site() {
    return shared_->site;
}
FirefoxProcess& FirefoxTest::firefox() {
    return shared_->firefox;
}
const session::NewResult& FirefoxTest::session() {
    return shared_->session;
}

}  // namespace bidi::testing
