#include "service/store/store.hpp"

#include <fstream>
#include <functional>
#include <sstream>

#include <gmock/gmock.h>

#include "service/document/content.hpp"
#include "service/document/sample_documents.hpp"
#include "service/error.hpp"
#include "service/store/results_folder.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using document::RunDocument;
using document::RunState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunDocument maximal() {
    return document::parse(document::maximal_document_text(), "maximal");
}

// ---- measuring ----

TEST_F(StoreTest, GivesBackWhatWasMeasured) {
    RunDocument document = skeleton();
    document.id = store_.begin_run(document);

    document.host.emplace().name = "lab-3";
    document.started_at = "2026-09-16T05:13:01.982Z";
    store_.update_run(document);
    document.targets[0].browser.build_id = "20260915";
    store_.update_target(document.id, 0, document.targets[0]);

    document::Launch& launch = document.targets[0].launches.emplace_back();
    launch.environment.emplace().timer_resolution_us = 20;
    store_.update_launch(document.id, {0, 0}, launch);

    for (const char* name : {"small-append", "new-file: close"}) launch.series.push_back(series_named(name));
    for (std::size_t position = 0; position < 2; ++position) {
        document::Series& series = launch.series[position];
        series.warmup = pass_of({1, 2.5, 3}, 91.2);
        store_.add_pass(document.id, {0, 0}, {position, series, std::nullopt, *series.warmup});
        for (std::size_t index = 0; index < 2; ++index) {
            document::Pass& pass = series.passes.emplace_back(pass_of({120, 40, 36.228}));
            pass.verified = document::Json::object({{"size", 12288}});
            store_.add_pass(document.id, {0, 0}, {position, series, index, pass});
        }
    }
    launch.noise = document::Json::object({{"load", 0.5}});
    store_.update_launch(document.id, {0, 0}, launch);
    EXPECT_EQ(store_.stored_passes(document.id), 4u);
    EXPECT_EQ(sorted_text(store_.load(document.id)), sorted_text(document));

    document.state = RunState::completed;
    document.finished_at = "2026-09-16T05:23:01.982Z";
    store_.finish_run(document.id, RunState::completed, std::nullopt, document.finished_at);
    EXPECT_EQ(sorted_text(Store(path()).load(document.id)), sorted_text(document));
}

TEST_F(StoreTest, StoresThePassesOfSeveralSeriesTogetherOrNot) {
    const std::string run = store_.begin_run(skeleton());
    const document::Series open = series_named("new-file: create+open");
    const document::Series close = series_named("new-file: close");
    const document::Pass pass = pass_of({1, 2});
    const PassRecord both[] = {{0, open, 0, pass}, {1, close, 0, pass}};
    store_.add_passes(run, {0, 0}, both);
    EXPECT_EQ(store_.stored_passes(run), 2u);

    const PassRecord second_is_a_repetition[] = {{0, open, 1, pass}, {1, close, 0, pass}};
    EXPECT_THAT(refusal(ErrorCode::conflict,
                        [&] {
                            store_.add_passes(run, {0, 0}, second_is_a_repetition);
                        }),
                HasSubstr("measured pass 1 of the series is already stored"));
    EXPECT_EQ(store_.stored_passes(run), 2u);
    EXPECT_THAT(refusal(ErrorCode::conflict,
                        [&] {
                            store_.add_pass(run, {0, 0}, {0, close, 1, pass});
                        }),
                HasSubstr("is \"new-file: create+open\", not \"new-file: close\""));
}

TEST_F(StoreTest, RefusesWhatDoesNotExist) {
    const document::Pass pass = pass_of({1});
    const document::Series series = series_named("s");
    EXPECT_THAT(refusal(ErrorCode::not_found,
                        [&] {
                            store_.add_pass("nope", {0, 0}, {0, series, 0, pass});
                        }),
                HasSubstr("there is no run \"nope\""));
    const std::string run = store_.begin_run(skeleton());
    EXPECT_THAT(refusal(ErrorCode::not_found,
                        [&] {
                            store_.add_pass(run, {1, 0}, {0, series, 0, pass});
                        }),
                HasSubstr("no target number 2"));
    refusal(ErrorCode::not_found, [&] { (void)store_.load("nope"); });
    refusal(ErrorCode::not_found, [&] { store_.remove("nope"); });
    refusal(ErrorCode::not_found, [&] { store_.finish_run("nope", RunState::failed, "x", std::nullopt); });
}

