#pragma once

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>

namespace bidi::testing {

/// A web server on 127.0.0.1 with the few pages of a test. It runs on the given io_context and ends with this object.
class TestSite {
public:
    explicit TestSite(boost::asio::io_context& io);
    ~TestSite();

    /// The absolute address of `path`, e.g. "/a.html".
    std::string url(const std::string& path) const;

    /// An address at which nothing listens.
    static std::string unreachable_url();

    /// From now on `path` answers with this body. `headers`: whole lines, each with its "\r\n".
    void serve(const std::string& path, std::string body, std::string headers = "Content-Type: text/html\r\n");
    /// From now on requests of `path` never get an answer; `on_request` is called for each.
    void stall(const std::string& path, std::function<void()> on_request);

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace bidi::testing
