#include "service/browser/profile.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/browser/copy_tree.hpp"
#include "service/error.hpp"
#include "service/host/digest.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::browser {

namespace fs = std::filesystem;

namespace {

constexpr const char* kProfilePattern = "foxbench-XXXXXX";
constexpr const char* kOwnerFile = "foxbench-owner";
constexpr std::string_view kOwnerFormat = "foxbench-profile 1";
constexpr const char* kTemplatesFolder = "templates";
constexpr const char* kTemplateMarker = "foxbench-template";

/// Goes up when templates are made in another way, so that old ones are not used.
constexpr std::string_view kTemplateFormat = "foxbench-template 2";
constexpr std::size_t kTemplateKeyDigits = 32;
/// Far longer than a template takes to be copied.
constexpr std::chrono::hours kTemplateGrace{1};

/// What a closed browser leaves in its profile that the next launch must not get: stored data, locks, what it was
/// doing, its crashes and pings; and foxbench's own file.
constexpr std::array kNotInTemplates{
    "storage",
    "lock",
    ".parentlock",
    "WebDriverBiDiServer.json",
    "sessionstore.jsonlz4",
    "sessionstore-backups",
    "crashes",
    "minidumps",
    "datareporting/archived",
    "saved-telemetry-pings",
    "cache2",
    kOwnerFile,
};

[[noreturn]] void fail(const std::string& what, int fault) {
    throw Error(ErrorCode::environment,
                what + ": " + std::strerror(fault) +
                    "; choose another folder for profiles, on a disk with space that you may write to");
}

std::string boot_id() {
    const auto text = host::read_text("/proc/sys/kernel/random/boot_id");
    return std::string(host::trimmed(text.value_or("unknown")));
}

/// Who a profile belongs to. The start time tells the process from a later one with the same pid, the boot id from one
/// before the machine was started again.
struct Owner {
    pid_t pid = 0;
    std::uint64_t started_ticks = 0;
    std::string boot;

    static Owner self() {
        const auto stat = host::read_process_stat(::getpid());
        return {::getpid(), stat ? stat->started_ticks : 0, boot_id()};
    }

    static std::optional<Owner> read(const fs::path& folder) {
        const auto text = host::read_text(folder / kOwnerFile);
        if (!text) return std::nullopt;
        std::istringstream stream(*text);
        std::string format;
        Owner owner;
        std::getline(stream, format);
        if (format != kOwnerFormat || !(stream >> owner.pid >> owner.started_ticks >> owner.boot)) return std::nullopt;
        return owner;
    }

    void write(const fs::path& folder) const {
        std::ofstream stream(folder / kOwnerFile);
        stream << kOwnerFormat << '\n' << pid << ' ' << started_ticks << ' ' << boot << '\n';
        stream.close();
        if (!stream) fail("cannot write into the profile folder " + folder.string(), errno);
    }

    [[nodiscard]] bool is_gone() const {
        if (boot != boot_id()) return true;
        const auto stat = host::read_process_stat(pid);
        return !stat || stat->started_ticks != started_ticks || stat->state == 'Z';
    }
};

fs::path make_folder(const fs::path& profiles_folder) {
    std::error_code fault;
    fs::create_directories(profiles_folder, fault);
    if (fault) fail("cannot make the folder for profiles " + profiles_folder.string(), fault.value());
    std::string name = (fs::absolute(profiles_folder) / kProfilePattern).lexically_normal().string();
    if (::mkdtemp(name.data()) == nullptr) fail("cannot make a profile in " + profiles_folder.string(), errno);
    return name;
}

void write_user_js(const fs::path& folder, const Preferences& preferences) {
    std::ofstream stream(folder / "user.js", std::ios::binary | std::ios::trunc);
    stream << user_js(preferences);
    stream.close();
    if (!stream) fail("cannot write user.js into " + folder.string(), errno);
}

/// Removes a profile, its owner file last: what a removal that was cut short leaves is still known as a profile to a
/// sweep.
bool remove_folder(const fs::path& folder) noexcept {
    std::error_code fault;
    const auto owner = host::read_text(folder / kOwnerFile);
    bool empty = true;
    for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end; entry.increment(fault)) {
        if (entry->path().filename() == kOwnerFile) continue;
        std::error_code stuck;
        fs::remove_all(entry->path(), stuck);
        empty = empty && !stuck;
    }
    if (!fault && empty) {
        fs::remove(folder / kOwnerFile, fault);
        fs::remove(folder, fault);
        // Something was written into it in this very moment.
        if (fault && owner) std::ofstream(folder / kOwnerFile) << *owner;
    }
    return !fs::exists(folder, fault);
}

