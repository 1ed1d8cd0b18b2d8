#include "service/notify/poster.hpp"

#include <exception>
#include <optional>

#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/notify/test_receiver.hpp"

namespace foxbench::notify {
namespace {

namespace asio = boost::asio;
using ::testing::HasSubstr;
using testing_support::Certificate;
using testing_support::Received;
using testing_support::Receiver;
using testing_support::ReceiverOptions;
using testing_support::Reply;
using namespace std::chrono_literals;

class PosterTest : public ::testing::Test {
protected:
    Attempt post(const std::string& url, PosterOptions options = {}) {
        const Poster poster(std::move(options));
        std::optional<Attempt> result;
        std::exception_ptr failure;
        asio::co_spawn(loop_, poster.post(url, {{"X-Foxbench-Event", "run.finished"}}, R"({"a":1})"),
                       [&](std::exception_ptr error, Attempt attempt) {
                           failure = error;
                           result = std::move(attempt);
                       });
        while (!result && loop_.run_one() > 0) {
        }
        if (failure) std::rethrow_exception(failure);
        return result.value();
    }

    static Receiver::Answer always(Reply reply) {
        return [reply](const Received&) { return reply; };
    }

    asio::io_context loop_;
};

TEST_F(PosterTest, SendsTheBodyAndTheHeaders) {
    const Receiver receiver(loop_.get_executor(), always({}));
    const auto attempt = post(receiver.url());
    EXPECT_TRUE(attempt.delivered()) << attempt.error;
    EXPECT_EQ(attempt.status, 204);
    ASSERT_EQ(receiver.received().size(), 1U);
    const auto& received = receiver.received().front();
    EXPECT_EQ(received.method, "POST");
    EXPECT_EQ(received.target, "/hook?a=1");
    EXPECT_EQ(received.body, R"({"a":1})");
    EXPECT_EQ(received.headers.at("content-type"), "application/json");
    EXPECT_EQ(received.headers.at("content-length"), "7");
    EXPECT_EQ(received.headers.at("host"), "127.0.0.1:" + std::to_string(receiver.port()));
    EXPECT_EQ(received.headers.at("x-foxbench-event"), "run.finished");
}

TEST_F(PosterTest, OnlyAStatusOf2xxIsDelivered) {
    unsigned status = 200;
    const Receiver receiver(loop_.get_executor(), [&](const Received&) {
        return Reply{status, {}, status == 204 || status == 205 ? 0U : 5U, false};
    });
    for (status = 200; status <= 206; ++status) EXPECT_TRUE(post(receiver.url()).delivered()) << status;
    for (const unsigned refused : {301U, 400U, 410U, 429U, 500U, 503U}) {
        status = refused;
        const auto attempt = post(receiver.url());
        EXPECT_FALSE(attempt.delivered()) << refused;
        EXPECT_EQ(attempt.status, static_cast<int>(refused));
        EXPECT_THAT(attempt.error, HasSubstr("answered " + std::to_string(refused)));
    }
}

TEST_F(PosterTest, RedirectsAreNotFollowed) {
    const Receiver other(loop_.get_executor(), always({}));
    const Receiver receiver(loop_.get_executor(), always({307, other.url(), 0, false}));
    EXPECT_THAT(post(receiver.url()).error, HasSubstr("answered 307; redirects are not followed"));
    EXPECT_TRUE(other.received().empty());
}

TEST_F(PosterTest, ALargeAnswerIsNotReadToItsEnd) {
    const Receiver receiver(loop_.get_executor(), always({200, {}, std::size_t{32} * 1024 * 1024, false}));
    EXPECT_TRUE(post(receiver.url()).delivered());
}

TEST_F(PosterTest, AReceiverThatDoesNotAnswerIsLeftAtTheDeadline) {
    const Receiver receiver(loop_.get_executor(), always({204, {}, 0, true}));
    PosterOptions options;
    options.deadline = 100ms;
    const auto attempt = post(receiver.url(), options);
    EXPECT_FALSE(attempt.delivered());
    EXPECT_EQ(attempt.status, std::nullopt);
    EXPECT_THAT(attempt.error, HasSubstr("nothing within 100 ms"));
}

TEST_F(PosterTest, NobodyListens) {
    std::string url;
    {
        const Receiver gone(loop_.get_executor(), always({}));
        url = gone.url();
    }
    EXPECT_THAT(post(url).error, HasSubstr("Connection refused"));
}

TEST_F(PosterTest, WhatIsNoUrlIsAFailedAttempt) {
    EXPECT_THAT(post("file:///etc/passwd").error, HasSubstr("it has to begin with http:// or https://"));
}

TEST_F(PosterTest, ACertificateThatNobodyTrustsIsRefused) {
    const Certificate certificate("127.0.0.1");
    const Receiver receiver(loop_.get_executor(), always({}), {&certificate});
    const auto attempt = post(receiver.url());
    EXPECT_THAT(attempt.error, HasSubstr("is refused: self-signed certificate"));
    EXPECT_TRUE(receiver.received().empty());
}

TEST_F(PosterTest, ACertificateFromTheGivenFileIsTrusted) {
    for (const char* host : {"127.0.0.1", "localhost"}) {
        const Certificate certificate(host);
        const Receiver receiver(loop_.get_executor(), always({}), {&certificate});
        PosterOptions options;
        options.ca_file = certificate.certificate_file();
        const auto attempt = post(receiver.url(host), options);
        EXPECT_TRUE(attempt.delivered()) << attempt.error;
        EXPECT_EQ(receiver.received().size(), 1U);
    }
}

TEST_F(PosterTest, ATrustedCertificateForAnotherHostIsRefused) {
    for (const char* name : {"lab-3.example", "127.0.0.2"}) {
        const Certificate certificate(name);
        const Receiver receiver(loop_.get_executor(), always({}), {&certificate});
        PosterOptions options;
        options.ca_file = certificate.certificate_file();
        EXPECT_THAT(post(receiver.url("localhost"), options).error, HasSubstr("hostname mismatch"));
        EXPECT_THAT(post(receiver.url("127.0.0.1"), options).error, HasSubstr("IP address mismatch"));
        EXPECT_TRUE(receiver.received().empty());
    }
}

TEST_F(PosterTest, TlsOlderThan12IsRefused) {
    const Certificate certificate("127.0.0.1");
    const Receiver receiver(loop_.get_executor(), always({}), {&certificate, true});
    PosterOptions options;
    options.ca_file = certificate.certificate_file();
    EXPECT_THAT(post(receiver.url(), options).error, HasSubstr("no TLS with"));
    EXPECT_TRUE(receiver.received().empty());
}

TEST_F(PosterTest, CertificatesThatCannotBeReadAreSaidSo) {
    PosterOptions options;
    options.ca_file = "/nowhere/ca.pem";
    EXPECT_THAT(post("https://127.0.0.1:9/", options).error, HasSubstr("/nowhere/ca.pem"));
}

}  // namespace
}  // namespace foxbench::notify
