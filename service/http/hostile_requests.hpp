#pragma once

#include <string>
#include <vector>

/// For tests: requests that mean harm, for any route table that has what they aim at.
namespace foxbench::http::testing {

struct Hostile {
    const char* name;
    unsigned status;      ///< that it has to get
    std::string bytes;    ///< "@" stands for the server's own host and port
    bool closes = false;  ///< whether the answer has to say that the connection is closed
};

/// Requests against `collection` ("/v1/things"), which has to have: GET with the parameter `limit`, POST of JSON with
/// `label` and `launches`, DELETE of one ("/v1/things/{id}"), POST "/v1/things/{id}/cancel" without a body; and against
/// "/v1/events".
[[nodiscard]] std::vector<Hostile> hostile_requests(const std::string& collection);

/// The bytes with "@" replaced.
[[nodiscard]] std::string with_host(std::string bytes, const std::string& host);

}  // namespace foxbench::http::testing
