#include "benchmarks/puppeteer.hpp"

#include <array>
#include <cerrno>
#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <boost/asio.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "benchmarks/program.hpp"
#include "service/browser/find.hpp"

namespace foxbench::benchmarks {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
        read = ends[0];
        write = ends[1];
    }
    int read, write;
};

}  // namespace

class Puppeteer::Impl {
public:
    Impl(const asio::any_io_executor& executor, const fs::path& node, const fs::path& driver,
         const Arguments& arguments)
        : input_(executor), output_(executor) {
        Pipe to_child, from_child;
        input_.assign(to_child.write);
        output_.assign(from_child.read);
        try {
            // TMPDIR is where it makes its profiles: they have to be on the same disk as ours.
            pid_ = start_program(node, {driver, arguments.firefox}, {{"TMPDIR", arguments.scratch}}, to_child.read,
                                 from_child.write);
        } catch (...) {
            ::close(to_child.read);
            ::close(from_child.write);
            throw;
        }
        ::close(to_child.read);
        ::close(from_child.write);
    }

    ~Impl() {
        boost::system::error_code ignored;
        input_.close(ignored);  // its end of input: it closes its browser and exits
        wait_for_program(pid_);
    }

    bidi::Task<nlohmann::json> ask(nlohmann::json request) {
        const std::string line = request.dump() + '\n';
        co_await asio::async_write(input_, asio::buffer(line), asio::use_awaitable);
        const std::size_t length =
            co_await asio::async_read_until(output_, asio::dynamic_buffer(received_), '\n', asio::use_awaitable);
        auto answer = nlohmann::json::parse(received_.substr(0, length));
        received_.erase(0, length);
        if (answer.contains("error")) throw std::runtime_error("Puppeteer: " + answer["error"].get<std::string>());
        co_return answer;
    }

private:
    asio::posix::stream_descriptor input_, output_;
    std::string received_;
    pid_t pid_ = 0;
};

bidi::Task<std::unique_ptr<Puppeteer>> Puppeteer::start(Arguments arguments) {
    const fs::path peers = FOXBENCH_PEERS_FOLDER;
    const fs::path node = browser::find_on_path("node", browser::SearchEnvironment::current());
    if (node.empty() || !fs::exists(peers / "node_modules" / "puppeteer-core")) {
        std::cerr << "Puppeteer is not there, so foxbench runs alone; for the comparison: npm install --prefix "
                  << peers.string() << '\n';
        co_return nullptr;
    }
    const auto executor = co_await asio::this_coro::executor;
    co_return std::unique_ptr<Puppeteer>(
        new Puppeteer(std::make_unique<Impl>(executor, node, peers / "puppeteer_driver.mjs", arguments)));
}

Puppeteer::Puppeteer(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

Puppeteer::~Puppeteer() = default;

bidi::Task<nlohmann::json> Puppeteer::ask(nlohmann::json request) {
    return impl_->ask(std::move(request));
}

}  // namespace foxbench::benchmarks
