#include "service/log/log.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include "service/document/utc_time.hpp"
#include "service/error.hpp"

namespace foxbench::log {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class Log : public ::testing::Test {
protected:
    void use(Format format, Level level = Level::info) {
        set_up({format, level}, std::make_shared<spdlog::sinks::ostream_sink_mt>(out_));
    }

    /// What was logged since the last call.
    std::string taken() {
        auto text = out_.str();
        out_.str("");
        return text;
    }

    Json taken_json() {
        const auto line = taken();
        EXPECT_THAT(line, EndsWith("\n"));
        EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
        return Json::parse(line);
    }

    void TearDown() override { set_up({}); }

private:
    std::ostringstream out_;
};

TEST_F(Log, JsonLinesHaveTheFieldsAsMembers) {
    use(Format::json);
    event(Level::warn, "run.finished", "the run has ended", {{"run", "2026-a"}, {"seconds", 12.5}, {"passes", 3}});
    const auto line = taken_json();
    EXPECT_TRUE(document::utc_milliseconds(line["time"].get<std::string>()));
    EXPECT_THAT(line["time"].get<std::string>(), ::testing::MatchesRegex(".*:..\\....Z"));
    EXPECT_EQ(line["level"], "warn");
    EXPECT_EQ(line["event"], "run.finished");
    EXPECT_EQ(line["message"], "the run has ended");
    EXPECT_EQ(line["run"], "2026-a");
    EXPECT_EQ(line["seconds"], 12.5);
    EXPECT_EQ(line["passes"], 3);
}

TEST_F(Log, AFieldCannotTakeTheLinesOwnMembers) {
    use(Format::json);
    info("x", "real", {{"message", "forged"}, {"level", "none"}});
    const auto line = taken_json();
    EXPECT_EQ(line["message"], "real");
    EXPECT_EQ(line["message_"], "forged");
    EXPECT_EQ(line["level"], "info");
}

TEST_F(Log, OneEventIsOneLineWhateverIsInIt) {
    // LF, CR, ESC, NUL, DEL, NEL (U+0085), LINE SEPARATOR (U+2028), and a byte that is no UTF-8.
    const std::string nasty = std::string("a\nb\rc\x1b[31md") + '\0' +
                              "e\x7f"
                              "f\xc2\x85g\xe2\x80\xa8h\xffi";
    for (const auto format : {Format::json, Format::human}) {
        use(format);
        info("x", nasty, {{"field", nasty}});
        spdlog::info("{}", nasty);
        const auto text = taken();
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
        for (const char c : text)
            EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)) << text;
        EXPECT_EQ(text.find("\xc2\x85"), std::string::npos);
        EXPECT_EQ(text.find("\xe2\x80\xa8"), std::string::npos);
        EXPECT_THAT(text, HasSubstr("a\\nb"));
        EXPECT_THAT(text, HasSubstr("g\\u2028h"));
    }
}

TEST_F(Log, ControlsSurviveInJson) {
    use(Format::json);
    info("x", "a\nb\x7f\xc2\x85\xe2\x80\xa9");
    EXPECT_EQ(taken_json()["message"], "a\nb\x7f\xc2\x85\xe2\x80\xa9");
}

TEST_F(Log, HumanLinesQuoteWhatIsNoPlainWord) {
    use(Format::human);
    info("run.finished", "the run has ended", {{"run", "2026-a"}, {"reason", "it crashed"}, {"label", ""}, {"n", 2}});
    EXPECT_THAT(taken(),
                EndsWith("Z info run.finished: the run has ended run=2026-a reason=\"it crashed\" label=\"\" n=2\n"));
}

TEST_F(Log, SpdlogsOwnMessagesAreEventsToo) {
    use(Format::json);
    spdlog::error("cannot read {}", "\"x\"");
    const auto line = taken_json();
    EXPECT_EQ(line["event"], "log");
    EXPECT_EQ(line["level"], "error");
    EXPECT_EQ(line["message"], "cannot read \"x\"");

    use(Format::human);
    spdlog::warn("careful");
    EXPECT_THAT(taken(), EndsWith("Z warn careful\n"));
}

TEST_F(Log, PlainTextThatLooksLikeAnEventIsText) {
    use(Format::json);
    spdlog::info(R"({"event":"run.finished","message":"forged"})");
    EXPECT_EQ(taken_json()["event"], "log");
}

TEST_F(Log, TheLevelChangesAtRunTime) {
    use(Format::human, Level::warn);
    info("x", "hidden");
    spdlog::info("hidden");
    EXPECT_EQ(taken(), "");
    set_level(Level::debug);
    EXPECT_EQ(level(), Level::debug);
    debug("x", "shown");
    spdlog::debug("shown");
    const auto text = taken();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

TEST(LogWords, AreKnownOrRefused) {
    for (const auto level : {Level::debug, Level::info, Level::warn, Level::error})
        EXPECT_EQ(level_from(to_string(level)), level);
    EXPECT_EQ(format_from("json"), Format::json);
    EXPECT_EQ(format_from("human"), Format::human);
    try {
        (void)level_from("wran");
        FAIL();
    } catch (const Error& failure) {
        EXPECT_EQ(failure.code(), ErrorCode::usage);
        EXPECT_STREQ(failure.what(), "'wran' is no log level. Did you mean 'warn'?");
    }
    EXPECT_THROW((void)format_from("xml"), Error);
}

}  // namespace
}  // namespace foxbench::log
