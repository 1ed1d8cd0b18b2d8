#include "service/host/disk.hpp"

#include <algorithm>
#include <cctype>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "service/host/procfs.hpp"

namespace foxbench::host {
namespace {

namespace fs = std::filesystem;

/// A loop of devices, or a farm of them, is cut off here; real stacks have two to five layers.
constexpr std::size_t kMostLayers = 32;

std::optional<std::string> read_word(const fs::path& file) {
    const auto text = read_text(file);
    if (!text || trimmed(*text).empty()) return std::nullopt;
    return std::string(trimmed(*text));
}

std::string in_lower_case(std::string_view word) {
    std::string lower(word);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

/// Device-mapper's uuid begins with who made the device: "LVM-...", "CRYPT-LUKS2-...", "mpath-...".
std::optional<std::string> kind_of(const fs::path& device) {
    if (const auto uuid = read_word(device / "dm/uuid")) return in_lower_case(uuid->substr(0, uuid->find('-')));
    return read_word(device / "md/level");
}

DiskLayer describe(const fs::path& device) {
    DiskLayer layer;
    layer.name = device.filename().string();
    layer.kind = kind_of(device);
    layer.write_cache = read_word(device / "queue/write_cache");
    if (const auto schedulers = read_text(device / "queue/scheduler")) layer.scheduler = parse_chosen(*schedulers);
    return layer;
}

/// The folder of the device itself for that of a partition, which lies in it.
fs::path whole_device(const fs::path& folder) {
    std::error_code ignored;
    const fs::path device = fs::canonical(folder, ignored);
    if (device.empty()) return {};
    return fs::exists(device / "partition", ignored) ? device.parent_path() : device;
}

}  // namespace

std::vector<DiskLayer> read_disk_layers(const std::string& device_number, const fs::path& sys) {
    std::vector<DiskLayer> layers;
    std::vector<fs::path> waiting{whole_device(sys / "dev/block" / device_number)};
    for (std::size_t next = 0; next < waiting.size() && layers.size() < kMostLayers; ++next) {
        const fs::path device = waiting[next];
        if (device.empty()) continue;
        const std::string name = device.filename().string();
        if (std::ranges::find(layers, name, &DiskLayer::name) != layers.end()) continue;
        layers.push_back(describe(device));
        std::vector<fs::path> below;
        std::error_code ignored;
        for (fs::directory_iterator entry(device / "slaves", ignored), end; entry != end; entry.increment(ignored)) {
            if (ignored) break;
            below.push_back(whole_device(entry->path()));
        }
        std::ranges::sort(below);
        waiting.insert(waiting.end(), below.begin(), below.end());
    }
    return layers;
}

std::optional<std::string> number_of_device(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) return std::nullopt;
    return std::to_string(major(status.st_rdev)) + ":" + std::to_string(minor(status.st_rdev));
}

std::optional<std::string> parse_chosen(std::string_view list) {
    const auto open = list.find('['), close = list.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        // A queue without a choice names what it has.
        const auto word = trimmed(list);
        return word.empty() ? std::nullopt : std::optional(std::string(word));
    }
    return std::string(list.substr(open + 1, close - open - 1));
}

document::Json to_json(const std::vector<DiskLayer>& layers) {
    document::Json json = document::Json::array();
    for (const auto& layer : layers) {
        document::Json one = {{"name", layer.name}};
        if (layer.kind) one["kind"] = *layer.kind;
        if (layer.write_cache) one["write_cache"] = *layer.write_cache;
        if (layer.scheduler) one["scheduler"] = *layer.scheduler;
        json.push_back(std::move(one));
    }
    return json;
}

std::string in_words(const std::vector<DiskLayer>& layers) {
    std::string line;
    for (const auto& layer : layers) {
        std::string facts = layer.kind.value_or("");
        const auto add = [&facts](const std::string& fact) { facts.append(facts.empty() ? "" : ", ").append(fact); };
        if (layer.write_cache) add(*layer.write_cache);
        if (layer.scheduler) add("scheduler " + *layer.scheduler);
        line.append(line.empty() ? "" : " on ").append(layer.name);
        if (!facts.empty()) line.append(" (").append(facts).append(")");
    }
    return line;
}

}  // namespace foxbench::host
