#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/document/run_document.hpp"
#include "service/store/deliveries.hpp"
#include "service/store/firings.hpp"
#include "service/store/idempotency.hpp"
#include "service/store/queue.hpp"
#include "service/store/retention.hpp"

/// Where runs are kept: one SQLite database, `foxbench.db`, in the results folder. It knows run documents and nothing
/// of browsers.
///
/// Nothing is ever half-written: each call below that changes something is one transaction, and it is on the disk
/// (synchronous=FULL) when the call returns. Several processes may use one results folder at a time.
namespace foxbench::store {

/// What `list` shows of a run; no sample is read for it.
struct RunSummary {
    std::string id;
    document::RunState state = document::RunState::completed;
    std::string workload;
    std::optional<std::string> label, note, reason;
    std::vector<std::string> targets;  ///< their names, in the run's order
    std::optional<std::string> host;   ///< its name
    std::optional<std::string> trigger_kind, trigger_name;
    std::optional<std::string> preset;
    std::optional<std::string> started_at, finished_at;  ///< as in the document
    std::int64_t listed_at_ms = 0;  ///< the time that orders the list: started_at, else when it was stored; since 1970
};

/// Which runs to list; what is empty admits all.
struct RunFilter {
    std::optional<document::RunState> state;
    std::optional<std::string> workload, target, label, host;  ///< equal to the text; target and host by name
    std::optional<std::string> trigger;                        ///< its kind: cli, http, schedule, confirm
    std::optional<std::int64_t> since_ms, until_ms;            ///< listed_at_ms from (inclusive) and to (exclusive)
    std::size_t limit = 50;                                    ///< 1 to kMaxListLimit
    std::optional<std::string> cursor;                         ///< RunPage::next of the page before
};

inline constexpr std::size_t kMaxListLimit = 1000;

struct RunPage {
    std::vector<RunSummary> runs;     ///< newest first
    std::optional<std::string> next;  ///< cursor of the next page; empty at the end
};

/// Which launch of a run, by position in the document.
struct LaunchKey {
    std::size_t target = 0;
    std::size_t launch = 0;
};

/// One finished pass and the series that it belongs to. It refers to both: they have to live until add_passes()
/// returns.
struct PassRecord {
    std::size_t position = 0;          ///< of the series in its launch
    const document::Series& series;    ///< its name, table and byte counts; its warm-up and passes are not looked at
    std::optional<std::size_t> index;  ///< which measured pass, from 0; empty for the warm-up
    const document::Pass& pass;
};

struct Imported {
    std::string id;
    bool already_there = false;  ///< the same document was there; nothing was stored
};

/// The store of one results folder.
///
/// Errors are foxbench::Error: `environment` for the disk, permissions, a damaged or locked database; `unsupported` for
/// a database that a newer foxbench has migrated; `not_found` and `usage` for what is asked for; `conflict` for what
/// contradicts what is stored.
///
/// Not thread-safe, but not bound to a thread either: use it from one thread at a time, such as one worker's.
class Store {
public:
    enum class Mode {
        create,   ///< make the folder and the database where they are missing
        existing  ///< they have to be there (not_found): reading must not leave an empty store behind
    };

    /// Opens `results_dir`/foxbench.db and migrates it to this foxbench's schema.
    explicit Store(const std::filesystem::path& results_dir, Mode mode = Mode::create);
    ~Store();
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;

    [[nodiscard]] const std::filesystem::path& results_dir() const noexcept;

    // ---- the queue ----

