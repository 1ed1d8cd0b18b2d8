#include "service/http/hostile_requests.hpp"

#include "service/http/limits.hpp"

namespace foxbench::http::testing {
namespace {

constexpr std::string_view kCollection = "/v1/things";

const std::string kPost = "POST /v1/things HTTP/1.1\r\nHost: @\r\n";
const std::string kJson = "Content-Type: application/json\r\n";

std::string get(const std::string& target, const std::string& fields = "") {
    return "GET " + target + " HTTP/1.1\r\nHost: @\r\n" + fields + "\r\n";
}

std::string post(const std::string& fields, const std::string& body) {
    return kPost + fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string json(const std::string& body) {
    return post(kJson, body);
}

std::vector<Hostile> requests() {
    const std::string smuggled = "GET /livez HTTP/1.1\r\nHost: @\r\n\r\n";
    return {
        // Who is asked.
        {"no host", 400, "GET /v1/things HTTP/1.1\r\n\r\n", true},
        {"empty host", 421, "GET /v1/things HTTP/1.1\r\nHost:\r\n\r\n"},
        {"two hosts", 400, "GET /v1/things HTTP/1.1\r\nHost: @\r\nHost: evil.example\r\n\r\n", true},
        {"the same host twice", 400, "GET /v1/things HTTP/1.1\r\nHost: @\r\nhost: @\r\n\r\n", true},
        {"foreign host", 421, "GET /v1/things HTTP/1.1\r\nHost: evil.example\r\n\r\n"},
        {"rebound name", 421, "GET /v1/things HTTP/1.1\r\nHost: 127.0.0.1.rebind.example:8177\r\n\r\n"},
        {"foreign host of nothing", 421, "GET /nothing HTTP/1.1\r\nHost: evil.example\r\n\r\n"},
        {"wrong port", 421, "GET /v1/things HTTP/1.1\r\nHost: localhost:1\r\n\r\n"},
        {"no port", 421, "GET /v1/things HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        {"any address", 421, "GET /v1/things HTTP/1.1\r\nHost: 0.0.0.0:8177\r\n\r\n"},
        {"host with user", 421, "GET /v1/things HTTP/1.1\r\nHost: evil@@\r\n\r\n"},
        {"absolute target elsewhere", 421, "GET http://evil.example/v1/things HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"proxy request", 400, "GET https://@/v1/things HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"tunnel", 400, "CONNECT evil.example:443 HTTP/1.1\r\nHost: @\r\n\r\n"},
        // Which page asks.
        {"foreign origin", 403, post(kJson + "Origin: https://evil.example\r\n", "{}"), true},
        {"null origin", 403, post(kJson + "Origin: null\r\n", "{}"), true},
        {"origin of another port", 403, post(kJson + "Origin: http://localhost:3000\r\n", "{}"), true},
        {"origin that begins right", 403, post(kJson + "Origin: http://@.evil.example\r\n", "{}"), true},
        {"two origins", 403, post(kJson + "Origin: http://@\r\nOrigin: null\r\n", "{}"), true},
        {"foreign origin reads", 403, get("/v1/things", "Origin: https://evil.example\r\n")},
        {"cross-site fetch", 403, get("/v1/things", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n")},
        {"cross-site image", 403, get("/v1/things", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n")},
        {"cross-site event stream", 403, get("/v1/events", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n")},
        {"cross-site form", 403, post(kJson + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", "{}"),
         true},
        {"preflight", 405, "OPTIONS /v1/things HTTP/1.1\r\nHost: @\r\nAccess-Control-Request-Method: POST\r\n\r\n"},
        // What is posted.
        {"form", 415, post("Content-Type: application/x-www-form-urlencoded\r\n", "label=x"), true},
        {"multipart form", 415, post("Content-Type: multipart/form-data; boundary=x\r\n", "--x--"), true},
        {"text form that is JSON", 415, post("Content-Type: text/plain\r\n", "{\"label\": \"=\"}"), true},
        {"no type", 415, post("", "{}"), true},
        {"two types", 415, post(kJson + "Content-Type: text/plain\r\n", "{}"), true},
        {"form without body", 415, "POST /v1/things/a/cancel HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"compressed body", 415, post(kJson + "Content-Encoding: gzip\r\n", "\x1f\x8b\b"), true},
        {"UTF-16 body", 415, post("Content-Type: application/json; charset=utf-16\r\n", "{}"), true},
        // Paths.
        {"dot segments", 404, get("/v1/../v1/things")},
        {"encoded dot segments", 404, "DELETE /v1/things/%2e%2e HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"encoded slash", 404, "DELETE /v1/things/a%2f..%2fb HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"encoded backslash", 404, "DELETE /v1/things/..%5cb HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"encoded NUL", 400, "DELETE /v1/things/a%00b HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"encoded line break", 400, "DELETE /v1/things/a%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"overlong UTF-8", 400, get("/v1/%c0%ae%c0%ae/things")},
        {"half an escape", 400, get("/v1/things?limit=%2")},
        {"escape sequence in the query", 400, get("/v1/things?limit=%1b[31m")},
        {"raw bytes", 400, get("/v1/\xc3\xa9")},
        {"fragment", 400, get("/v1/things#x")},
        {"double slash", 404, get("//v1/things")},
        {"unknown parameter", 422, get("/v1/things?callback=evil")},
        {"asterisk", 400, "OPTIONS * HTTP/1.1\r\nHost: @\r\n\r\n"},
        // Methods.
        {"trace", 405, "TRACE /v1/things HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"unknown method", 405, "EVIL /v1/things HTTP/1.1\r\nHost: @\r\n\r\n"},
        {"method override", 405,
         "PUT /v1/things HTTP/1.1\r\nHost: @\r\nX-HTTP-Method-Override: POST\r\n" + kJson + "\r\n"},
        {"lower-case method", 405, "get /v1/things HTTP/1.1\r\nHost: @\r\n\r\n"},
        // Framing.
        {"both lengths", 400, kPost + kJson + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}" + smuggled,
         true},
        {"both lengths, other order", 400,
         kPost + kJson + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n" + smuggled, true},
        {"two lengths", 400, kPost + kJson + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}" + smuggled, true},
        {"the same length twice", 400, kPost + kJson + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + smuggled,
         true},
        {"list of lengths", 400, kPost + kJson + "Content-Length: 2, 2\r\n\r\n{}" + smuggled, true},
        {"signed length", 400, kPost + kJson + "Content-Length: +2\r\n\r\n{}", true},
        {"negative length", 400, kPost + kJson + "Content-Length: -2\r\n\r\n{}", true},
        {"hexadecimal length", 400, kPost + kJson + "Content-Length: 0x2\r\n\r\n{}", true},
        {"length beyond 64 bits", 400, kPost + kJson + "Content-Length: 18446744073709551618\r\n\r\n{}", true},
        {"length with blanks before the colon", 400, kPost + kJson + "Content-Length : 2\r\n\r\n{}", true},
        {"odd coding", 400, kPost + kJson + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", true},
        {"two codings", 400, kPost + kJson + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", true},
        {"coding twice", 400,
         kPost + kJson + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
        {"chunked twice", 400, kPost + kJson + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", true},
        {"coding with a tab", 400, kPost + kJson + "Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n", true},
        // Of HTTP/1.0 it goes without saying that the connection is closed.
        {"coding in HTTP/1.0", 400,
         "POST /v1/things HTTP/1.0\r\nHost: @\r\n" + kJson + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false},
        {"chunk size that is none", 400, kPost + kJson + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
         true},
        {"chunk that is too short", 400, kPost + kJson + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}X\r\n0\r\n\r\n",
         true},
        {"chunk of more than 64 bits", 400,
         kPost + kJson + "Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n", true},
        {"huge chunk", 413, kPost + kJson + "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n{}", true},
        {"length in the trailer", 400,
         kPost + kJson + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n", true},
        {"endless chunk extension", 400,
         kPost + kJson + "Transfer-Encoding: chunked\r\n\r\n2;" + std::string(2 * kReadBufferBytes, 'a'), true},
        {"body of a GET", 400, get("/v1/things", "Content-Length: 5\r\n") + "hello", true},
        {"huge length", 413, kPost + kJson + "Content-Length: 9223372036854775807\r\n\r\n{}", true},
        {"no length", 411, kPost + kJson + "\r\n"},
        {"body that ends early", 400, kPost + kJson + "Content-Length: 10\r\n\r\n{}", true},
        // Headers.
        {"large header", 431, get("/v1/things", "X: " + std::string(kMaxHeaderBytes, 'a') + "\r\n"), true},
        {"many fields", 431,
         get("/v1/things",
             [] {
                 std::string fields;
                 for (int i = 0; i < 1000; ++i) fields += "X" + std::to_string(i) + ": " + std::to_string(i) + "\r\n";
                 return fields;
             }()),
         true},
        {"long target", 414, get("/" + std::string(kMaxTargetBytes, 'a'))},
        {"endless target", 414, "GET /" + std::string(3 * kMaxHeaderBytes, 'a'), true},
        {"NUL in a field", 400, get("/v1/things", std::string("X: a\0b\r\n", 8)), true},
        {"bare line feed", 400, "GET /v1/things HTTP/1.1\nHost: @\n\n", true},
        {"bare carriage return", 400, get("/v1/things", "X: a\rContent-Length: 5\r\n"), true},
        {"blank in a name", 400, get("/v1/things", "X Y: a\r\n"), true},
        {"field without colon", 400, get("/v1/things", "evil\r\n"), true},
        {"HTTP/0.9", 400, "GET /v1/things\r\n\r\n", true},
        {"HTTP/2", 400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", true},
        {"TLS", 400, std::string("\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", 11), true},
        {"another expectation", 417, kPost + kJson + "Expect: evil\r\nContent-Length: 2\r\n\r\n{}", true},
        {"key with a blank", 400, post(kJson + "Idempotency-Key: a b\r\n", "{}"), true},
        // Bodies.
        {"no JSON", 400, json("label=x")},
        {"empty body", 400, json("")},
        {"two values", 400, json("{}{}")},
        {"NaN", 400, json("{\"launches\": NaN}")},
        {"beyond a double", 400, json("{\"launches\": 1e999}")},
        {"10,000 levels", 400, json(std::string(10000, '[') + std::string(10000, ']'))},
        {"10,000 objects", 400, json([] {
             std::string text;
             for (int i = 0; i < 10000; ++i) text += "{\"a\":";
             return text;
         }())},
        {"duplicate members", 400, json(R"({"label": "a", "label": "b"})")},
        {"invalid UTF-8", 400, json("{\"label\": \"\xff\"}")},
        {"lone surrogate", 400, json(R"({"label": "\ud800"})")},
        {"raw control character", 400, json("{\"label\": \"\x1b[31m\"}")},
        {"NUL after the end", 400, json(std::string("{}\0", 3))},
        {"terminal escape in a label", 422, json(R"({"label": "\u001b[31m"})")},
        {"line break in a label", 422, json(R"({"label": "a\r\nX-Evil: 1"})")},
        {"NUL in a label", 422, json(R"({"label": "a\u0000b"})")},
        {"label of 101 characters", 422, json("{\"label\": \"" + std::string(101, 'a') + "\"}")},
        {"a binary", 422, json(R"({"binary": "/bin/sh"})")},
        {"array in place of an object", 422, json("[]")},
        {"members where there are none", 422,
         "POST /v1/things/a/cancel HTTP/1.1\r\nHost: @\r\n" + kJson + "Content-Length: 7\r\n\r\n{\"a\":1}"},
    };
}

std::string with(std::string bytes, std::string_view old, const std::string& value) {
    for (std::size_t at = 0; (at = bytes.find(old, at)) != std::string::npos; at += value.size())
        bytes.replace(at, old.size(), value);
    return bytes;
}

}  // namespace

std::vector<Hostile> hostile_requests(const std::string& collection) {
    auto all = requests();
    for (auto& request : all) request.bytes = with(std::move(request.bytes), kCollection, collection);
    return all;
}

std::string with_host(std::string bytes, const std::string& host) {
    return with(std::move(bytes), "@", host);
}

}  // namespace foxbench::http::testing
