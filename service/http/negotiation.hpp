#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/request.hpp"
#include "service/http/route.hpp"

/// What a client wants to get (RFC 9110, section 12). Pure functions.
namespace foxbench::http {

/// One item of an Accept field: "text/html;level=1;q=0.5".
struct WeightedItem {
    std::string_view value;  ///< without parameters
    int weight = 1000;       ///< thousandths: 0 to 1000
};

/// The items of an Accept or Accept-Encoding field. A weight that is none counts as 0: what cannot be read is not
/// wanted.
[[nodiscard]] std::vector<WeightedItem> weighted_items(std::string_view field);

/// The one of `produces` that `accept` likes best; among equals the first. The most specific item decides about a type.
/// An empty `accept` takes the first. Nothing where none is acceptable.
[[nodiscard]] std::optional<std::string> choose_media_type(std::string_view accept,
                                                           const std::vector<std::string>& produces);

/// "text/html" of "Text/HTML; charset=utf-8".
[[nodiscard]] std::string media_type_alone(std::string_view content_type);

/// The media type of the answer to this request: by `?format=` where the route has it, else by Accept. Throws Problem:
/// 406 (saying what there is) and 422 for an unknown format.
[[nodiscard]] std::string negotiate(const Route& route, const Fields& fields,
                                    const std::multimap<std::string, std::string>& query);

}  // namespace foxbench::http
