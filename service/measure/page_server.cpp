#include "service/measure/page_server.hpp"

#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <sys/random.h>

#include "bidi/task.hpp"
#include "service/error.hpp"
#include "service/measure/page_files.hpp"
#include "service/text/words.hpp"

namespace foxbench::measure {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

/// A browser asks for a handful of short paths; anything else is not our page.
constexpr std::uint32_t kMaxHeaderBytes = 8 * 1024;
constexpr std::chrono::seconds kIdle{30};
/// After an accept that failed (out of descriptors) the loop waits rather than spins.
constexpr std::chrono::milliseconds kAcceptPause{100};

struct File {
    std::string content;
    std::string_view type;
};

std::string_view media_type(const std::filesystem::path& name) {
    const auto extension = name.extension();
    if (extension == ".html") return "text/html; charset=utf-8";
    if (extension == ".js" || extension == ".mjs") return "text/javascript; charset=utf-8";
    if (extension == ".json") return "application/json";
    if (extension == ".wasm") return "application/wasm";
    return {};
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    if (stream) text << stream.rdbuf();
    if (!stream)
        throw Error(ErrorCode::environment, "the workload's file " + path.string() +
                                                " cannot be read: " + std::generic_category().message(errno));
    return std::move(text).str();
}

std::map<std::string, File> load_files(const std::filesystem::path& folder, const std::filesystem::path& module) {
    std::map<std::string, File> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto type = media_type(entry.path());
        if (entry.is_regular_file() && !type.empty()) files[entry.path().filename()] = {read_file(entry.path()), type};
    }
    files["workload.js"] = {read_file(folder / module), media_type("workload.js")};
    for (const auto& [name, content] : page_files()) files[name] = {std::string(content), media_type(name)};
    files[""] = files.at("index.html");
    return files;
}

/// 128 bits of the kernel's randomness: another process on this machine cannot guess the page's address.
std::string one_time_path() {
    std::array<unsigned char, 16> bytes;
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        throw Error(ErrorCode::environment, "the kernel gave no random bytes for the page's address");
    }
    return text::hex(bytes);
}

}  // namespace

class PageServer::State : public std::enable_shared_from_this<State> {
public:
    State(const asio::any_io_executor& executor, std::map<std::string, File> files)
        : acceptor_(executor), files_(std::move(files)) {
        try {
            acceptor_.open(tcp::v4());
            acceptor_.bind({asio::ip::address_v4::loopback(), 0});
            acceptor_.listen();
        } catch (const boost::system::system_error& error) {
            throw Error(ErrorCode::environment,
                        std::string("no loopback port could be had for the workload's page: ") + error.what());
        }
        host_ = "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
        prefix_ = "/" + one_time_path() + "/";
        url_ = "http://" + host_ + prefix_;
    }

    void start() { asio::co_spawn(acceptor_.get_executor(), accept(shared_from_this()), asio::detached); }

    void stop() {
        boost::system::error_code ignored;  // closing a socket that is closed already
        acceptor_.close(ignored);
        for (auto* stream : streams_) stream->close();
    }

    const std::string& url() const noexcept { return url_; }

private:
    static bidi::Task<> accept(std::shared_ptr<State> self) {
        while (self->acceptor_.is_open()) {
            auto [error, socket] = co_await self->acceptor_.async_accept(asio::as_tuple(asio::use_awaitable));
            if (!error) {
                asio::co_spawn(self->acceptor_.get_executor(), serve(self, std::move(socket)), asio::detached);
            } else if (self->acceptor_.is_open()) {
                asio::steady_timer pause(self->acceptor_.get_executor(), kAcceptPause);
                co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
            }
        }
    }

    static bidi::Task<> serve(std::shared_ptr<State> self, tcp::socket socket) {
        beast::tcp_stream stream(std::move(socket));
        self->streams_.insert(&stream);
        beast::flat_buffer buffer;
        for (;;) {
            http::request_parser<http::empty_body> parser;
            parser.header_limit(kMaxHeaderBytes);
            stream.expires_after(kIdle);
            const auto [read_error, read] =
                co_await http::async_read(stream, buffer, parser, asio::as_tuple(asio::use_awaitable));
            if (read_error) break;
            const auto response = self->answer(parser.get());
            const auto [write_error, written] =
                co_await http::async_write(stream, response, asio::as_tuple(asio::use_awaitable));
            if (write_error || response.need_eof()) break;
        }
        self->streams_.erase(&stream);
    }

    http::response<http::string_body> answer(const http::request<http::empty_body>& request) const {
        http::response<http::string_body> response{http::status::ok, request.version()};
        response.keep_alive(request.keep_alive());
        response.set("Cross-Origin-Opener-Policy", "same-origin");
        response.set("Cross-Origin-Embedder-Policy", "require-corp");
        response.set("Cross-Origin-Resource-Policy", "same-origin");
        // The page and its worker may load what is served here and reach nothing else, the daemon's own API included.
        response.set("Content-Security-Policy",
                     "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        response.set("X-Content-Type-Options", "nosniff");
        response.set("Referrer-Policy", "no-referrer");
        response.set(http::field::cache_control, "no-store");

        const File* file = find(request);
        if (!file) {
            response.result(http::status::not_found);
        } else if (request.method() != http::verb::get && request.method() != http::verb::head) {
            response.result(http::status::method_not_allowed);
            response.set(http::field::allow, "GET, HEAD");
        } else {
            response.set(http::field::content_type, beast::string_view(file->type.data(), file->type.size()));
            if (request.method() == http::verb::get) {
                response.body() = file->content;
            } else {
                response.content_length(file->content.size());
                return response;
            }
        }
        response.prepare_payload();
        return response;
    }

    const File* find(const http::request<http::empty_body>& request) const {
        const std::string_view target(request.target().data(), request.target().size());
        if (request[http::field::host] != host_ || !target.starts_with(prefix_)) return nullptr;
        const auto found = files_.find(std::string(target.substr(prefix_.size())));
        return found == files_.end() ? nullptr : &found->second;
    }

    tcp::acceptor acceptor_;
    std::map<std::string, File> files_;
    std::set<beast::tcp_stream*> streams_;
    std::string host_, prefix_, url_;
};

PageServer::PageServer(const asio::any_io_executor& executor, const std::filesystem::path& folder,
                       const std::filesystem::path& module)
    : state_(std::make_shared<State>(executor, load_files(folder, module))) {
    state_->start();
}

PageServer::~PageServer() {
    state_->stop();
}

const std::string& PageServer::url() const noexcept {
    return state_->url();
}

}  // namespace foxbench::measure
