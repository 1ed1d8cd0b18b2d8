#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include <boost/asio/steady_timer.hpp>

#include "bidi/task.hpp"
#include "service/daemon/context.hpp"

namespace foxbench::daemon {

/// What one round of pruning could not do, so that it goes on with the next.
using Unprunable = std::set<std::pair<std::string, store::PruneItem::What>>;

struct Pruned {
    store::PruneItem item;
    std::optional<std::string> fault;  ///< why it could not be done
};

/// Does the oldest item that the policy does not keep, with the run's folder beside the database. One that fails is put
/// into `failed`, whose items are passed over. Nothing: there is nothing left to do. On a store's pool.
[[nodiscard]] std::optional<Pruned> prune_next(store::Store& store, const store::RetentionPolicy& policy,
                                               std::int64_t now_ms, Unprunable& failed);

[[nodiscard]] store::RetentionPolicy policy_of(const config::Retention& retention);

/// Removes what is older than the configuration keeps: one run at a time, never while one is measured. On the event
/// loop's thread.
class Retention {
public:
    explicit Retention(Context& context);

    /// Looks every hour, until stop(). To be called once.
    [[nodiscard]] bidi::Task<> run();
    void stop();

private:
    /// Whether there may be more to do.
    [[nodiscard]] bidi::Task<bool> prune_one();

    Context& context_;
    boost::asio::steady_timer timer_;
    Unprunable failed_;  ///< in this round
    bool stopped_ = false;
};

}  // namespace foxbench::daemon
