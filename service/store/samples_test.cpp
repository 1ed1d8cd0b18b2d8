#include "service/store/samples.hpp"

#include <bit>
#include <limits>

#include <gmock/gmock.h>

#include "service/error.hpp"
#include "service/store/test_support.hpp"
#include "service/store/zstd.hpp"

namespace foxbench::store {
namespace {

void expect_lossless(const std::vector<double>& latencies) {
    const std::vector<double> back = decode_samples(encode_samples(latencies));
    ASSERT_EQ(back.size(), latencies.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(back[i]), std::bit_cast<std::uint64_t>(latencies[i])) << latencies[i];
    }
}

TEST(Samples, OfACoarseClockComeBack) {
    expect_lossless({120, 40, 40, 0, 20, 1e6});
}

TEST(Samples, WithThreeDecimalsComeBackBitForBit) {
    std::vector<double> latencies;
    for (int nanoseconds = 0; nanoseconds < 200'000; ++nanoseconds) latencies.push_back(nanoseconds / 1000.0);
    for (const char* text : {"36.228", "15958.191", "0.001", "999999999.999", "8640000000000.001"})
        latencies.push_back(std::stod(text));
    expect_lossless(latencies);
    EXPECT_LT(encode_samples(std::vector<double>(2000, 36.228)).size(), 100u);
}

TEST(Samples, OfAnyOtherKindComeBackToo) {
    expect_lossless({1.0 / 3, 40, 0.1 + 0.2});
    expect_lossless({-0.0, -1, 5e-324, 1e300, std::numeric_limits<double>::max()});
    expect_lossless({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()});
    expect_lossless({9007199254740991.0, 9007199254740.992});
}

TEST(Samples, NoneAndOnlyZeros) {
    expect_lossless({});
    expect_lossless({0, 0, 0});
}

TEST(Samples, DamagedAreNeverTakenForOthers) {
    std::mt19937 random(1);
    const std::vector<double> latencies = clocked_latencies(random, 300, 40, 0.1);
    const std::string blob = encode_samples(latencies);
    for (std::size_t i = 0; i < blob.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = blob;
            damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
            try {
                EXPECT_EQ(decode_samples(damaged), latencies)
                    << "byte " << i << ", bit " << bit;  // a bit of the frame without meaning
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::environment);
            }
        }
        EXPECT_THROW((void)decode_samples(blob.substr(0, i)), Error);
    }
    EXPECT_THROW((void)decode_samples("no frame"), Error);
}

TEST(Samples, WhoseHeaderLiesAreRefused) {
    const auto blob = [](std::string_view content) { return compress(content); };
    EXPECT_THROW((void)decode_samples(blob("")), Error);
    EXPECT_THROW((void)decode_samples(blob(std::string("\x01\x08") + std::string(8, '\xFF') + std::string(8, '\1'))),
                 Error);
    EXPECT_THROW((void)decode_samples(blob(std::string("\x01\x00", 2) + std::string(16, '\0'))), Error);
    EXPECT_THROW((void)decode_samples(blob(std::string("\x09\x01") + std::string(16, '\0'))), Error);
}

TEST(Zstd, RefusesMoreThanTheLimitWhateverTheFrameClaims) {
    const std::string bomb = compress(std::string(10'000'000, 'x'));
    EXPECT_LT(bomb.size(), 2000u);
    EXPECT_THROW((void)decompress(bomb, 9'999'999), Error);
    EXPECT_EQ(decompress(bomb, 10'000'000).size(), 10'000'000u);
    EXPECT_THROW((void)decompress(bomb + bomb, 10'000'001), Error);
    EXPECT_EQ(decompress(compress("ab") + compress("cd"), 4), "abcd");  // frames one after another, as `cat` makes them
}

}  // namespace
}  // namespace foxbench::store
