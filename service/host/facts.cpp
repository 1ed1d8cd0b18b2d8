#include "service/host/facts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <sstream>
#include <utility>

#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "service/error.hpp"
#include "service/host/digest.hpp"
#include "service/host/procfs.hpp"
#include "service/text/cpu_list.hpp"

namespace foxbench::host {

namespace fs = std::filesystem;

namespace {

/// machine-id(5) asks applications to hash the id with a key of their own rather than to give it away.
constexpr std::string_view kMachineIdPrefix = "foxbench host id 1\n";
constexpr std::size_t kHostIdDigits = 16;

/// What an arm64 kernel tells in place of a name: MIDR_EL1's implementer and part number (Arm ARM, and the vendors'
/// manuals). The list has the processors that servers, cloud machines and developers' boards have.
struct ArmCore {
    unsigned implementer, part;
    std::string_view name;
};
constexpr std::array kArmCores{
    ArmCore{0x41, 0xd03, "Arm Cortex-A53"},  ArmCore{0x41, 0xd07, "Arm Cortex-A57"},
    ArmCore{0x41, 0xd08, "Arm Cortex-A72"},  ArmCore{0x41, 0xd0b, "Arm Cortex-A76"},
    ArmCore{0x41, 0xd0c, "Arm Neoverse-N1"}, ArmCore{0x41, 0xd40, "Arm Neoverse-V1"},
    ArmCore{0x41, 0xd49, "Arm Neoverse-N2"}, ArmCore{0x41, 0xd4f, "Arm Neoverse-V2"},
    ArmCore{0x41, 0xd41, "Arm Cortex-A78"},  ArmCore{0x41, 0xd84, "Arm Neoverse-V3"},
    ArmCore{0x41, 0xd8e, "Arm Neoverse-N3"}, ArmCore{0xc0, 0xac3, "Ampere-1"},
    ArmCore{0xc0, 0xac4, "Ampere-1A"},       ArmCore{0x61, 0x022, "Apple M1"},
    ArmCore{0x61, 0x023, "Apple M1"},        ArmCore{0x61, 0x032, "Apple M2"},
    ArmCore{0x61, 0x033, "Apple M2"},
};

/// The value of the first line "member : value" of a file such as /proc/cpuinfo or /proc/meminfo.
std::optional<std::string_view> value_of(std::string_view text, std::string_view member) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (const auto colon = line.find(':');
            colon != std::string_view::npos && trimmed(line.substr(0, colon)) == member) {
            return trimmed(line.substr(colon + 1));
        }
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return std::nullopt;
}

std::optional<unsigned> hexadecimal(std::optional<std::string_view> text) {
    if (!text || !text->starts_with("0x")) return std::nullopt;
    unsigned value = 0;
    const auto [end, fault] = std::from_chars(text->data() + 2, text->data() + text->size(), value, 16);
    if (fault != std::errc{} || end != text->data() + text->size()) return std::nullopt;
    return value;
}

/// Undoes the kernel's escapes of space, tab, newline and backslash: a backslash and three octal digits.
std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        int code = 0;
        if (text[i] == '\\' && i + 3 < text.size() &&
            std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8).ptr == text.data() + i + 4) {
            plain += static_cast<char>(code);
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

/// Comma-separated words of both lists, each once.
std::string joined_options(std::string_view mount, std::string_view super) {
    std::vector<std::string> words;
    for (const std::string_view list : {mount, super}) {
        std::istringstream stream{std::string(list)};
        for (std::string word; std::getline(stream, word, ',');) {
            if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
        }
    }
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
    return text;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// The folder itself, or the nearest parent that is there, without links.
fs::path nearest_existing(const fs::path& folder) {
    std::error_code ignored;
    fs::path path = fs::absolute(folder, ignored);
    while (!fs::exists(path, ignored) && path.has_relative_path()) path = path.parent_path();
    fs::path canonical = fs::canonical(path, ignored);
    return canonical.empty() ? path : canonical;
}

std::optional<Mount> find_mount(const fs::path& folder) {
    const auto text = read_text("/proc/self/mountinfo");
    return text ? mount_of(parse_mountinfo(*text), nearest_existing(folder)) : std::nullopt;
}

std::vector<DiskLayer> layers_of(const Mount& mount) {
    auto layers = read_disk_layers(mount.device_number);
    if (!layers.empty()) return layers;
    // A filesystem that may span devices has a number that is no device's.
    const auto number = number_of_device(mount.source);
    return number ? read_disk_layers(*number) : layers;
}

}  // namespace

std::string hashed_machine_id(std::string_view machine_id) {
    machine_id = trimmed(machine_id);
    if (machine_id.empty()) return {};
    return sha256_hex(std::string(kMachineIdPrefix).append(machine_id)).substr(0, kHostIdDigits);
}

std::optional<std::string> parse_cpu_model(std::string_view cpuinfo) {
    if (const auto model = value_of(cpuinfo, "model name"); model && !model->empty()) return std::string(*model);
    const auto implementer = value_of(cpuinfo, "CPU implementer");
    const auto part = value_of(cpuinfo, "CPU part");
    if (!implementer || !part) return std::nullopt;
    const auto implementer_code = hexadecimal(implementer);
    const auto part_code = hexadecimal(part);
    for (const ArmCore& core : kArmCores) {
        if (implementer_code == core.implementer && part_code == core.part) return std::string(core.name);
    }
    return "arm64 implementer " + std::string(*implementer) + " part " + std::string(*part);
}

std::optional<std::uint64_t> parse_meminfo_bytes(std::string_view meminfo, std::string_view member) {
    const auto value = value_of(meminfo, member);
    if (!value) return std::nullopt;
    std::uint64_t kibibytes = 0;
    const auto [end, fault] = std::from_chars(value->data(), value->data() + value->size(), kibibytes);
    if (fault != std::errc{} || trimmed({end, static_cast<std::size_t>(value->data() + value->size() - end)}) != "kB") {
        return std::nullopt;
    }
    return kibibytes * 1024;
}

std::string architecture(std::string_view machine) {
    if (machine == "x86_64") return "x64";
    if (machine == "aarch64") return "arm64";
    return std::string(machine);
}

document::Host read_host() {
    document::Host host;
    if (utsname system{}; ::uname(&system) == 0) {
        host.name = system.nodename;
        host.kernel = system.release;
        host.arch = architecture(system.machine);
        std::string name = system.sysname;
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
        host.os = name;
    }
    for (const char* file : {"/etc/machine-id", "/var/lib/dbus/machine-id"}) {
        if (std::string id = hashed_machine_id(read_text(file).value_or("")); !id.empty()) {
            host.id = std::move(id);
            break;
        }
    }
    if (const auto cpuinfo = read_text("/proc/cpuinfo")) host.cpu = parse_cpu_model(*cpuinfo);
    if (const long threads = ::sysconf(_SC_NPROCESSORS_ONLN); threads > 0) host.threads = threads;
    if (const auto meminfo = read_text("/proc/meminfo")) {
        if (const auto bytes = parse_meminfo_bytes(*meminfo, "MemTotal"))
            host.memory_bytes = static_cast<double>(*bytes);
    }
    return host;
}

std::vector<int> online_processors() {
    const auto online = read_text("/sys/devices/system/cpu/online");
    if (!online) return {};
    try {
        return text::parse_cpu_list(trimmed(*online));
    } catch (const Error&) {
        return {};
    }
}

std::vector<Mount> parse_mountinfo(std::string_view text) {
    std::vector<Mount> mounts;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        // "36 35 98:0 /root /mnt options optional... - type source super": the dash ends any number of optional
        // members.
        std::istringstream words(line);
        std::string id, parent, device, root, point, options, word, type, source, super;
        words >> id >> parent >> device >> root >> point >> options;
        while (words >> word && word != "-") {
        }
        words >> type >> source;
        if (!words) continue;
        words >> super;
        mounts.push_back({device, unescaped(point), type, unescaped(source), joined_options(options, super)});
    }
    return mounts;
}

