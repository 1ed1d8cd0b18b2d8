#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <stdlib.h>

namespace foxbench::host::testing_support {

/// A folder that stands for /sys in tests; removed at the end.
class Tree {
public:
    Tree() {
        std::string pattern = (std::filesystem::temp_directory_path() / "foxbench-tree-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = pattern;
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    /// Writes a file, with its folders and a line break as the kernel does.
    void write(const std::filesystem::path& name, std::string_view text) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text << "\n";
    }
    /// Makes `name` a link to the folder `to` of this tree, which is made too.
    void link(const std::filesystem::path& name, const std::filesystem::path& to) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::filesystem::create_directories(path_ / to);
        std::filesystem::create_directory_symlink(path_ / to, path_ / name);
    }

private:
    std::filesystem::path path_;
};

}  // namespace foxbench::host::testing_support
