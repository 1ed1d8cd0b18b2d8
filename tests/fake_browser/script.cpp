#include "tests/fake_browser/script.hpp"

#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace foxbench::fake_browser {
namespace {

std::optional<int> number(const json& rule, const char* name) {
    return rule.contains(name) ? std::optional(rule.at(name).get<int>()) : std::nullopt;
}

Rule read_rule(const json& from) {
    for (const auto& [name, value] : from.items()) {
        if (name != "at" && name != "with" && name != "nth" && name != "launch" && name != "do")
            throw std::runtime_error("a rule has no '" + name + "'");
    }
    Rule rule;
    rule.at = from.at("at").get<std::string>();
    rule.with = from.value("with", "");
    rule.nth = number(from, "nth");
    rule.launch = number(from, "launch");
    rule.actions = from.at("do").get<std::vector<json>>();
    for (const json& action : rule.actions) {
        if (!action.is_object()) throw std::runtime_error("an action is an object, not " + action.dump());
    }
    return rule;
}

/// Appends to FILE.launches; its size is then the number of this launch, also when others are started meanwhile.
int count_launch(const std::filesystem::path& file) {
    const std::string counter = file.string() + ".launches";
    const int descriptor = ::open(counter.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct stat status {};
    const bool counted = ::write(descriptor, "x", 1) == 1 && ::fstat(descriptor, &status) == 0;
    ::close(descriptor);
    if (!counted) throw std::runtime_error("cannot count in " + counter);
    return static_cast<int>(status.st_size);
}

}  // namespace

Script::Script(const json& text, int launch) {
    latency_us_ = text.value("latency_us", latency_us_);
    for (const json& from : text.value("rules", json::array())) {
        Rule rule = read_rule(from);
        const bool meant = rule.launch ? *rule.launch == launch : launch > 0;
        if (meant) rules_.push_back(std::move(rule));
    }
    seen_.resize(rules_.size());
}

std::optional<std::vector<json>> Script::decide(std::string_view at, std::string_view what) {
    std::optional<std::vector<json>> decided;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        const Rule& rule = rules_[i];
        if (rule.at != at || what.find(rule.with) == std::string_view::npos) continue;
        ++seen_[i];
        if (!decided && (!rule.nth || *rule.nth == seen_[i])) decided = rule.actions;
    }
    return decided;
}

Script read_script(const std::filesystem::path& file, bool measures) {
    std::ifstream stream(file);
    const json text = json::parse(stream, nullptr, false);
    if (!text.is_object()) throw std::runtime_error("no script in " + file.string());
    try {
        return Script(text, measures ? count_launch(file) : 0);
    } catch (const json::exception& error) {
        throw std::runtime_error(file.string() + ": " + error.what());
    }
}

}  // namespace foxbench::fake_browser
