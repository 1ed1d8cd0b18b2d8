#include "service/alerts/decisions.hpp"

#include <gmock/gmock.h>

#include "service/error.hpp"

namespace foxbench::alerts {
namespace {

using store::Alert;
using store::AlertChange;
using store::AlertState;
using ::testing::HasSubstr;

constexpr std::int64_t kNow = 1'788'000'000'000;

Alert confirmed() {
    Alert alert;
    alert.id = 12;
    alert.state = AlertState::confirmed;
    return alert;
}

/// What comes of several decisions in a row.
struct Story {
    Alert alert = confirmed();
    std::vector<AlertChange> trail;

    Story& then(Action action, const std::string& note = "") {
        auto decided = decide(alert, trail, action, note, "me", kNow);
        alert = decided.alert;
        trail.push_back(decided.change);
        return *this;
    }
    std::string refusal(Action action, const std::string& note = "") {
        try {
            then(action, note);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    }
};

TEST(Decisions, AreWrittenIntoTheTrailWithWhoAndWhy) {
    Story story;
    story.then(Action::expected, "WAL went in");
    ASSERT_EQ(story.trail.size(), 1u);
    const auto& change = story.trail[0];
    EXPECT_EQ(change.action, "expected");
    EXPECT_EQ(change.note, "WAL went in");
    EXPECT_EQ(change.by, "me");
    EXPECT_EQ(change.at_ms, kNow);
    EXPECT_EQ(change.before, AlertState::confirmed);
    EXPECT_EQ(change.after, AlertState::expected);
}

TEST(Decisions, AcknowledgingClosesAndUnacknowledgingOpens) {
    Story story;
    EXPECT_TRUE(store::is_open(story.alert));
    EXPECT_FALSE(store::is_open(story.then(Action::acknowledge).alert));
    EXPECT_EQ(story.alert.state, AlertState::confirmed) << "it stays what it is";
    EXPECT_TRUE(store::is_open(story.then(Action::unacknowledge).alert));
}

TEST(Decisions, CanBeTakenBack) {
    for (const auto action : {Action::expected, Action::invalid})
        EXPECT_EQ(Story().then(action).then(Action::reopen).alert.state, AlertState::confirmed);
    EXPECT_EQ(Story().then(Action::expected).then(Action::invalid).then(Action::reopen).alert.state,
              AlertState::confirmed);
    Story suspected;
    suspected.alert.state = AlertState::suspected;
    EXPECT_EQ(suspected.then(Action::invalid).then(Action::reopen).alert.state, AlertState::suspected);
}

TEST(Decisions, ThatTheStateDoesNotAllowAreRefused) {
    EXPECT_THAT(Story().refusal(Action::reopen), HasSubstr("it is confirmed"));
    EXPECT_THAT(Story().refusal(Action::unacknowledge), HasSubstr("it is not acknowledged"));
    EXPECT_THAT(Story().then(Action::acknowledge).refusal(Action::acknowledge), HasSubstr("already"));
    EXPECT_THAT(Story().then(Action::expected).refusal(Action::expected), HasSubstr("it is expected already"));
}

TEST(Decisions, RefuseTextsThatAreTooLongAndNotesWithoutText) {
    EXPECT_THAT(Story().refusal(Action::note), HasSubstr("there is no text"));
    EXPECT_THAT(Story().refusal(Action::note, std::string(kMaxAlertNoteCharacters + 1, 'x')), HasSubstr("at most"));
    EXPECT_EQ(Story().then(Action::note, "bug 1940001").alert.state, AlertState::confirmed);
}

TEST(Decisions, HaveWordsForWhichTheNearestIsNamed) {
    for (const auto action :
         {Action::acknowledge, Action::unacknowledge, Action::expected, Action::invalid, Action::reopen, Action::note})
        EXPECT_EQ(action_from(to_string(action)), action);
    try {
        (void)action_from("expect");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("Did you mean 'expected'?"));
    }
}

}  // namespace
}  // namespace foxbench::alerts
