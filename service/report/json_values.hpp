#pragma once

#include <cmath>
#include <optional>

#include "service/document/object_reader.hpp"

/// Values of JSON that is written for programs. Pure functions.
namespace foxbench::report {

/// In full; null for none and for what is not finite, which JSON cannot write.
[[nodiscard]] inline document::Json number_or_null(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? document::number_to_json(*value) : document::Json(nullptr);
}

template <class Value>
[[nodiscard]] document::Json value_or_null(const std::optional<Value>& value) {
    return value ? document::Json(*value) : document::Json(nullptr);
}

}  // namespace foxbench::report
