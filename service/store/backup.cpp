#include <system_error>

#include "service/error.hpp"
#include "service/store/database_copy.hpp"
#include "service/store/store_impl.hpp"

namespace foxbench::store {

void Store::backup(const std::filesystem::path& file) const {
    std::error_code error;
    if (std::filesystem::exists(file, error))  // before minutes of copying
        throw Error(ErrorCode::conflict, file.string() + " is there already; choose another name, or remove it");
    copy_database(impl_->database().path(), file, Existing::refuse);
}

std::int64_t Store::database_bytes() const {
    std::int64_t bytes = 0;
    for (const char* suffix : {"", "-wal"}) {
        std::filesystem::path path = impl_->database().path();
        path += suffix;
        std::error_code error;
        const auto size = std::filesystem::file_size(path, error);
        if (!error) bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
}

}  // namespace foxbench::store