    /// Stores a run in state `queued` with everything that the job's skeleton has, and gives it its id as begin_run()
    /// does. The answer that `answer_to` gives for it is remembered with it, both or neither: `conflict` where its key
    /// has one. `answer_to` may read this store, which has the job by then.
    std::string enqueue(const NewJob& job, const AnswerTo& answer_to = {});
    /// Those that wait, in the order in which they will get their turn: by class, manual ones by priority, then first
    /// come first served.
    [[nodiscard]] std::vector<Job> queue() const;
    /// Takes the first of the queue: its run becomes `running`, owned by the calling process. Two processes never get
    /// the same one.
    std::optional<Job> claim_next();
    /// The way back, for a claimed job of which nothing was measured: its run waits again, in its old place. `conflict`
    /// where a pass is stored or the run is not running.
    void put_back(const std::string& run);
    /// Removes a claimed job of which nothing was measured, with its run, and notes that the firing which queued it
    /// counts as skipped, for this reason. `conflict` where a pass is stored or the run is not running.
    void drop_job(const std::string& run, const std::string& reason);
    /// What a run was asked for, whatever has become of it. Empty for a run that never was in the queue.
    [[nodiscard]] std::optional<Job> job_of(const std::string& run) const;
    /// Whether a job of the schedule waits or is running.
    [[nodiscard]] bool has_unfinished_job(const std::string& schedule) const;
    [[nodiscard]] std::optional<std::int64_t> oldest_queued_at_ms() const;
    /// Completed runs of a workload's preset, newest first: at most `limit`, among the workload's newest 1000 runs.
    [[nodiscard]] std::vector<PastRun> past_durations(const std::string& workload, const std::string& preset,
                                                      std::size_t limit) const;

    // ---- a run that is being measured ----

    /// Stores a new run with everything that `skeleton` has (as a rule targets without launches) and gives it its id:
    /// the skeleton's own, or with -2, -3, ... where that is taken; two processes never get the same. The calling
    /// process becomes its owner, see recover().
    std::string begin_run(const document::RunDocument& skeleton);

    /// Replaces the run's own members (host, profiles, note, started_at, config, ...) by those of `document`, whose id
    /// names the run, but for state and reason, which are finish_run()'s. Its targets are not looked at.
    void update_run(const document::RunDocument& document);
    // Of a run that has ended, what follows changes nothing any more: `conflict`.

    /// Replaces a target's own members; its launches are not looked at.
    void update_target(const std::string& run, std::size_t target, const document::Target& facts);
    /// Stores or replaces a launch's own members (environment, noise, failure); its series are not looked at.
    void update_launch(const std::string& run, LaunchKey launch, const document::Launch& facts);

    /// Stores finished passes, all or none. `conflict` where such a pass is already there.
    void add_passes(const std::string& run, LaunchKey launch, std::span<const PassRecord> records);
    void add_pass(const std::string& run, LaunchKey launch, const PassRecord& record) {
        add_passes(run, launch, {&record, 1});
    }
    /// Replaces a series' own members (a summary, say) or stores a series that has no pass yet.
    void update_series(const std::string& run, LaunchKey launch, std::size_t position, const document::Series& facts);

    /// Ends a run, also one that waits in the queue: its final state, and the reason unless it is completed. `conflict`
    /// where it is already final. A run that would be completed without one measured pass is an internal fault.
    void finish_run(const std::string& run, document::RunState state, const std::optional<std::string>& reason,
                    const std::optional<std::string>& finished_at);

    /// Ends the runs whose process is gone (killed, or the machine went down): `partial` if at least one measured pass
    /// was stored, else `failed`. Those in the queue stay there. For writers, at their start and before each run.
    /// Returns their ids, so that their reports can be written.
    std::vector<std::string> recover();

    // ---- reading ----

    /// The whole document, samples included. `not_found` where there is no such run.
    [[nodiscard]] document::RunDocument load(const std::string& run) const;
    [[nodiscard]] RunSummary load_summary(const std::string& run) const;
    /// A number that changes whenever what a report shows of the run may have changed, by whatever process: also where
    /// another run has come in its place. `not_found` where there is no such run.
    [[nodiscard]] std::int64_t revision(const std::string& run) const;
    [[nodiscard]] RunPage list(const RunFilter& filter = {}) const;
    /// How many measured passes are stored: calls of all series that have finished.
    [[nodiscard]] std::size_t stored_passes(const std::string& run) const;

    /// The id that a user means by `text`: an id, a unique beginning of one, or "latest". `usage` for what is no id or
    /// begins several (naming some), `not_found` else (naming the nearest).
    [[nodiscard]] std::string resolve(std::string_view text) const;
    /// How many runs there are in each state; states without any are left out.
    [[nodiscard]] std::map<document::RunState, std::int64_t> count_by_state() const;

    // ---- whole runs ----

    /// Stores a document under its own id, or with -2, -3, ... where another run has that. The same document by content
    /// is not stored again, whether it comes under the id that it had or under the one that it got.
    Imported import_document(const document::RunDocument& document);

