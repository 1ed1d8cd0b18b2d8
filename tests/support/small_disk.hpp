#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace foxbench::testing_support {

/// A filesystem of its own of a few MiB, in memory, at a folder; unmounted at the end.
class SmallDisk {
public:
    /// Nothing where this process may not mount (it needs CAP_SYS_ADMIN).
    [[nodiscard]] static std::optional<SmallDisk> mount_at(const std::filesystem::path& folder, std::size_t mebibytes);
    SmallDisk(SmallDisk&& other) noexcept;
    SmallDisk& operator=(SmallDisk&& other) noexcept;
    ~SmallDisk();

    /// Takes all the space that is left.
    void fill() const;
    /// Gives it back.
    void empty() const;

private:
    explicit SmallDisk(std::filesystem::path folder);

    std::filesystem::path folder_;
};

}  // namespace foxbench::testing_support
