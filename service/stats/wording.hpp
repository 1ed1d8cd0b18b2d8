#pragma once

#include <string>

/// How verdicts write numbers in their reasons. Pure functions; safe to call from any thread.
namespace foxbench::stats {

/// With so many decimals: "5.20".
[[nodiscard]] std::string decimal(double value, int decimals);

/// A fraction as "5.2 %".
[[nodiscard]] std::string percent(double fraction);

}  // namespace foxbench::stats
