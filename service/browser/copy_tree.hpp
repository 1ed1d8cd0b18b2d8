#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace foxbench::browser {

/// Copies the content of `source` into the folder `target`, which is there: folders and regular files, nothing else,
/// for their owner alone (modes 0700 and 0600). A file system that can share blocks between files does
/// (ioctl_ficlonerange(2)), else the kernel copies. An entry called `excluded` directly in `source` is left out. Gives
/// the first failure; what was copied before it stays.
[[nodiscard]] std::error_code copy_tree(const std::filesystem::path& source, const std::filesystem::path& target,
                                        std::string_view excluded = {});

}  // namespace foxbench::browser
