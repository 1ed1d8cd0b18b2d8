#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/settings.hpp"
#include "service/config/changes.hpp"
#include "service/config/locations.hpp"
#include "service/error.hpp"

namespace foxbench::cli {
namespace {

config::Config load(const std::string& file) {
    if (!file.empty()) return config::load_config(file);
    if (const auto standard = config::default_config_file()) return config::load_config(*standard);
    return config::default_config();
}

int check(const std::string& file) {
    const auto config = load(file);
    config::check_references(config);
    std::cout << (config.file.empty() ? "no configuration file; the built-in defaults" : config.file.string())
              << ": in order (" << config.targets.size() << " targets, " << config.schedules.size() << " schedules)\n";
    return 0;
}

std::string yaml_text(const config::Json& value) {
    // JSON is YAML; a text that YAML would read as something else stays quoted.
    return value.dump();
}

/// Names of members are plain; a preference's may hold what YAML takes as its own.
std::string yaml_name(const std::string& name) {
    const bool plain =
        !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) &&
        std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; });
    return plain ? name : config::Json(name).dump();
}

void print_yaml(const config::Json& value, int depth) {
    for (const auto& [name, member] : value.items()) {
        std::cout << std::string(static_cast<std::size_t>(depth) * 2, ' ') << yaml_name(name) << ":";
        if (member.is_object() && !member.empty()) {
            std::cout << "\n";
            print_yaml(member, depth + 1);
        } else {
            std::cout << " " << yaml_text(member) << "\n";
        }
    }
}

int show(const std::string& file, bool json) {
    const auto shown = config::to_json(load(file));
    if (json) {
        print_json(shown);
    } else {
        print_yaml(shown, 0);
    }
    return 0;
}

}  // namespace

void add_config(const Registry& registry) {
    struct Options {
        std::string file;
        bool json = false;
    };
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("config", "Check a configuration file, or show it with its defaults",
                                 "  foxbench config check\n"
                                 "  foxbench config check lab.yaml\n"
                                 "  foxbench config show --json",
                                 [] { return 2; });
    command.require_subcommand(1);
    auto* checking = command.add_subcommand("check", "Say what is wrong with it, with line and column");
    auto* showing =
        command.add_subcommand("show", "Show everything that it says, and the defaults where it says nothing");
    for (auto* one : {checking, showing}) {
        one->add_option("FILE", options->file, "the file (default: the one that foxbench would read)")->type_name("");
    }
    showing->add_flag("--json", options->json, "as JSON in place of YAML");
    // The parent's callback runs as well, before these.
    command.callback([&chosen = registry.chosen, checking, options] {
        chosen = [checking, options] {
            return checking->parsed() ? check(options->file) : show(options->file, options->json);
        };
    });
}

}  // namespace foxbench::cli
