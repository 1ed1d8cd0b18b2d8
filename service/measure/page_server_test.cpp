#include "service/measure/page_server.hpp"

#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bidi/testing/run_task.hpp"

namespace foxbench::measure {
namespace {

namespace asio = boost::asio;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::filesystem::path kWorkload = std::filesystem::path(FOXBENCH_SOURCE_DIR) / "workloads/opfs-sync-write";

/// What the server answers to these bytes, until it closes.
bidi::Task<std::string> exchange(unsigned short port, std::string request) {
    asio::ip::tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect({asio::ip::address_v4::loopback(), port}, asio::use_awaitable);
    co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
    std::string answer;
    boost::system::error_code end;
    co_await asio::async_read(socket, asio::dynamic_buffer(answer), asio::redirect_error(asio::use_awaitable, end));
    co_return answer;
}

class PageServerTest : public testing::Test {
protected:
    std::string get(const std::string& target, const std::string& method = "GET", std::string host = {}) {
        if (host.empty()) host = "127.0.0.1:" + std::to_string(port_);
        return bidi::testing::run(loop_, exchange(port_, method + " " + target + " HTTP/1.1\r\nHost: " + host +
                                                             "\r\nConnection: close\r\n\r\n"));
    }

    asio::io_context loop_{1};
    PageServer server_{loop_.get_executor(), kWorkload, "worker.js"};
    const std::string url_ = server_.url();
    const unsigned short port_ =
        static_cast<unsigned short>(std::stoi(url_.substr(std::string("http://127.0.0.1:").size())));
    const std::string path_ = url_.substr(url_.find('/', std::string("http://").size()));
};

TEST_F(PageServerTest, ServesThePageIsolated) {
    const auto answer = get(path_);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(answer, HasSubstr("Cross-Origin-Opener-Policy: same-origin\r\n"));
    EXPECT_THAT(answer, HasSubstr("Cross-Origin-Embedder-Policy: require-corp\r\n"));
    EXPECT_THAT(answer, HasSubstr("Content-Type: text/html"));
    EXPECT_THAT(answer, HasSubstr("page.js"));
}

TEST_F(PageServerTest, ServesTheWorkloadsModule) {
    EXPECT_THAT(get(path_ + "workload.js"), HasSubstr("export const cases"));
    EXPECT_THAT(get(path_ + "runtime.js"), HasSubstr("text/javascript"));
    const auto head = get(path_ + "page.js", "HEAD");
    EXPECT_THAT(head, HasSubstr("Content-Length: "));
    EXPECT_THAT(head, Not(HasSubstr("window.foxbench")));
}

TEST_F(PageServerTest, KnowsNothingElse) {
    for (const std::string target : {std::string("/"), std::string("/index.html"), path_ + "workload.yaml",
                                     path_ + "../x", path_ + "x", path_.substr(0, path_.size() - 2) + "/"}) {
        EXPECT_THAT(get(target), StartsWith("HTTP/1.1 404")) << target;
    }
    EXPECT_THAT(get(path_, "POST"), StartsWith("HTTP/1.1 405"));
    EXPECT_THAT(get(path_, "GET", "localhost:" + std::to_string(port_)), StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(get(path_, "GET", "evil.example"), StartsWith("HTTP/1.1 404"));
}

TEST_F(PageServerTest, HasAPathOfItsOwnEachTime) {
    const PageServer other(loop_.get_executor(), kWorkload, "worker.js");
    EXPECT_NE(other.url().substr(other.url().rfind('/', other.url().size() - 2)), path_);
    EXPECT_GE(path_.size(), 34u);
}

}  // namespace
}  // namespace foxbench::measure
