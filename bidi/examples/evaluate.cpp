// Starts a Firefox, opens a page, evaluates an expression there and closes the browser.
// Usage: evaluate firefox document.title
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "bidi/connection.hpp"
#include "bidi/modules/browser.hpp"
#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"

bidi::Task<> evaluate(std::string address, std::string expression) {
    const auto connection = co_await bidi::Connection::open(address + "/session");
    co_await bidi::session::start(*connection);
    const auto tab = co_await bidi::browsing_context::create(*connection, bidi::browsing_context::CreateType::tab);
    const std::string url = "data:text/html,<title>Hello from BiDi</title>";
    const bidi::browsing_context::NavigateOptions loaded(bidi::browsing_context::ReadinessState::complete);
    co_await bidi::browsing_context::navigate(*connection, tab.context, url, loaded);
    const bidi::script::ContextTarget target(tab.context);
    const auto result = co_await bidi::script::evaluate(*connection, expression, target, true);
    std::cout << result.value().plain() << '\n';
    co_await bidi::browser::close(*connection);
}

int main(int argc, char** argv) try {
    if (argc != 3) return std::cerr << "usage: evaluate FIREFOX EXPRESSION\n", 2;
    std::string profile = (std::filesystem::temp_directory_path() / "bidi-example-XXXXXX").string();
    if (::mkdtemp(profile.data()) == nullptr) throw std::runtime_error("no folder for the profile");
    const std::string command = "echo $$; exec '" + std::string(argv[1]) +
                                "' --headless --remote-debugging-port=0 --profile '" + profile + "' 2>&1 >/dev/null";
    std::FILE* const output = ::popen(command.c_str(), "r");
    int firefox = 0;
    if (output == nullptr || std::fscanf(output, "%d ", &firefox) != 1) throw std::runtime_error("no shell");
    char line[1000], address[1000] = "";
    while (*address == '\0' && std::fgets(line, sizeof line, output) != nullptr) {
        std::sscanf(line, "WebDriver BiDi listening on %999s", address);
    }

    std::exception_ptr failure;
    boost::asio::io_context io;
    boost::asio::co_spawn(io, evaluate(address, argv[2]), [&](std::exception_ptr error) { failure = error; });
    io.run();

    if (failure) ::kill(firefox, SIGTERM);
    ::pclose(output);
    std::filesystem::remove_all(profile);
    if (failure) std::rethrow_exception(failure);
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