std::optional<Mount> mount_of(const std::vector<Mount>& mounts, const fs::path& path) {
    const Mount* best = nullptr;
    for (const Mount& mount : mounts) {
        if (!lies_in(path, mount.mount_point)) continue;
        if (!best || mount.mount_point.size() >= best->mount_point.size()) best = &mount;
    }
    if (!best) return std::nullopt;
    return *best;
}

document::Profiles read_profiles(const fs::path& folder) {
    document::Profiles profiles;
    const auto mount = find_mount(folder);
    if (!mount) return profiles;
    profiles.filesystem = mount->filesystem;
    profiles.mount = mount->mount_point;
    profiles.device = mount->source;
    profiles.options = mount->options;
    if (const auto layers = layers_of(*mount); !layers.empty()) profiles.extra["disk"] = to_json(layers);
    return profiles;
}

std::vector<DiskLayer> read_disk_of(const fs::path& folder) {
    const auto mount = find_mount(folder);
    return mount ? layers_of(*mount) : std::vector<DiskLayer>();
}

bool is_tmpfs(const document::Profiles& profiles) {
    return profiles.filesystem == "tmpfs" || profiles.filesystem == "ramfs";
}

std::optional<std::uint64_t> free_bytes(const fs::path& folder) {
    struct statvfs status {};
    if (::statvfs(nearest_existing(folder).c_str(), &status) != 0) return std::nullopt;
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

}  // namespace foxbench::host
