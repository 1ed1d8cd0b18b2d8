#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace foxbench::host {

/// A SHA-256 that is fed in pieces. Not thread-safe; different objects may be used from different threads.
class Sha256 {
public:
    /// Throws foxbench::Error (internal) when OpenSSL cannot give a digest.
    Sha256();

    Sha256& update(std::string_view bytes);
    /// Feeds the whole content of a file. Throws foxbench::Error (environment) naming the file when it cannot be read.
    Sha256& update_file(const std::filesystem::path& file);
    /// The digest as 64 lower-case hexadecimal digits. Call it once.
    [[nodiscard]] std::string hex();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const noexcept;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// The SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace foxbench::host
