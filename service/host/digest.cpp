#include "service/host/digest.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include "service/error.hpp"
#include "service/text/words.hpp"

namespace foxbench::host {

namespace {

/// Large enough that reading does not add to hashing, small enough for a processor's cache.
constexpr std::size_t kReadBytes = std::size_t{256} * 1024;

struct Descriptor {
    int value;
    ~Descriptor() { ::close(value); }
};

[[noreturn]] void throw_unreadable(const std::filesystem::path& file) {
    throw Error(ErrorCode::environment, "cannot read " + file.string() + ": " + std::strerror(errno));
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const noexcept {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) {
        throw Error(ErrorCode::internal, "OpenSSL gives no SHA-256");
    }
}

Sha256& Sha256::update(std::string_view bytes) {
    if (EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) != 1) {
        throw Error(ErrorCode::internal, "OpenSSL failed to hash");
    }
    return *this;
}

Sha256& Sha256::update_file(const std::filesystem::path& file) {
    const Descriptor descriptor{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (descriptor.value < 0) throw_unreadable(file);
    std::vector<char> buffer(kReadBytes);
    for (;;) {
        const ssize_t count = ::read(descriptor.value, buffer.data(), buffer.size());
        if (count == 0) return *this;
        if (count > 0) {
            update({buffer.data(), static_cast<std::size_t>(count)});
        } else if (errno != EINTR) {
            throw_unreadable(file);
        }
    }
}

std::string Sha256::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_DigestFinal_ex(context_.get(), digest.data(), &length) != 1) {
        throw Error(ErrorCode::internal, "OpenSSL failed to hash");
    }
    return text::hex({digest.data(), length});
}

std::string sha256_hex(std::string_view bytes) {
    return Sha256().update(bytes).hex();
}

}  // namespace foxbench::host
