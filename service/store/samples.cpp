#include "service/store/samples.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "service/error.hpp"
#include "service/store/zstd.hpp"

namespace foxbench::store {
namespace {

enum class Encoding : std::uint8_t { multiples = 1, doubles = 2 };

constexpr std::size_t kHeaderBytes = 1 + 1 + 8 + 8;
/// Far above the calls that a pass may have; bounds what a damaged blob can make us allocate.
constexpr std::size_t kMaxCount = 10'000'000;
constexpr std::uint64_t kMaxNanoseconds = std::uint64_t{1} << 53;  // above it doubles no longer tell them apart

/// The latency in nanoseconds, if it is exactly what so many nanoseconds give when they are read again.
std::optional<std::uint64_t> whole_nanoseconds(double latency_us) {
    if (std::signbit(latency_us) || !(latency_us * 1000 < static_cast<double>(kMaxNanoseconds))) return std::nullopt;
    const auto nanoseconds = static_cast<std::uint64_t>(std::llround(latency_us * 1000));
    if (static_cast<double>(nanoseconds) / 1000 != latency_us) return std::nullopt;
    return nanoseconds;
}

void append_number(std::string& out, std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(value >> shift & 0xFF);
}

std::uint64_t number_at(std::string_view bytes, std::size_t offset) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) value |= std::uint64_t{static_cast<std::uint8_t>(bytes[offset + i])} << (8 * i);
    return value;
}

std::string pack(Encoding encoding, std::uint64_t unit, const std::vector<std::uint64_t>& values) {
    std::uint64_t bits = 0;
    for (const std::uint64_t value : values) bits |= value;
    const auto width = std::max<std::size_t>(1, (static_cast<std::size_t>(std::bit_width(bits)) + 7) / 8);

    std::string header;
    header += static_cast<char>(encoding);
    header += static_cast<char>(width);
    append_number(header, values.size());
    append_number(header, unit);

    std::vector<std::string> planes(width, std::string(values.size(), '\0'));
    for (std::size_t plane = 0; plane < width; ++plane) {
        for (std::size_t i = 0; i < values.size(); ++i)
            planes[plane][i] = static_cast<char>(values[i] >> (8 * plane) & 0xFF);
    }
    std::vector<std::string_view> parts{header};
    parts.insert(parts.end(), planes.begin(), planes.end());
    return compress(parts);
}

[[noreturn]] void fail(const std::string& why) {
    throw Error(ErrorCode::environment, "stored samples cannot be read: " + why + "; restore the store from a backup");
}

}  // namespace

std::string encode_samples(std::span<const double> latencies_us) {
    std::vector<std::uint64_t> values;
    values.reserve(latencies_us.size());
    std::uint64_t unit = 0;
    for (const double latency : latencies_us) {
        const auto nanoseconds = whole_nanoseconds(latency);
        if (!nanoseconds) break;
        unit = std::gcd(unit, *nanoseconds);
        values.push_back(*nanoseconds);
    }
    if (values.size() == latencies_us.size()) {
        unit = std::max<std::uint64_t>(unit, 1);  // all of them 0
        for (std::uint64_t& value : values) value /= unit;
        return pack(Encoding::multiples, unit, values);
    }
    values.clear();
    for (const double latency : latencies_us) values.push_back(std::bit_cast<std::uint64_t>(latency));
    return pack(Encoding::doubles, 0, values);
}

std::vector<double> decode_samples(std::string_view blob) {
    std::string bytes;
    try {
        bytes = decompress(blob, kHeaderBytes + 8 * kMaxCount);
    } catch (const Error& error) {
        fail(error.what());
    }
    if (bytes.size() < kHeaderBytes) fail("their header is cut short");
    const auto encoding = static_cast<Encoding>(bytes[0]);
    const auto width = static_cast<std::size_t>(bytes[1]);
    const std::uint64_t count = number_at(bytes, 2);
    const std::uint64_t unit = number_at(bytes, 10);
    if (encoding != Encoding::multiples && encoding != Encoding::doubles) {
        fail("their encoding " + std::to_string(bytes[0]) + " is unknown (a newer foxbench may have written them)");
    }
    if (width < 1 || width > 8 || count > kMaxCount || bytes.size() != kHeaderBytes + width * count)
        fail("their sizes contradict each other");

    std::vector<std::uint64_t> values(count, 0);
    for (std::size_t plane = 0; plane < width; ++plane) {
        const char* bytes_of_plane = bytes.data() + kHeaderBytes + plane * count;
        for (std::size_t i = 0; i < count; ++i) {
            values[i] |= std::uint64_t{static_cast<std::uint8_t>(bytes_of_plane[i])} << (8 * plane);
        }
    }
    std::vector<double> latencies;
    latencies.reserve(count);
    for (const std::uint64_t value : values) {
        latencies.push_back(encoding == Encoding::doubles ? std::bit_cast<double>(value)
                                                          : static_cast<double>(value * unit) / 1000);
    }
    return latencies;
}

}  // namespace foxbench::store