TEST_F(StoreTest, RunsOfTheSameSecondGetSuffixes) {
    EXPECT_EQ(store_.begin_run(skeleton("run")), "run");
    EXPECT_EQ(store_.begin_run(skeleton("run")), "run-2");
    EXPECT_EQ(Store(path()).begin_run(skeleton("run")), "run-3");
    EXPECT_EQ(store_.load("run-2").id, "run-2");
    refusal(ErrorCode::usage, [&] { store_.begin_run(skeleton("../run")); });
}

TEST_F(StoreTest, FinishesARunOnceAndNeverAnEmptyOneAsCompleted) {
    const std::string run = store_.begin_run(skeleton());
    refusal(ErrorCode::internal, [&] { store_.finish_run(run, RunState::completed, std::nullopt, std::nullopt); });
    refusal(ErrorCode::internal, [&] { store_.finish_run(run, RunState::running, std::nullopt, std::nullopt); });
    store_.finish_run(run, RunState::failed, "no browser", std::nullopt);
    EXPECT_EQ(store_.load(run).reason, "no browser");
    EXPECT_THAT(refusal(ErrorCode::conflict, [&] { store_.finish_run(run, RunState::partial, "x", std::nullopt); }),
                HasSubstr("is already failed"));
    EXPECT_THAT(refusal(ErrorCode::conflict,
                        [&] {
                            store_.add_pass(run, {0, 0}, {0, series_named("s"), 0, pass_of({1})});
                        }),
                HasSubstr("is already failed"));
    store_.update_run(skeleton(run));
    EXPECT_EQ(store_.load(run).state, RunState::failed) << "facts can still be added, the state stays";
}

// ---- importing ----

TEST_F(StoreTest, ExportOfAnImportIsTheSameDocument) {
    const RunDocument document = maximal();
    const Imported imported = store_.import_document(document);
    EXPECT_EQ(imported.id, document.id);
    EXPECT_FALSE(imported.already_there);
    EXPECT_EQ(sorted_text(Store(path()).load(imported.id)), sorted_text(document));
}

