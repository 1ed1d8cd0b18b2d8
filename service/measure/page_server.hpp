#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>

namespace foxbench::measure {

/// Serves one workload's page for one launch: on a loopback port of its own, under a path that nobody can guess,
/// cross-origin isolated (COOP and COEP, https://html.spec.whatwg.org/#cross-origin-opener-policies), which is what
/// gives the page a clock of 20 µs. It knows the page's files and the workload's, all in memory, and answers GET and
/// HEAD for these alone.
///
/// Stops when destroyed. Not thread-safe: it belongs to its executor's one thread.
class PageServer {
public:
    /// Loads the files and listens. `module` is the workload's module within `folder`; it is served as workload.js, the
    /// folder's other scripts, JSON and wasm files under their own names. Throws Error (environment) where no port can
    /// be had or a file not read.
    PageServer(const boost::asio::any_io_executor& executor, const std::filesystem::path& folder,
               const std::filesystem::path& module);
    PageServer(const PageServer&) = delete;
    PageServer& operator=(const PageServer&) = delete;
    ~PageServer();

    /// The page's address: http://127.0.0.1:PORT/<one-time path>/.
    [[nodiscard]] const std::string& url() const noexcept;

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace foxbench::measure
