#include "service/document/run_document.hpp"

#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include <gmock/gmock.h>

#include "service/document/content.hpp"
#include "service/document/json_text.hpp"
#include "service/document/sample_documents.hpp"
#include "service/error.hpp"

namespace foxbench::document {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Equality of JSON values is not about the order of members.
nlohmann::json unordered(const Json& json) {
    return nlohmann::json::parse(to_text(json));
}

std::string seed_text() {
    std::ifstream file(FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/run.json", std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

const Json& maximal() {
    static const Json json = parse_json(maximal_document_text(), "maximal");
    return json;
}

/// Why the maximal document is refused after `change`.
std::string refusal(const std::function<void(Json&)>& change, ErrorCode code = ErrorCode::usage) {
    Json json = maximal();
    change(json);
    try {
        (void)from_json(json);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code);
        return error.what();
    }
    return "";
}

/// The same for one member, given by its pointer, with another value.
std::string refusal_of(const char* pointer, const Json& value) {
    return refusal([&](Json& json) { json[Json::json_pointer(pointer)] = value; });
}

std::string refusal_without(const char* parent, const char* member) {
    return refusal([&](Json& json) { json[Json::json_pointer(parent)].erase(member); });
}

TEST(RunDocument, OfTheSeedIsTheSameAfterReadingAndWriting) {
    const std::string text = seed_text();
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(unordered(to_json(parse(text, "seed"))), nlohmann::json::parse(text));
}

TEST(RunDocument, WithEverythingIsTheSameAfterReadingAndWriting) {
    const RunDocument document = parse(maximal_document_text(), "maximal");
    const Json written = to_json(document);
    EXPECT_EQ(unordered(written), unordered(maximal()));
    EXPECT_EQ(to_json(from_json(written)), written);
}

TEST(RunDocument, HasWhatWasRead) {
    const RunDocument document = parse(maximal_document_text(), "maximal");
    EXPECT_EQ(document.state, RunState::partial);
    EXPECT_EQ(document.reason, "the browser crashed");
    EXPECT_EQ(document.host->memory_bytes, 65e9);
    ASSERT_EQ(document.targets.size(), 2u);
    EXPECT_EQ(document.targets[0].browser.local_build, true);
    EXPECT_EQ(document.targets[1].note, std::nullopt);
    const Launch& launch = document.targets[0].launches.at(0);
    EXPECT_EQ(launch.environment->storage_quota_bytes, 10737418240.0);
    const Series& series = launch.series.at(0);
    EXPECT_EQ(series.bytes_total, 12288);
    EXPECT_EQ(series.warmup->latencies_us, (std::vector<double>{120, 40.1, 0.001}));
    ASSERT_EQ(series.passes.size(), 2u);
    EXPECT_EQ(series.passes[0].started_at_ms, 1789535582010.1);
    EXPECT_EQ(series.passes[1].started_at_ms, std::nullopt);
    EXPECT_EQ(launch.series.at(1).bytes_per_call, std::nullopt);
    EXPECT_EQ(document.targets[1].launches.at(0).series.at(0).summary->first_max_us, 140.0);
}

TEST(RunDocument, WithNoMoreThanItNeedsWritesNoMore) {
    RunDocument document;
    document.id = "a";
    document.workload = "w";
    document.targets.push_back({});
    document.targets[0].name = "t";
    document.targets[0].browser.version = "1";
    document.targets[0].launches.push_back({});
    document.targets[0].launches[0].series.push_back({});
    document.targets[0].launches[0].series[0].name = "s";
    EXPECT_EQ(
        to_text(to_json(document)),
        R"({"format":"foxbench-run","version":1,"id":"a","workload":"w","state":"completed","config":{},"targets":[)"
        R"({"name":"t","browser":{"name":"Firefox","version":"1"},"launches":[{"series":[)"
        R"({"name":"s","table":"per-call","bytes_per_call":null,"bytes_total":null,"passes":[]}]}]}]})");
}

TEST(RunDocument, KeepsAbsentByteCountsAndFiguresAbsent) {
    Json json = maximal();
    json["/targets/0/launches/0/series/0"_json_pointer].erase("bytes_total");
    json["/targets/1/launches/0/series/0/summary"_json_pointer].erase("calls");
    EXPECT_EQ(unordered(to_json(from_json(json))), unordered(json));
}

TEST(RunDocument, ATypedMemberWinsOverWhatWasKeptUnderItsName) {
    RunDocument document = parse(maximal_document_text(), "maximal");
    document.targets[1].note = "now there is one";  // was an explicit null
    EXPECT_EQ(to_json(document)["targets"][1]["note"], "now there is one");
    EXPECT_EQ(unordered(to_json(document))["targets"][1].size(), 4u);
}

TEST(RunDocument, TakesWholeNumbersWithAFraction) {
    Json json = maximal();
    json["/targets/0/launches/0/series/0/bytes_total"_json_pointer] = 12288.0;
    EXPECT_EQ(from_json(json).targets[0].launches[0].series[0].bytes_total, 12288);
    EXPECT_THAT(refusal_of("/targets/0/launches/0/series/0/bytes_total", 0.5),
                HasSubstr("/bytes_total: expected a whole number"));
}

TEST(RunDocument, RefusesWithThePointerOfTheFault) {
    EXPECT_EQ(refusal_of("/targets/0/browser/version", 158), "/targets/0/browser/version: expected a string");
    EXPECT_EQ(refusal_of("/targets/0/browser", "x"), "/targets/0/browser: expected an object");
    EXPECT_EQ(refusal_of("/targets/0/name", ""), "/targets/0/name: expected a string that is not empty");
    EXPECT_EQ(refusal_of("/targets", Json::object()), "/targets: expected an array");
    EXPECT_EQ(refusal_of("/targets/1/launches/0", 1), "/targets/1/launches/0: expected an object");
    EXPECT_EQ(refusal_of("/host/threads", -1), "/host/threads: expected a number that is not negative");
    EXPECT_EQ(refusal_of("/config/chunks/1", "1MiB"), "/config/chunks/1: expected a number");
    EXPECT_EQ(refusal_of("/config/cases/0", 1), "/config/cases/0: expected a string");
    EXPECT_EQ(refusal_of("/config", nullptr), "/config: missing; expected an object");
    EXPECT_EQ(refusal_of("/trigger", "cli"), "/trigger: expected an object");
    EXPECT_EQ(refusal_of("/targets/0/launches/0/environment/cross_origin_isolated", 1),
              "/targets/0/launches/0/environment/cross_origin_isolated: expected true or false");
    EXPECT_EQ(refusal_of("/targets/0/launches/0/series/0/table", "per-day"),
              "/targets/0/launches/0/series/0/table: expected \"per-call\" or \"per-file\"");
    EXPECT_EQ(refusal_of("/targets/0/launches/0/series/0/passes/1/latencies_us/2", "x"),
              "/targets/0/launches/0/series/0/passes/1/latencies_us/2: expected a number");
    EXPECT_EQ(refusal_of("/targets/0/launches/0/series/0/passes/1/latencies_us/2", -0.5),
              "/targets/0/launches/0/series/0/passes/1/latencies_us/2: expected a number that is not negative");
    EXPECT_EQ(refusal_of("/targets/0/launches/0/series/0/warmup/latencies_us", Json::array()),
              "/targets/0/launches/0/series/0/warmup/latencies_us: a pass has at least one call");
    EXPECT_EQ(refusal_without("/targets/0", "launches"), "/targets/0/launches: missing; expected an array");
    EXPECT_THAT(refusal_without("/targets/0/launches/0/series/0", "passes"),
                StartsWith("/targets/0/launches/0/series/0/passes: missing"));
    EXPECT_THAT(refusal_of("/state", "finished"),
                StartsWith("/state: unknown state \"finished\"; the states are queued, running, completed"));
    EXPECT_THAT(refusal_of("/id", "../../etc/passwd"), StartsWith("/id: expected a run id"));
}

TEST(RunDocument, RefusesAbsurdNumbers) {
    EXPECT_THAT(refusal_of("/targets/0/launches/0/series/0/bytes_total", 1e300), HasSubstr("too large"));
    EXPECT_THAT(refusal_of("/targets/0/launches/0/series/0/passes/0/total_ms", 1e17), HasSubstr("too large"));
    EXPECT_THAT(refusal_of("/targets/0/launches/0/series/0/passes/0/latencies_us/0", 1e17), HasSubstr("too large"));
    EXPECT_THAT(refusal_of("/targets/0/launches/0/series/0/bytes_total", std::numeric_limits<double>::quiet_NaN()),
                HasSubstr("too large"));
    EXPECT_THAT(refusal_of("/host/threads", std::numeric_limits<std::uint64_t>::max()), HasSubstr("too large"));
}

TEST(RunDocument, RefusesMoreCallsThanAPassCanHave) {
    EXPECT_THAT(
        refusal_of("/targets/0/launches/0/series/0/passes/0/latencies_us", Json(Json::array_t(2'000'001, Json(1)))),
        HasSubstr("more than 2000000 calls"));
}

TEST(RunDocument, RefusesNamesThatStandTwice) {
    EXPECT_EQ(refusal_of("/targets/1/name", "wal-full"), "/targets/1/name: \"wal-full\" is there twice in this list");
    EXPECT_THAT(refusal_of("/targets/0/launches/0/series/1/name", "small-append"),
                HasSubstr("/series/1/name: \"small-append\" is there twice"));
}

TEST(RunDocument, RefusesOtherFormats) {
    EXPECT_THAT(refusal_of("/format", "lighthouse"),
                StartsWith("/format: not a run document: expected \"foxbench-run\", but it is \"lighthouse\""));
    EXPECT_THAT(refusal_without("", "format"), HasSubstr("but there is none"));
    EXPECT_THAT(refusal([](Json& json) { json = Json::array(); }), StartsWith("not a run document"));
    EXPECT_THAT(refusal_without("", "version"), StartsWith("/version: missing"));
    EXPECT_THAT(refusal_of("/version", 0), StartsWith("/version: expected 1"));
}

TEST(RunDocument, RefusesANewerVersionAsUnsupported) {
    const auto newer = [](Json& json) {
        json["version"] = 2;
        json["targets"] = "something else altogether";
    };
    EXPECT_EQ(refusal(newer, ErrorCode::unsupported),
              "/version: the document has version 2, this foxbench reads up to version 1; use a newer foxbench");
}

TEST(RunDocument, FromTextNamesItsOrigin) {
    try {
        (void)parse("{}", "mine.json");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), StartsWith("mine.json: /format: "));
    }
}

