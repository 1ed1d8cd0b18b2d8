#include "service/cli/in_process_run.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <utility>

#include <boost/asio.hpp>

#include "service/error.hpp"

namespace foxbench::cli {
namespace {

namespace asio = boost::asio;

/// Ends the run at the first Ctrl-C, and this program at the second, at once: the browser dies with it.
class Interruption {
public:
    Interruption(asio::io_context& loop, run::Runner& runner) : signals_(loop, SIGINT, SIGTERM), runner_(runner) {
        wait();
    }

private:
    void wait() {
        signals_.async_wait([this](const boost::system::error_code& error, int) {
            if (error) return;
            if (interrupted_) std::_Exit(exit_code(ErrorCode::interrupted));
            interrupted_ = true;
            std::cerr << "\nEnding the run; what is finished is kept. Once more ends at once." << std::endl;
            runner_.stop(run::StopReason::interrupted);
            wait();
        });
    }

    asio::signal_set signals_;
    run::Runner& runner_;
    bool interrupted_ = false;
};

}  // namespace

RunHere run_here(const config::Config& config, store::Store& store, run::Job job, const std::string& claimed,
                 run::RunListener& listener) {
    // A terminal or a reader that goes away must not end a measurement.
    std::signal(SIGPIPE, SIG_IGN);
    // SQLite, compression and hashing go to one thread, so that the store is never used from two at a time.
    asio::thread_pool pool(1);
    asio::io_context loop(1);
    // While the pool works for the run, the loop has nothing to do and would end.
    const auto until_stopped = asio::make_work_guard(loop);
    run::Runner runner(config, store, pool, listener);
    Interruption interruption(loop, runner);
    std::exception_ptr failure;
    RunHere result;
    std::optional<std::string> queued;
    if (!claimed.empty()) queued = claimed;
    asio::co_spawn(loop, runner.execute(std::move(job), queued),
                   [&](std::exception_ptr error, run::RunOutcome outcome) {
                       failure = error;
                       result.outcome = std::move(outcome);
                       loop.stop();
                   });
    loop.run();
    result.interrupted = runner.stopping();
    pool.join();
    if (failure) std::rethrow_exception(failure);
    return result;
}

}  // namespace foxbench::cli
