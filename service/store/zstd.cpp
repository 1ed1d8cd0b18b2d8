#include "service/store/zstd.hpp"

#include <algorithm>
#include <memory>

#include <zstd.h>

#include "service/error.hpp"

namespace foxbench::store {
namespace {

struct FreeCompressor {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

std::size_t checked(std::size_t result) {
    if (ZSTD_isError(result) != 0) {
        throw Error(ErrorCode::internal, std::string("compressing failed: ") + ZSTD_getErrorName(result));
    }
    return result;
}

}  // namespace

std::string compress(std::span<const std::string_view> parts) {
    std::size_t size = 0;
    for (const std::string_view part : parts) size += part.size();

    const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
    if (!context) throw Error(ErrorCode::internal, "compressing failed: out of memory");
    checked(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel));
    checked(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1));
    checked(ZSTD_CCtx_setPledgedSrcSize(context.get(), size));

    constexpr std::size_t kBlockHeaders =
        64;  // of the blocks that a part's end cuts short, beyond what the bound allows for
    std::string frame(ZSTD_compressBound(size) + kBlockHeaders * (parts.size() + 1), '\0');
    ZSTD_outBuffer out{frame.data(), frame.size(), 0};
    for (std::size_t i = 0; i <= parts.size(); ++i) {
        const bool last = i == parts.size();
        ZSTD_inBuffer in{last ? nullptr : parts[i].data(), last ? 0 : parts[i].size(), 0};
        const std::size_t left =
            checked(ZSTD_compressStream2(context.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_flush));
        if (left != 0) throw Error(ErrorCode::internal, "compressing failed: the output is larger than its bound");
    }
    frame.resize(out.pos);
    return frame;
}

bool is_compressed(std::string_view bytes) noexcept {
    return bytes.starts_with("\x28\xB5\x2F\xFD");
}

std::string decompress(std::string_view bytes, std::size_t max_bytes) {
    const auto fail = [](const std::string& why) {
        return Error(ErrorCode::usage, "the compressed data is damaged: " + why);
    };
    if (!is_compressed(bytes)) throw fail("it does not begin as a zstd frame");
    const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
    if (!context) throw Error(ErrorCode::internal, "decompressing failed: out of memory");

    // The claimed size is only a hint of how much to make ready at first; what comes out is what counts.
    constexpr std::size_t kFirstBuffer = std::size_t{1} << 16;
    const auto claimed = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    const bool known = claimed != ZSTD_CONTENTSIZE_UNKNOWN && claimed != ZSTD_CONTENTSIZE_ERROR;
    if (known && claimed > max_bytes) throw fail("it claims to hold more than " + std::to_string(max_bytes) + " bytes");
    std::string text(known ? static_cast<std::size_t>(claimed) + 1 : kFirstBuffer, '\0');

    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    ZSTD_outBuffer out{text.data(), text.size(), 0};
    for (std::size_t missing = 1; in.pos < in.size || missing != 0;) {
        const std::size_t in_before = in.pos;
        const std::size_t out_before = out.pos;
        missing = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(missing) != 0) throw fail(ZSTD_getErrorName(missing));
        if (out.pos > max_bytes) throw fail("it holds more than " + std::to_string(max_bytes) + " bytes");
        if (out.pos == out.size) {
            text.resize(std::min(max_bytes + 1, text.size() * 2));
            out.dst = text.data();
            out.size = text.size();
        } else if (in.pos == in_before && out.pos == out_before && missing != 0) {
            throw fail("it is cut short");
        }
    }
    text.resize(out.pos);
    return text;
}

}  // namespace foxbench::store
