#include "service/store/process_identity.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include <unistd.h>

namespace foxbench::store {
namespace {

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> words_of(std::string_view text) {
    std::istringstream in{std::string(text)};
    return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

std::string boot_id() {
    const auto words = words_of(content_of("/proc/sys/kernel/random/boot_id"));
    return words.empty() ? "unknown-boot" : words.front();
}

/// "pid:[4026531836]"
std::string pid_namespace() {
    std::array<char, 64> name{};
    const ssize_t length = readlink("/proc/self/ns/pid", name.data(), name.size());
    return length <= 0 ? "unknown-namespace" : std::string(name.data(), static_cast<std::size_t>(length));
}

/// Fields of /proc/PID/stat behind the command's name, which can hold blanks and parentheses (proc(5)).
std::vector<std::string> stat_fields(pid_t pid) {
    const std::string stat = content_of("/proc/" + std::to_string(pid) + "/stat");
    const auto end_of_name = stat.rfind(')');
    return end_of_name == stat.npos ? std::vector<std::string>{} : words_of(stat.substr(end_of_name + 1));
}

struct Identity {
    std::string boot, pid_namespace, start;
    pid_t pid = 0;
};

std::optional<Identity> read(std::string_view text) {
    const auto words = words_of(text);
    if (words.size() != 4) return std::nullopt;
    Identity identity{words[0], words[1], words[3]};
    const std::string& pid = words[2];
    if (std::from_chars(pid.data(), pid.data() + pid.size(), identity.pid).ec != std::errc{}) return std::nullopt;
    return identity;
}

}  // namespace

std::string identify_process(pid_t pid) {
    constexpr std::size_t kState = 0;   // field 3 of proc(5)
    constexpr std::size_t kStart = 19;  // field 22
    const auto fields = stat_fields(pid);
    if (fields.size() <= kStart || fields[kState] == "Z") return "";  // a zombie measures nothing any more
    return boot_id() + ' ' + pid_namespace() + ' ' + std::to_string(pid) + ' ' + fields[kStart];
}

std::string identify_self() {
    return identify_process(getpid());
}

bool is_gone(std::string_view text) {
    const auto identity = read(text);
    if (!identity) return true;
    if (identity->boot != boot_id()) return true;
    if (identity->pid_namespace != pid_namespace()) return false;
    return identify_process(identity->pid) != text;
}

std::string pid_of(std::string_view text) {
    const auto identity = read(text);
    return identity ? std::to_string(identity->pid) : "?";
}

}  // namespace foxbench::store
