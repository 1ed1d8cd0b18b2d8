// A disk that is full, or fails, in the middle of anything: what was asked for happens whole or not at all, the error
// says what to do, and the same store goes on once the disk does..
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "service/error.hpp"
#include "service/store/baselines.hpp"
#include "service/store/faulty_vfs.hpp"
#include "service/store/job_samples.hpp"
#include "service/store/sqlite.hpp"
#include "service/store/store.hpp"
#include "service/store/test_support.hpp"

namespace foxbench::store {
namespace {

using document::Json;
using document::RunState;
using Fault = FaultyVfs::Fault;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr const char* kFinishedAt = "2026-09-16T05:13:01.982Z";
/// Of one operation; far more than any has.
constexpr std::size_t kMostCalls = 500;
constexpr std::size_t kAll = kMaxListLimit;

struct Operation {
    const char* name;
    std::function<void(Store&)> prepare;
    std::function<void(Store&)> act;
};

/// So many samples that a pass takes several pages.
document::Pass large_pass(double first) {
    std::vector<double> latencies;
    for (int i = 0; i < 4000; ++i) latencies.push_back(first + static_cast<double>(i * 7919 % 10007) / 8);
    return pass_of(std::move(latencies));
}

void add_three_passes(Store& store, const std::string& run) {
    const auto series = series_named("small-append");
    const std::vector<document::Pass> passes{large_pass(1), large_pass(2), large_pass(3)};
    const std::vector<PassRecord> records{
        {0, series, std::nullopt, passes[0]}, {0, series, 0, passes[1]}, {0, series, 1, passes[2]}};
    store.add_passes(run, {0, 0}, records);
}

document::RunDocument finished_run(const std::string& id) {
    auto run = skeleton(id);
    run.state = RunState::completed;
    run.started_at = kFinishedAt;
    auto series = series_named("small-append");
    series.passes = {large_pass(4), large_pass(5)};
    run.targets[0].launches.emplace_back().series.push_back(series);
    return run;
}

Firing firing() {
    Firing firing;
    firing.schedule = "nightly";
    firing.due_at_ms = 100;
    return firing;
}

Delivery delivery() {
    Delivery delivery;
    delivery.url = "http://lab.example/hook";
    delivery.run = "run";
    delivery.body = "{}";
    return delivery;
}

std::vector<Operation> operations() {
    const auto nothing = [](Store&) {};
    const auto begin = [](Store& store) { store.begin_run(skeleton("run")); };
    const auto begin_and_measure = [](Store& store) { add_three_passes(store, store.begin_run(skeleton("run"))); };
    const auto import = [](Store& store) { store.import_document(finished_run("run")); };
    const auto queue = [](Store& store) { store.enqueue(job_named("run")); };
    return {
        {"enqueue", nothing, queue},
        {"claim", queue, [](Store& store) { store.claim_next(); }},
        {"put back",
         [](Store& store) {
             store.enqueue(job_named("run"));
             store.claim_next();
         },
         [](Store& store) { store.put_back("run"); }},
        {"begin", nothing, begin},
        {"add passes", begin, [](Store& store) { add_three_passes(store, "run"); }},
        {"finish", begin_and_measure,
         [](Store& store) { store.finish_run("run", RunState::completed, std::nullopt, kFinishedAt); }},
        {"import", nothing, import},
        {"remove", import, [](Store& store) { store.remove("run"); }},
        {"prune the samples", import,
         [](Store& store) {
             store.prune_one({"run", PruneItem::What::samples, 0});
         }},
        {"record a firing with its job", nothing,
         [](Store& store) { store.enqueue_firing(firing(), job_named("run")); }},
        {"pause", nothing, [](Store& store) { store.set_paused("nightly", true); }},
        {"add a delivery", nothing, [](Store& store) { store.add_delivery(delivery()); }},
        {"remember an answer", nothing,
         [](Store& store) {
             store.remember_answer("key", {202, "[]", std::string(100'000, 'b'), "hash"}, 0);
         }},
        {"set a baseline", import,
         [](Store& store) {
             Baselines(store).set({"esr", "run", std::nullopt, 1});
         }},
    };
}

/// Everything that the operations may change, as text.
std::string everything_in(Store& store) {
    Json all;
    RunFilter filter;
    filter.limit = kAll;
    for (const auto& run : store.list(filter).runs) all["runs"].push_back(document::to_json(store.load(run.id)));
    for (const auto& job : store.queue()) all["queue"].push_back(job.run);
    for (const auto& one : store.firings("nightly", kAll)) all["firings"].push_back(one.outcome);
    for (const auto& one : store.deliveries(kAll)) all["deliveries"].push_back(one.url);
    for (const auto& one : Baselines(store).list()) all["baselines"].push_back(one.name);
    all["paused"] = store.schedule_state("nightly", "0 2 * * * UTC", 1).paused;
    if (const auto answer = store.find_answer("key", 0)) all["answer"] = answer->body.size();
    return document::to_text(all);
}

void expect_sound(const std::filesystem::path& folder) {
    Database database(folder / "foxbench.db", false);
    auto check = database.prepare_once("check the database", "PRAGMA integrity_check");
    ASSERT_TRUE(check.step());
    EXPECT_EQ(check.text(0), "ok");
}

const char* to_string(Fault fault) {
    return fault == Fault::full ? "full" : fault == Fault::write ? "write" : "sync";
}

class StoreFaults : public ::testing::Test {
protected:
    /// A store's folder of its own with what `prepare` leaves.
    std::filesystem::path new_folder() { return folder_.path() / std::to_string(++folders_); }

    FaultyVfs disk_;
    TemporaryFolder folder_;
    int folders_ = 0;
};

/// Whether the error says what happened and what to do.
void expect_helpful(const Error& error, Fault fault) {
    EXPECT_EQ(error.code(), ErrorCode::environment) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("foxbench.db"));
    EXPECT_THAT(error.what(), HasSubstr(fault == Fault::full ? "free space on its disk" : "the kernel's log"));
}

TEST_F(StoreFaults, LeaveAllOrNothingAndTheStoreGoesOn) {
    for (const auto& operation : operations()) {
        for (const Fault fault : {Fault::full, Fault::write, Fault::sync}) {
            SCOPED_TRACE(std::string(operation.name) + ", " + to_string(fault));
            const auto original = new_folder();
            std::string before, after;
            {
                Store store(original);
                operation.prepare(store);
                before = everything_in(store);
            }
            std::size_t first = 1;
            bool went_through = false;
            for (; !went_through && first < kMostCalls; ++first) {
                const auto folder = new_folder();
                std::filesystem::copy(original, folder, std::filesystem::copy_options::recursive);
                {
                    Store store(folder);
                    disk_.fail_from(fault, first);
                    bool failed = false;
                    try {
                        operation.act(store);
                    } catch (const Error& error) {
                        failed = true;
                        expect_helpful(error, fault);
                    }
                    went_through = disk_.failed() == 0;
                    disk_.heal();
                    EXPECT_FALSE(failed && went_through);
                    if (failed) {
                        EXPECT_EQ(everything_in(store), before) << "at call " << first;
                        operation.act(store);
                    }
                    if (after.empty()) after = everything_in(store);
                    EXPECT_EQ(everything_in(store), after) << "at call " << first;
                }
                Store again(folder, Store::Mode::existing);
                EXPECT_EQ(everything_in(again), after) << "opened again, at call " << first;
                expect_sound(folder);
                std::filesystem::remove_all(folder);
                if (HasFailure()) return;
            }
            EXPECT_GT(first, 2u) << "no call of this kind was seen to fail";
            EXPECT_LT(first, kMostCalls);
        }
    }
}

TEST_F(StoreFaults, WhileAStoreIsMadeLetItBeMadeAfterwards) {
    for (const Fault fault : {Fault::full, Fault::write, Fault::sync}) {
        SCOPED_TRACE(to_string(fault));
        bool went_through = false;
        std::size_t first = 1;
        for (; !went_through && first < kMostCalls; ++first) {
            const auto folder = new_folder();
            disk_.fail_from(fault, first);
            try {
                Store store(folder);
            } catch (const Error& error) {
                expect_helpful(error, fault);
            }
            went_through = disk_.failed() == 0;
            disk_.heal();
            {
                Store store(folder);
                EXPECT_EQ(store.enqueue(job_named("run")), "run");
            }
            expect_sound(folder);
            std::filesystem::remove_all(folder);
            if (HasFailure()) return;
        }
        EXPECT_GT(first, 2u) << "no call of this kind was seen to fail";
        EXPECT_LT(first, kMostCalls);
    }
}

TEST_F(StoreFaults, DuringABackupLeaveNoFile) {
    const auto folder = new_folder();
    Store store(folder);
    store.import_document(finished_run("run"));
    const auto copy = folder / "copy.db";
    bool went_through = false;
    std::size_t first = 1;
    for (; !went_through && first < kMostCalls; ++first) {
        disk_.fail_from(Fault::full, first);
        try {
            store.backup(copy);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::environment) << error.what();
        }
        went_through = disk_.failed() == 0;
        disk_.heal();
        EXPECT_EQ(std::filesystem::exists(copy), went_through) << "at call " << first;
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            files += entry.path().filename().string().starts_with("copy.db") ? 1 : 0;
        EXPECT_EQ(files, went_through ? 1u : 0u) << "at call " << first;
        if (HasFailure()) return;
    }
    EXPECT_GT(first, 2u);
}

}  // namespace
}  // namespace foxbench::store
