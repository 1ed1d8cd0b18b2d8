#pragma once

#include <boost/asio/steady_timer.hpp>

#include "bidi/task.hpp"
#include "service/daemon/context.hpp"

namespace foxbench::daemon {

/// Removes what is older than the configuration keeps: one run at a time, never while one is measured. On the event
/// loop's thread.
class Retention {
public:
    explicit Retention(Context& context);

    /// Looks every hour, until stop(). To be called once.
    [[nodiscard]] bidi::Task<> run();
    void stop();

private:
    [[nodiscard]] bidi::Task<bool> prune_one();

    Context& context_;
    boost::asio::steady_timer timer_;
    bool stopped_ = false;
};

/// Does one item, with the run's folder beside the database. On a store's pool. False where there was nothing to do.
bool prune(store::Store& store, const store::PruneItem& item);

}  // namespace foxbench::daemon