    /// Removes a run with its samples and gives the space back to the disk. `conflict` while a live process measures it
    /// or it waits in the queue.
    void remove(const std::string& run);

    // ---- schedules ----

    /// Records what became of a firing. False where that firing is recorded already: nothing is changed then.
    bool record_firing(const Firing& firing);
    /// Records a firing and queues its job, both or neither. Gives the run's id; nothing where that firing is recorded
    /// already. The firing's outcome and run are not looked at.
    std::optional<std::string> enqueue_firing(const Firing& firing, const NewJob& job);
    /// When the newest recorded firing was due that was due by `now_ms`: a clock that ran ahead for a while may have
    /// left later ones, which must not hold the schedule until then.
    [[nodiscard]] std::optional<std::int64_t> last_firing(const std::string& schedule, std::int64_t now_ms) const;
    /// Newest first.
    [[nodiscard]] std::vector<Firing> firings(const std::string& schedule, std::size_t limit) const;
    /// The state of a schedule; one that is seen for the first time is known since `now_ms`, and not paused. One that
    /// was first seen later than that, by a clock that ran ahead, is known since `now_ms` as well, and so is one whose
    /// `times`, the words that say when it fires (expression and zone), are others than before.
    ScheduleState schedule_state(const std::string& schedule, const std::string& times, std::int64_t now_ms);
    /// Forgets the state of every schedule that has none of these names: one that comes back later is a new one. What
    /// became of its firings stays.
    void forget_schedules_but(const std::vector<std::string>& names);
    void set_paused(const std::string& schedule, bool paused);

    // ---- what the HTTP server keeps ----

    /// Takes `count` (at least 1) ids for events that nobody else gets, and gives the first of them. Ids begin with 1.
    std::int64_t reserve_event_ids(std::int64_t count);

    /// The answer that was given to a request with this Idempotency-Key within kAnswerLifetime.
    [[nodiscard]] std::optional<StoredAnswer> find_answer(const std::string& key, std::int64_t now_ms) const;
    /// False where the key has an answer already, which stays.
    bool remember_answer(const std::string& key, const StoredAnswer& answer, std::int64_t now_ms);

    // ---- webhooks ----

    /// From now on the end of each run stores the messages that `outbox` gives for it, both or neither: by whatever
    /// call a run ends. What `outbox` throws keeps the run from ending.
    void set_outbox(Outbox outbox);
    /// Stores a new delivery and gives it its id.
    std::int64_t add_delivery(const Delivery& delivery);
    /// Pending ones whose next attempt is due, the longest due first.
    [[nodiscard]] std::vector<Delivery> due_deliveries(std::int64_t now_ms, std::size_t limit) const;
    /// Writes what an attempt changes: attempts, state, status, error and time of the next one. `not_found` where there
    /// is no such delivery.
    void update_delivery(const Delivery& delivery);
    /// Newest first.
    [[nodiscard]] std::vector<Delivery> deliveries(std::size_t limit) const;
    /// When the next pending one is due.
    [[nodiscard]] std::optional<std::int64_t> next_delivery_at_ms() const;

    // ---- retention and backup ----

    /// What is older than the policy keeps, oldest first, at most `limit` items. Runs that have not ended are left
    /// alone. Changes nothing.
    [[nodiscard]] std::vector<PruneItem> prune_plan(const RetentionPolicy& policy, std::int64_t now_ms,
                                                    std::size_t limit) const;
    /// Does one item of a plan and gives its space back to the disk. False where there is nothing to do (any more): the
    /// run is gone, has not ended, or has no samples. The run's folder is the caller's.
    ///
    /// Where samples go, each series gets a `summary` with what the report says of it, so that the report keeps its
    /// figures, and in it, as `warmup` and `passes`, the figures of each of its own passes.
    bool prune_one(const PruneItem& item);

    /// Writes a consistent copy of the database to a file that is not there yet (`conflict`), while others may go on
    /// writing. The copy is there whole or not at all.
    void backup(const std::filesystem::path& file) const;
    /// What the database occupies on the disk, its log included.
    [[nodiscard]] std::int64_t database_bytes() const;

private:
    // Views of the same database, each with the operations of one subject.
    friend class Alerts;
    friend class Baselines;
    friend class HistoryStore;

    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace foxbench::store
