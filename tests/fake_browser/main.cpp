// A browser that foxbench takes for a Firefox, and that misbehaves on order: tests/fake_browser/README.md.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include <boost/asio/co_spawn.hpp>
#include <unistd.h>

#include "tests/fake_browser/browser.hpp"

namespace {

namespace asio = boost::asio;
using namespace foxbench::fake_browser;

struct Arguments {
    std::string profile;
    bool remote_control = false;
    bool measures = false;  ///< it was given a page to load, as a launch that measures is
};

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--profile" && i + 1 < argc) arguments.profile = argv[++i];
        if (argument.starts_with("--remote-debugging-port")) arguments.remote_control = true;
        if (argument.starts_with("http://")) arguments.measures = true;
    }
    return arguments;
}

/// The value of a name in the installation's application.ini, which foxbench reads as well.
std::string said_in(const std::filesystem::path& ini, const std::string& name) {
    std::ifstream stream(ini);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
    }
    return {};
}

int serve(const Arguments& arguments) {
    const char* file = std::getenv("FOXBENCH_FAKE_BROWSER");
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    Identity identity;
    identity.version = said_in(folder / "application.ini", "Version");
    identity.build_id = said_in(folder / "application.ini", "BuildID");
    identity.profile = arguments.profile;
    identity.pid = getpid();

    asio::io_context loop(1);
    Script script = file == nullptr ? Script() : read_script(file, arguments.measures);
    Browser browser(loop, std::move(script), identity, folder);
    asio::co_spawn(loop, browser.run(), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    });
    loop.run();
    return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Arguments arguments = parse(argc, argv);
        if (!arguments.remote_control || !std::filesystem::is_directory(arguments.profile)) {
            std::cerr << "fake browser: it is started by foxbench, with a profile\n";
            return EXIT_FAILURE;
        }
        return serve(arguments);
    } catch (const std::exception& error) {
        std::cerr << "fake browser: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
