// Sizes, durations and counts as people write them: what is taken is in its range and can be written and read again.
#include <string>

#include "service/error.hpp"
#include "service/text/words.hpp"
#include "tests/fuzz/target.hpp"

using foxbench::fuzz::require;
using foxbench::fuzz::text_of;
using namespace foxbench::text;

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 53;

/// What `read` makes of the word; nothing where it refuses it.
template <class Read>
std::int64_t quantity(Read read, std::string_view word) {
    try {
        const auto value = read(word);
        require(value >= 0 && value <= kMost, "a quantity is neither negative nor beyond 2^53");
        return value;
    } catch (const foxbench::Error& refused) {
        require(refused.code() == foxbench::ErrorCode::usage, "a refusal is a usage error");
        return -1;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto word = text_of(data, size);
    const auto bytes = quantity(parse_size, word);
    if (bytes >= 0) require(parse_size(format_size(bytes)) == bytes, "a size that was written reads as the same");
    (void)quantity([](std::string_view text) { return parse_duration(text).count(); }, word);
    const auto count = quantity(parse_count, word);
    if (count >= 0) {
        require(bytes == count, "a count is a size in bytes");
        require(parse_count(std::to_string(count)) == count, "a count that was written reads as the same");
    }
    const auto parts = split_list(word);
    for (const auto& part : parts) require(part.find(',') == std::string::npos, "a part of a list has no comma");
    if (size < 100) (void)suggestion(word, parts);  // its cost goes with both lengths
    return 0;
}
