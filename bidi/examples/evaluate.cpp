// Starts a Firefox, opens a page, evaluates an expression there and closes the browser:  evaluate firefox 'document.title'
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <string>

#include "bidi/connection.hpp"
#include "bidi/modules/browser.hpp"
#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"

bidi::Task<> evaluate(std::string address, std::string expression) {
    const auto connection = co_await bidi::Connection::open(address + "/session");
    co_await bidi::session::start(*connection);
    const auto tree = co_await bidi::browsing_context::get_tree(*connection);
    const std::string page = tree.contexts.at(0).context;
    const std::string url = "data:text/html,<title>Hello from BiDi</title>";
    const bidi::browsing_context::NavigateOptions loaded(bidi::browsing_context::ReadinessState::complete);
    co_await bidi::browsing_context::navigate(*connection, page, url, loaded);
    const bidi::script::ContextTarget target(page);
    const auto result = co_await bidi::script::evaluate(*connection, expression, target, true);
    std::cout << result.value().plain() << '\n';
    co_await bidi::browser::close(*connection);
}

int main(int argc, char** argv) {
    if (argc != 3) return std::cerr << "usage: evaluate FIREFOX EXPRESSION\n", 2;
    std::string profile = (std::filesystem::temp_directory_path() / "bidi-example-XXXXXX").string();
    int output[2];
    if (::mkdtemp(profile.data()) == nullptr || ::pipe(output) != 0) return std::perror("evaluate"), 1;
    const std::string arguments[] = {argv[1], "--headless", "--remote-debugging-port=0", "--profile", profile};
    char* raw[6] = {};
    for (int i = 0; i < 5; ++i) raw[i] = const_cast<char*>(arguments[i].c_str());
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, output[1], STDERR_FILENO);
    ::posix_spawn_file_actions_addclose(&actions, output[0]);
    pid_t firefox = 0;
    if (::posix_spawnp(&firefox, argv[1], &actions, nullptr, raw, environ) != 0) return std::perror(argv[1]), 1;
    ::close(output[1]);
    std::string line, address;
    for (char c; address.empty() && ::read(output[0], &c, 1) == 1; c == '\n' ? line.clear() : line.push_back(c))
        if (c == '\n' && line.starts_with("WebDriver BiDi listening on ")) address = line.substr(28);
    std::exception_ptr failure;
    boost::asio::io_context io;
    boost::asio::co_spawn(io, evaluate(address, argv[2]), [&](std::exception_ptr error) { failure = error; });
    io.run();
    if (failure) ::kill(firefox, SIGTERM);
    ::waitpid(firefox, nullptr, 0);
    std::filesystem::remove_all(profile);
    if (failure) std::rethrow_exception(failure);
}
