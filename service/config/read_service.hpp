#pragma once

#include "service/config/config.hpp"
#include "service/yaml/value.hpp"

/// How the daemon's part of the file is read. Errors are those of yaml::Value.
namespace foxbench::config {

[[nodiscard]] Server read_server(const yaml::Value& value, const std::filesystem::path& folder);
[[nodiscard]] Quiet read_quiet(const yaml::Value& value);
/// Names of targets are looked up in `config`.
[[nodiscard]] std::vector<Schedule> read_schedules(const yaml::Value& value, const Config& config);
[[nodiscard]] Retention read_retention(const yaml::Value& value);
[[nodiscard]] Alerts read_alerts(const yaml::Value& value);
[[nodiscard]] std::vector<Webhook> read_webhooks(const yaml::Value& value, const std::filesystem::path& folder);

// Shared with the rest of the reader.
/// Refuses what is no name for a `what` ("target"): names stand in tables, ids and addresses.
void check_name(const yaml::Value& value, const std::string& name, const char* what);
[[nodiscard]] std::chrono::milliseconds read_duration(const yaml::Value& value);
[[nodiscard]] std::vector<std::string> read_strings(const yaml::Value& value);
/// `~` is the home folder, a relative path starts from the file's folder.
[[nodiscard]] std::filesystem::path read_path(const yaml::Value& value, const std::filesystem::path& folder);
[[nodiscard]] std::vector<std::string> read_target_names(const yaml::Value& value, const Config& config);

}  // namespace foxbench::config
