#include "service/notify/test_receiver.hpp"

#include <atomic>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include "bidi/task.hpp"

namespace foxbench::notify::testing_support {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using asio::ip::tcp;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

template <class T, void (*kFree)(T*)>
struct Freed {
    void operator()(T* object) const noexcept { kFree(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using X509Pointer = std::unique_ptr<X509, Freed<X509, X509_free>>;

std::filesystem::path unique_file(const std::string& extension) {
    static std::atomic<int> count = 0;
    return std::filesystem::temp_directory_path() /
           ("foxbench-notify-test-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + extension);
}

template <class Write>
void write_pem(const std::filesystem::path& path, Write write) {
    std::FILE* file = std::fopen(path.c_str(), "we");
    if (!file) throw std::runtime_error("cannot write " + path.string());
    const bool written = write(file) == 1;
    if (std::fclose(file) != 0 || !written) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

Certificate::Certificate(const std::string& name) : certificate_(unique_file(".pem")), key_(unique_file(".key")) {
    const Key key(EVP_EC_gen("P-256"));
    const X509Pointer certificate(X509_new());
    X509_set_version(certificate.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3'600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3'600);
    X509_set_pubkey(certificate.get(), key.get());
    auto* subject = X509_get_subject_name(certificate.get());
    const auto* text = reinterpret_cast<const unsigned char*>(name.c_str());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, text, -1, -1, 0);
    X509_set_issuer_name(certificate.get(), subject);
    const bool address = name.find_first_not_of("0123456789.:") == std::string::npos;
    const auto alternative = (address ? "IP:" : "DNS:") + name;
    X509V3_CTX context{};
    X509V3_set_ctx(&context, certificate.get(), certificate.get(), nullptr, nullptr, 0);
    for (const auto& [kind, value] :
         {std::pair(NID_subject_alt_name, alternative.c_str()), std::pair(NID_basic_constraints, "critical,CA:TRUE")}) {
        auto* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
        X509_add_ext(certificate.get(), extension, -1);
        X509_EXTENSION_free(extension);
    }
    if (X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0) throw std::runtime_error("cannot sign");
    write_pem(certificate_, [&](std::FILE* file) { return PEM_write_X509(file, certificate.get()); });
    write_pem(key_, [&](std::FILE* file) {
        return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
}

Certificate::~Certificate() {
    std::error_code ignored;
    std::filesystem::remove(certificate_, ignored);
    std::filesystem::remove(key_, ignored);
}

struct Receiver::State {
    State(const asio::any_io_executor& executor, Answer given, const ReceiverOptions& options)
        : acceptor(executor, {asio::ip::address_v4::loopback(), 0}), answer(std::move(given)) {
        if (!options.certificate) return;
        context.emplace(ssl::context::tls_server);
        context->use_certificate_chain_file(options.certificate->certificate_file().string());
        context->use_private_key_file(options.certificate->key_file().string(), ssl::context::pem);
        if (options.old_tls) {
            SSL_CTX_set_cipher_list(context->native_handle(), "ALL:@SECLEVEL=0");
            SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_VERSION);
            SSL_CTX_set_max_proto_version(context->native_handle(), TLS1_1_VERSION);
        }
    }

    tcp::acceptor acceptor;
    Answer answer;
    std::optional<ssl::context> context;
    std::vector<Received> received;
    std::set<beast::tcp_stream*> streams;

    static bidi::Task<> accept(std::shared_ptr<State> self) {
        for (;;) {
            auto [error, socket] = co_await self->acceptor.async_accept(kAwait);
            if (error) co_return;
            asio::co_spawn(self->acceptor.get_executor(), serve(self, std::move(socket)), asio::detached);
        }
    }

    static bidi::Task<> serve(std::shared_ptr<State> self, tcp::socket socket) {
        beast::tcp_stream transport(std::move(socket));
        if (!self->context) {
            co_await exchange(self, transport);
            co_return;
        }
        ssl::stream<beast::tcp_stream> stream(std::move(transport), *self->context);
        const auto [error] = co_await stream.async_handshake(ssl::stream_base::server, kAwait);
        if (!error) co_await exchange(self, stream);
    }

    template <class Stream>
    static bidi::Task<> exchange(std::shared_ptr<State> self, Stream& stream) {
        self->streams.insert(&beast::get_lowest_layer(stream));
        beast::flat_buffer buffer;
        http::request<http::string_body> request;
        const auto [error, size] = co_await http::async_read(stream, buffer, request, kAwait);
        if (!error) {
            const auto reply = self->answer(self->keep(request));
            if (reply.silent) {
                // Until the other side goes away.
                co_await http::async_read(stream, buffer, request, kAwait);
            } else {
                http::response<http::string_body> response(http::int_to_status(reply.status), 11);
                response.result(reply.status);
                if (!reply.location.empty()) response.set(http::field::location, reply.location);
                response.body() = std::string(reply.body_bytes, 'x');
                response.prepare_payload();
                co_await http::async_write(stream, response, kAwait);
            }
        }
        self->streams.erase(&beast::get_lowest_layer(stream));
    }

    const Received& keep(const http::request<http::string_body>& request) {
        auto& kept = received.emplace_back();
        kept.method = std::string(request.method_string());
        kept.target = std::string(request.target());
        kept.body = request.body();
        for (const auto& field : request) {
            std::string name(field.name_string());
            for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            kept.headers[name] = std::string(field.value());
        }
        return kept;
    }
};

Receiver::Receiver(const asio::any_io_executor& executor, Answer answer, ReceiverOptions options)
    : state_(std::make_shared<State>(executor, std::move(answer), options)) {
    asio::co_spawn(executor, State::accept(state_), asio::detached);
}

Receiver::~Receiver() {
    boost::system::error_code ignored;
    state_->acceptor.close(ignored);
    for (auto* stream : state_->streams) stream->close();
}

std::uint16_t Receiver::port() const {
    return state_->acceptor.local_endpoint().port();
}

std::string Receiver::url(const std::string& host) const {
    return (state_->context ? "https://" : "http://") + host + ':' + std::to_string(port()) + "/hook?a=1";
}

const std::vector<Received>& Receiver::received() const {
    return state_->received;
}

}  // namespace foxbench::notify::testing_support
