#pragma once

#include <map>
#include <string>
#include <string_view>

namespace foxbench::measure {

/// The files of page/ by name, built into the program.
[[nodiscard]] const std::map<std::string, std::string_view>& page_files();

}  // namespace foxbench::measure
