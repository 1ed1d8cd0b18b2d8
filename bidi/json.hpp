#pragma once

#include <nlohmann/json.hpp>

namespace bidi {

/// The JSON values that commands, results and events are made of.
using json = nlohmann::json;

}  // namespace bidi
