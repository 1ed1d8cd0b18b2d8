#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/document/json_text.hpp"
#include "service/http/method.hpp"

namespace foxbench::http {

using document::Json;

/// Header fields in the order of their arrival.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// The value of the first field of that name, in any case.
[[nodiscard]] std::optional<std::string_view> find_field(const Fields& fields, std::string_view name) noexcept;
/// How many fields have that name.
[[nodiscard]] std::size_t count_fields(const Fields& fields, std::string_view name) noexcept;
/// The values of all fields of that name as one list, with ", " between (RFC 9110, section 5.3); empty without one.
[[nodiscard]] std::string joined_field(const Fields& fields, std::string_view name);

/// A request that was found to be in order: its route exists, who sent it may, its body was read and is JSON where the
/// route takes JSON. A plain value.
struct Request {
    Method method = Method::get;
    bool head = false;                              ///< the method was HEAD: the answer's body is not sent
    std::string target;                             ///< as sent, in origin form: "/v1/runs?limit=5"
    std::string path;                               ///< its path, as sent (not decoded)
    std::map<std::string, std::string> parameters;  ///< of the route's pattern, decoded: UTF-8, no '/', no control
                                                    ///< characters, neither "." nor ".."
    std::multimap<std::string, std::string> query;  ///< decoded; only names that the route knows
    Fields fields;                                  ///< the header's; trailers are ignored
    std::string body;
    Json json;                 ///< the body, where the route takes JSON and got it; else null
    std::string content_type;  ///< media type alone, lower case: "application/json"
    std::string media_type;    ///< which of the route's `produces`, word for word, the answer should be
    std::optional<std::string> idempotency_key;  ///< where the route takes one and the client sent one
    std::optional<std::int64_t> last_event_id;   ///< of a client that resumes an event stream

    [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
    /// A parameter of the route's pattern. Throws std::out_of_range for one that the pattern does not have.
    [[nodiscard]] const std::string& parameter(const std::string& name) const { return parameters.at(name); }
    /// A parameter of the query. Throws Problem (422) where it is given more than once.
    [[nodiscard]] std::optional<std::string> query_text(const std::string& name) const;
    /// The same as a whole number of `least` to `most`; throws Problem (422) for anything else.
    [[nodiscard]] std::optional<std::int64_t> query_count(const std::string& name, std::int64_t least,
                                                          std::int64_t most) const;
    /// The same as a switch: absent, "0" and "false" are false; present without value, "1" and "true" are true.
    [[nodiscard]] bool query_flag(const std::string& name) const;
};

}  // namespace foxbench::http
