#pragma once

#include <filesystem>
#include <optional>

/// Where things are when nobody says otherwise: in a checkout beside the sources, in an installation where its prefix
/// has them.
namespace foxbench::config {

/// The folder of workloads: `$FOXBENCH_WORKLOADS`, else the installation's, else the checkout's.
[[nodiscard]] std::filesystem::path default_workloads();

/// Where runs are stored: the checkout's `results/`, else `/var/lib/foxbench` for root, else `$XDG_DATA_HOME/foxbench`.
[[nodiscard]] std::filesystem::path default_results();

/// The configuration that is read when none is named: `$FOXBENCH_CONFIG`, the checkout's `configs/foxbench.yaml`, or
/// `/etc/foxbench/foxbench.yaml`; nothing where there is none.
[[nodiscard]] std::optional<std::filesystem::path> default_config_file();

/// A path as users write it: `~/` is the home folder.
[[nodiscard]] std::filesystem::path expand_home(const std::filesystem::path& path);

}  // namespace foxbench::config
