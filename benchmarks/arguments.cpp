#include "benchmarks/arguments.hpp"

#include <cerrno>
#include <exception>
#include <iostream>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>
#include <boost/asio.hpp>
#include <unistd.h>

#include "service/browser/find.hpp"

namespace foxbench::benchmarks {
namespace {

namespace fs = std::filesystem;

/// A folder of its own in `parent`, removed with everything in it.
class ScratchFolder {
public:
    explicit ScratchFolder(const fs::path& parent) {
        std::string name = parent / "foxbench-benchmark-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
        folder_ = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    [[nodiscard]] const fs::path& folder() const noexcept { return folder_; }

private:
    fs::path folder_;
};

void run_to_end(bidi::Task<> task) {
    boost::asio::io_context io(1);
    std::exception_ptr failure;
    boost::asio::co_spawn(io, std::move(task), [&](std::exception_ptr error) {
        failure = std::move(error);
        io.stop();
    });
    io.run();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace

int run_benchmark(int argc, char** argv, const std::string& about, std::function<bidi::Task<>(Arguments)> benchmark) {
    Arguments arguments;
    std::string firefox;
    fs::path scratch = "/var/tmp";  // not /tmp: that may be on tmpfs, which makes syncs free
    CLI::App app(about);
    app.add_option("--firefox", firefox,
                   "The Firefox to use, a name or a path (default: the first of firefox, firefox-esr)");
    app.add_option("--rounds", arguments.rounds, "Rounds of each contestant")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--scratch", scratch, "Where to put profiles: a folder on a disk")
        ->capture_default_str()
        ->check(CLI::ExistingDirectory);
    CLI11_PARSE(app, argc, argv);
    try {
        const ScratchFolder folder(scratch);
        arguments.scratch = folder.folder();
        arguments.firefox = browser::find_binary(firefox);
        arguments.workload = fs::path(FOXBENCH_WORKLOADS_FOLDER) / "opfs-sync-write";
        run_to_end(benchmark(std::move(arguments)));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
}

}  // namespace foxbench::benchmarks
