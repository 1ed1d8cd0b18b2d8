#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// A pass's latencies as bytes, without loss. Callable from any thread.
///
/// A blob is one zstd frame with a checksum. Inside, little-endian:
///
///     u8 encoding    1: whole multiples of a unit; 2: doubles as they are
///     u8 width       bytes of one value, 1 to 8
///     u64 count      how many values
///     u64 unit       of encoding 1, in nanoseconds: the greatest common divisor of all values; else 0
///     width planes of count bytes: the lowest byte of every value, then the next one, ...
///
/// A clock with a step of 20 us makes every latency a multiple of 20,000 ns, which leaves numbers of one byte; planes
/// keep what is left of larger ones apart from their mostly constant upper bytes. Latencies have three decimals at
/// most, which makes them whole nanoseconds; a value that is not (or not the double nearest to one) puts its whole pass
/// into encoding 2.
namespace foxbench::store {

/// Throws foxbench::Error (internal) where compressing fails.
[[nodiscard]] std::string encode_samples(std::span<const double> latencies_us);

/// The same doubles again, bit for bit (-0.0 included). Throws foxbench::Error (environment) for a damaged blob.
[[nodiscard]] std::vector<double> decode_samples(std::string_view blob);

}  // namespace foxbench::store