/// Every value of a good document replaced by values of every other type, one at a time: refused or taken, never a
/// crash, and what is taken can be written and read again.
TEST(RunDocument, SurvivesEveryValueOfAnotherType) {
    const Json flat = maximal().flatten();
    const Json values = {nullptr, true, -1, 1e300, "", "x", Json::array(), Json::object(), Json::array({nullptr})};
    for (const auto& [pointer, original] : flat.items()) {
        std::string place = pointer;
        while (!place.empty()) {
            for (const Json& value : values) {
                Json json = maximal();
                json[Json::json_pointer(place)] = value;
                try {
                    const RunDocument document = from_json(json);
                    EXPECT_EQ(unordered(to_json(document)), unordered(json)) << place << " = " << value;
                } catch (const Error& error) {
                    EXPECT_STRNE(error.what(), "") << place;
                }
            }
            place.resize(place.rfind('/'));
        }
    }
}

TEST(RunDocument, ThatBringsAReportBringsNoTerminalSequences) {
    for (const char* steering : {"\x1b[2J", "\u009b31m", "a\x7f"}) {
        EXPECT_THAT(refusal_of("/report_markdown", steering),
                    HasSubstr("/report_markdown: expected text without control characters"));
    }
    Json json = maximal();
    json["report_markdown"] = "word\r\n\tfor word\n";
    EXPECT_EQ(from_json(json).report_markdown, "word\r\n\tfor word\n");
}

TEST(Content, IsTheSameWhateverTheIdTheOrderAndTheWayNumbersAreWritten) {
    RunDocument a = parse(maximal_document_text(), "a");
    Json json = Json::parse(unordered(maximal()).dump());  // members sorted
    json["id"] = "another";
    json["from the future"]["deep"][0]["er"][2] = 0.001;
    json["config"]["files"] = 2.0;
    const RunDocument b = from_json(json);
    EXPECT_TRUE(content_equal(a, b));
    a.targets[0].launches[0].series[0].passes[0].latencies_us[1] += 0.001;
    EXPECT_FALSE(content_equal(a, b));
}

}  // namespace
}  // namespace foxbench::document
