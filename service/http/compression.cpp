#include "service/http/compression.hpp"

#include <limits>
#include <memory>
#include <new>

#include <zlib.h>

#include "service/http/ascii.hpp"
#include "service/http/limits.hpp"
#include "service/http/negotiation.hpp"

namespace foxbench::http {
namespace {

/// 15 bits of window and gzip's header (zlib.h, deflateInit2).
constexpr int kGzipWindow = 15 + 16;
/// Tables of numbers shrink to a fifth at level 3, and no level makes them much smaller for five times the time.
constexpr int kLevel = 3;
constexpr int kMemory = 8;

struct EndDeflate {
    void operator()(z_stream* stream) const noexcept { deflateEnd(stream); }
};

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
    std::optional<int> gzip_weight, any_weight, identity_weight;
    for (const auto& item : weighted_items(accept_encoding)) {
        if (iequals(item.value, "gzip") || iequals(item.value, "x-gzip")) gzip_weight = item.weight;
        if (item.value == "*") any_weight = item.weight;
        if (iequals(item.value, "identity")) identity_weight = item.weight;
    }
    const int weight = gzip_weight ? *gzip_weight : any_weight.value_or(0);
    return weight > 0 && weight >= identity_weight.value_or(0);
}

bool is_compressible(std::string_view content_type, std::size_t bytes) noexcept {
    if (bytes < kMinGzipBytes || bytes > std::numeric_limits<uInt>::max()) return false;
    const auto type = content_type.substr(0, content_type.find(';'));
    return type.starts_with("text/") || type.ends_with("json") || type.ends_with("xml") || type.ends_with("javascript");
}

std::optional<std::string> gzip(std::string_view body) {
    z_stream stream{};
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    const std::unique_ptr<z_stream, EndDeflate> end(&stream);
    // No larger than the body: deflate() then runs out of room, which says that it does not pay.
    std::string packed(body.size(), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
    stream.avail_in = static_cast<uInt>(body.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return std::nullopt;
    packed.resize(stream.total_out);
    return packed;
}

}  // namespace foxbench::http
