#include "service/store/faulty_vfs.hpp"

#include <cstring>
#include <stdexcept>

#include <sqlite3.h>

namespace foxbench::store {
namespace {

struct Order {
    bool armed = false;
    FaultyVfs::Fault fault{};
    std::size_t calls_left = 0;  ///< that go well
    std::size_t failed = 0;
};

/// The one there is: SQLite's tables of functions have no room for more.
Order order;
sqlite3_vfs vfs;
sqlite3_io_methods methods;

/// Ours begins each file's memory; the file of the system's own VFS follows it.
struct File {
    sqlite3_file base;
};

sqlite3_vfs& system_vfs() {
    return *static_cast<sqlite3_vfs*>(vfs.pAppData);
}

sqlite3_file* system_file(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<File*>(file) + 1);
}

const sqlite3_io_methods& system_methods(sqlite3_file* file) {
    return *system_file(file)->pMethods;
}

bool is_to_fail(bool is_sync) {
    if (!order.armed || (order.fault == FaultyVfs::Fault::sync) != is_sync) return false;
    if (order.calls_left > 0) {
        --order.calls_left;
        return false;
    }
    ++order.failed;
    return true;
}

int write_fault() {
    return order.fault == FaultyVfs::Fault::full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    if (!is_to_fail(false)) return system_methods(file).xWrite(system_file(file), data, size, at);
    // A disk that fills up takes a part of it.
    if (order.fault == FaultyVfs::Fault::full && size > 1)
        (void)system_methods(file).xWrite(system_file(file), data, size / 2, at);
    return write_fault();
}

int sync(sqlite3_file* file, int flags) {
    return is_to_fail(true) ? SQLITE_IOERR_FSYNC : system_methods(file).xSync(system_file(file), flags);
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
    return is_to_fail(false) ? SQLITE_IOERR_TRUNCATE : system_methods(file).xTruncate(system_file(file), size);
}

int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    file->pMethods = nullptr;
    const int result = system_vfs().xOpen(&system_vfs(), name, system_file(file), flags, out_flags);
    if (system_file(file)->pMethods != nullptr) file->pMethods = &methods;
    return result;
}

/// Everything else is handed on as it is.
void fill_methods() {
    methods.iVersion = 2;  // what shared memory for the log needs; not 3, which would map the file
    methods.xClose = [](sqlite3_file* file) { return system_methods(file).xClose(system_file(file)); };
    methods.xRead = [](sqlite3_file* file, void* data, int size, sqlite3_int64 at) {
        return system_methods(file).xRead(system_file(file), data, size, at);
    };
    methods.xWrite = write;
    methods.xTruncate = truncate;
    methods.xSync = sync;
    methods.xFileSize = [](sqlite3_file* file, sqlite3_int64* size) {
        return system_methods(file).xFileSize(system_file(file), size);
    };
    methods.xLock = [](sqlite3_file* file, int level) { return system_methods(file).xLock(system_file(file), level); };
    methods.xUnlock = [](sqlite3_file* file, int level) {
        return system_methods(file).xUnlock(system_file(file), level);
    };
    methods.xCheckReservedLock = [](sqlite3_file* file, int* held) {
        return system_methods(file).xCheckReservedLock(system_file(file), held);
    };
    methods.xFileControl = [](sqlite3_file* file, int what, void* argument) {
        return system_methods(file).xFileControl(system_file(file), what, argument);
    };
    methods.xSectorSize = [](sqlite3_file* file) { return system_methods(file).xSectorSize(system_file(file)); };
    methods.xDeviceCharacteristics = [](sqlite3_file* file) {
        return system_methods(file).xDeviceCharacteristics(system_file(file));
    };
    methods.xShmMap = [](sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
        return system_methods(file).xShmMap(system_file(file), region, size, extend, memory);
    };
    methods.xShmLock = [](sqlite3_file* file, int offset, int count, int flags) {
        return system_methods(file).xShmLock(system_file(file), offset, count, flags);
    };
    methods.xShmBarrier = [](sqlite3_file* file) { system_methods(file).xShmBarrier(system_file(file)); };
    methods.xShmUnmap = [](sqlite3_file* file, int remove) {
        return system_methods(file).xShmUnmap(system_file(file), remove);
    };
}

}  // namespace

FaultyVfs::FaultyVfs() {
    sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    if (system == nullptr) throw std::runtime_error("SQLite has no file access");
    vfs = *system;  // its functions take the VFS for their own data alone, which the copy shares, ...
    vfs.zName = "faulty";
    vfs.pAppData = system;
    vfs.pNext = nullptr;
    vfs.szOsFile = static_cast<int>(sizeof(File)) + system->szOsFile;
    vfs.xOpen = open;  // ... and this one is handed the system's
    vfs.xDelete = [](sqlite3_vfs*, const char* name, int sync_folder) {
        return system_vfs().xDelete(&system_vfs(), name, sync_folder);
    };
    vfs.xAccess = [](sqlite3_vfs*, const char* name, int flags, int* result) {
        return system_vfs().xAccess(&system_vfs(), name, flags, result);
    };
    vfs.xFullPathname = [](sqlite3_vfs*, const char* name, int size, char* out) {
        return system_vfs().xFullPathname(&system_vfs(), name, size, out);
    };
    fill_methods();
    order = {};
    if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK) throw std::runtime_error("SQLite takes no other file access");
}

FaultyVfs::~FaultyVfs() {
    sqlite3_vfs_unregister(&vfs);
    sqlite3_vfs_register(&system_vfs(), 1);
}

void FaultyVfs::fail_from(Fault fault, std::size_t first) {
    order = {true, fault, first - 1, 0};
}

void FaultyVfs::heal() {
    order.armed = false;
}

std::size_t FaultyVfs::failed() const noexcept {
    return order.failed;
}

}  // namespace foxbench::store