void sync_filesystem_of(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::syncfs(descriptor);
    ::close(descriptor);
}

}  // namespace

Profile Profile::create(const fs::path& profiles_folder, const Preferences& preferences,
                        const fs::path& template_folder) {
    Profile profile(make_folder(profiles_folder));
    Owner::self().write(profile.folder_);
    if (!template_folder.empty()) {
        if (const auto fault = copy_tree(template_folder, profile.folder_, kTemplateMarker)) {
            fail("cannot copy the profile template " + template_folder.string() + " to " + profile.folder_.string(),
                 fault.value());
        }
    }
    write_user_js(profile.folder_, preferences);
    return profile;
}

Profile::Profile(Profile&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}

Profile& Profile::operator=(Profile&& other) noexcept {
    if (this != &other) {
        static_cast<void>(remove());
        folder_ = std::exchange(other.folder_, {});
    }
    return *this;
}

Profile::~Profile() {
    static_cast<void>(remove());
}

bool Profile::remove() noexcept {
    if (folder_.empty()) return true;
    if (!remove_folder(folder_)) return false;
    folder_.clear();
    return true;
}

fs::path Profile::release() noexcept {
    return std::exchange(folder_, {});
}

SweepReport sweep(const fs::path& profiles_folder) {
    SweepReport report;
    std::error_code fault;
    for (fs::directory_iterator entry(profiles_folder, fault), end; !fault && entry != end; entry.increment(fault)) {
        std::error_code ignored;
        if (!fs::is_directory(entry->symlink_status(ignored))) continue;
        const auto owner = Owner::read(entry->path());
        if (!owner || !owner->is_gone()) continue;
        const fs::path folder = entry->path();
        (remove_folder(folder) ? report.removed : report.stuck).push_back(folder);
    }
    return report;
}

std::string template_key(const document::Browser& build, const Preferences& preferences) {
    host::Sha256 hash;
    hash.update(kTemplateFormat).update("\n");
    hash.update(build.sha256.value_or(build.version + build.build_id.value_or(""))).update("\n");
    // A profile remembers the folder of the browser that used it last, and starts slowly in another one.
    hash.update(build.binary.value_or("")).update("\n");
    hash.update(preferences.dump(-1, ' ', false, document::Json::error_handler_t::replace));
    return hash.hex().substr(0, kTemplateKeyDigits);
}

fs::path template_folder(const fs::path& profiles_folder, const std::string& key) {
    return profiles_folder / kTemplatesFolder / key;
}

bool use_template(const fs::path& folder) {
    return ::utimensat(AT_FDCWD, (folder / kTemplateMarker).c_str(), nullptr, 0) == 0;
}

void publish_template(Profile profile, const fs::path& folder) {
    std::error_code fault;
    const fs::path source = profile.folder();
    for (const char* name : kNotInTemplates) {
        // The owner file stays as long as the folder is a profile, so that a sweep can remove it after a crash in here.
        if (std::string_view(name) != kOwnerFile) fs::remove_all(source / name, fault);
    }
    std::ofstream(source / kTemplateMarker) << kTemplateFormat << '\n';
    fs::create_directories(folder.parent_path(), fault);
    if (fault) fail("cannot make the folder for templates " + folder.parent_path().string(), fault.value());
    // Otherwise a machine that loses its power may have the name on disk without the content.
    sync_filesystem_of(source);
    fs::rename(source, folder, fault);
    if (fault) {
        if (use_template(folder)) return;  // somebody else was faster, and theirs is as good
        fail("cannot make the template " + folder.string(), fault.value());
    }
    fs::remove(folder / kOwnerFile, fault);
    static_cast<void>(profile.release());
}

void prune_templates(const fs::path& profiles_folder, std::size_t kept) {
    struct Candidate {
        fs::file_time_type used;
        fs::path folder;
    };
    std::vector<Candidate> candidates;
    std::error_code fault;
    const fs::path templates = profiles_folder / kTemplatesFolder;
    for (fs::directory_iterator entry(templates, fault), end; !fault && entry != end; entry.increment(fault)) {
        std::error_code ignored;
        if (!fs::is_directory(entry->symlink_status(ignored))) continue;
        const auto used = fs::last_write_time(entry->path() / kTemplateMarker, ignored);
        if (!ignored) candidates.push_back({used, entry->path()});
    }
    std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.used > b.used; });
    const auto now = fs::file_time_type::clock::now();
    for (std::size_t i = kept; i < candidates.size(); ++i) {
        if (now - candidates[i].used > kTemplateGrace) fs::remove_all(candidates[i].folder, fault);
    }
}

}  // namespace foxbench::browser