TEST_F(StoreTest, ExportOfTheImportedSeedIsTheSameJson) {
    const std::string text = read_text_file(FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/run.json");
    const Imported imported = store_.import_document(document::parse(text, "seed"));
    EXPECT_EQ(imported.id, "2026-09-15_22-13-00-local-wal-full");
    EXPECT_EQ(nlohmann::json::parse(document::to_text(document::to_json(store_.load(imported.id)))),
              nlohmann::json::parse(text));
}

TEST_F(StoreTest, ImportsADocumentOnce) {
    const RunDocument document = maximal();
    store_.import_document(document);
    const Imported again = store_.import_document(document);
    EXPECT_TRUE(again.already_there);
    EXPECT_EQ(again.id, document.id);
    EXPECT_THAT(ids_of(store_.list()), ElementsAre(document.id));
}

TEST_F(StoreTest, ImportsAnotherDocumentOfTheSameIdUnderASuffixOnce) {
    const RunDocument first = maximal();
    RunDocument second = first;
    second.note = "another";
    store_.import_document(first);
    EXPECT_EQ(store_.import_document(second).id, first.id + "-2");

    EXPECT_TRUE(store_.import_document(second).already_there);
    EXPECT_EQ(store_.import_document(second).id, first.id + "-2");
    const RunDocument exported = store_.load(first.id + "-2");
    EXPECT_TRUE(store_.import_document(exported).already_there) << "its export comes back under the suffixed id";
    EXPECT_EQ(store_.import_document(exported).id, first.id + "-2");
    EXPECT_EQ(store_.list().runs.size(), 2u);

    const TemporaryFolder elsewhere;
    Store other(elsewhere.path());
    other.import_document(second);
    EXPECT_EQ(other.import_document(exported).id, second.id) << "where the same content has the id without the suffix";
}

TEST_F(StoreTest, ImportsTheExportOfAMeasuredRunOnce) {
    const std::string run = store_.begin_run(skeleton());
    store_.add_pass(run, {0, 0}, {0, series_named("s"), 0, pass_of({1.5})});
    store_.finish_run(run, RunState::completed, std::nullopt, std::nullopt);
    EXPECT_TRUE(store_.import_document(store_.load(run)).already_there);
    EXPECT_TRUE(store_.import_document(store_.load(run)).already_there);
}

TEST_F(StoreTest, TakesTheSameContentUnderAnotherNameForAnotherRun) {
    RunDocument document = maximal();
    for (const char* id : {"run-1", "run-2", "other"}) {
        document.id = id;
        EXPECT_EQ(store_.import_document(document).id, id);
    }
}

TEST_F(StoreTest, NeverGivesARunTheNameOfTheNewest) {
    RunDocument document = maximal();
    document.id = "latest";
    EXPECT_EQ(store_.import_document(document).id, "latest-2");
    EXPECT_TRUE(store_.import_document(document).already_there);
}

TEST_F(StoreTest, SaysThatItIsEmpty) {
    for (const char* text : {"latest", "x"}) {
        EXPECT_THAT(refusal(ErrorCode::not_found, [&] { (void)store_.resolve(text); }),
                    HasSubstr("there are no runs in " + path().string() + " yet"));
    }
    EXPECT_THAT(store_.list().runs, IsEmpty());
}

// ---- removing, sizes ----

TEST_F(StoreTest, HoldsAFullRunInLessThanAMebibyteAndGivesTheSpaceBack) {
    // The database closed is the measure: open, a log lies beside it.
    const auto size = [&] { return std::filesystem::file_size(path() / "foxbench.db"); };
    { Store closed = std::move(store_); }
    const auto empty = size();
    for (const double step_us : {20.0, 0.1}) {
        const RunDocument document = full_preset_run(step_us);
        Store(path()).import_document(document);
        EXPECT_LT(size(), 1u << 20) << "with a step of " << step_us << " us";
        RecordProperty("database_bytes_at_step_" + std::to_string(step_us), std::to_string(size()));
        EXPECT_EQ(sorted_text(Store(path()).load(document.id)), sorted_text(document));
        Store(path()).remove(document.id);
        EXPECT_LE(size(), empty + 16 * 1024);
    }
    EXPECT_THAT(Store(path()).list().runs, IsEmpty());
}

TEST_F(StoreTest, RemovesNoRunThatIsBeingMeasured) {
    const std::string run = store_.begin_run(skeleton());
    EXPECT_THAT(refusal(ErrorCode::conflict, [&] { store_.remove(run); }), HasSubstr("is being measured by process"));
    store_.finish_run(run, RunState::cancelled, "cancelled", std::nullopt);
    store_.remove(run);
    EXPECT_THAT(store_.list().runs, IsEmpty());
}

// ---- opening ----

TEST(StoreOpening, ForReadingMakesNothing) {
    const TemporaryFolder folder;
    const auto missing = folder.path() / "results";
    try {
        Store store(missing, Store::Mode::existing);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_found);
        EXPECT_THAT(error.what(), HasSubstr("there is no store in " + missing.string()));
    }
    EXPECT_FALSE(std::filesystem::exists(missing));
}

TEST(StoreOpening, MakesTheFolder) {
    const TemporaryFolder folder;
    Store store(folder.path() / "a" / "b");
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "a" / "b" / "foxbench.db"));
    Store reader(folder.path() / "a" / "b", Store::Mode::existing);
    EXPECT_THAT(reader.list().runs, IsEmpty());
}

TEST(StoreOpening, WhereNoFolderCanBeSaysSo) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "file") << "x";
    for (const auto& path :
         {folder.path() / "file", folder.path() / "file" / "results", std::filesystem::path("/proc/results")}) {
        try {
            Store store(path);
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::environment);
            EXPECT_THAT(error.what(), HasSubstr(path.string())) << "and what to do";
        }
    }
}

}  // namespace
}  // namespace foxbench::store
