#include "service/store/sqlite.hpp"

#include <utility>

#include <sqlite3.h>

#include "service/error.hpp"

namespace foxbench::store {
namespace {

constexpr Sql kBeginRead{"begin reading", "BEGIN DEFERRED"};
constexpr Sql kBeginWrite{"begin writing", "BEGIN IMMEDIATE"};
constexpr Sql kCommit{"commit", "COMMIT"};
constexpr Sql kRollback{"roll back", "ROLLBACK"};

struct Meaning {
    ErrorCode code;
    const char* advice;
};

constexpr const char* kNoSpace = "; free space on its disk";

/// What a result code (https://sqlite.org/rescode.html) means for a user.
Meaning meaning_of(int result) {
    // The one input error that a full disk gives: the index of the write-ahead log cannot grow.
    if (result == SQLITE_IOERR_SHMSIZE) return {ErrorCode::environment, kNoSpace};
    switch (result & 0xFF) {
        case SQLITE_FULL:
            return {ErrorCode::environment, kNoSpace};
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            return {ErrorCode::environment,
                    "; make the file and its folder writable for this user, or use another results folder"};
        case SQLITE_CANTOPEN:
            return {ErrorCode::environment,
                    "; see that the folder is there and writable for this user, or use another results folder"};
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return {ErrorCode::environment, "; another process holds it: try again, or end that process"};
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return {ErrorCode::environment, "; the file is damaged or no database: move it away and restore a backup"};
        case SQLITE_IOERR:
            return {ErrorCode::environment, "; the disk reported an error: see the kernel's log"};
        case SQLITE_NOMEM:
        case SQLITE_TOOBIG:
            return {ErrorCode::environment, "; there is not enough memory for it"};
        default:
            return {ErrorCode::internal, "; this is a fault of foxbench"};
    }
}

}  // namespace

// ---- Statement ----

Statement::Statement(Database& database, sqlite3_stmt* handle, const Sql& sql, bool cached)
    : database_(&database), handle_(handle), sql_(sql), cached_(cached) {}

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      handle_(std::exchange(other.handle_, nullptr)),
      sql_(other.sql_),
      cached_(other.cached_) {}

Statement::~Statement() {
    if (handle_ == nullptr) return;
    if (cached_)
        database_->give_back(sql_.text, handle_);
    else
        sqlite3_finalize(handle_);
}

void Statement::check(int result) const {
    if (result != SQLITE_OK) database_->fail(result, sql_.name);
}

void Statement::bind_one(int index, std::int64_t value) {
    check(sqlite3_bind_int64(handle_, index, value));
}

void Statement::bind_one(int index, std::string_view text) {
    // A null pointer would bind NULL, which an empty view must not.
    const char* data = text.data() == nullptr ? "" : text.data();
    check(sqlite3_bind_text64(handle_, index, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind_one(int index, Blob blob) {
    const char* data = blob.bytes.data() == nullptr ? "" : blob.bytes.data();
    check(sqlite3_bind_blob64(handle_, index, data, blob.bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bind_one(int index, Real real) {
    check(sqlite3_bind_double(handle_, index, real.value));
}

void Statement::bind_one(int index, std::nullopt_t) {
    check(sqlite3_bind_null(handle_, index));
}

bool Statement::step() {
    const int result = sqlite3_step(handle_);
    if (result == SQLITE_ROW) return true;
    if (result == SQLITE_DONE) return false;
    database_->fail(result, sql_.name);
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(handle_, column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(handle_, column);
}

std::string_view Statement::bytes(int column) const {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(handle_, column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::optional<std::string> Statement::optional_text(int column) const {
    if (is_null(column)) return std::nullopt;
    return text(column);
}

// ---- Database ----

Database::Database(const std::filesystem::path& path, bool create) : path_(path) {
    const int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (create ? SQLITE_OPEN_CREATE : 0);
    const int result = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
    if (result != SQLITE_OK) {
        try {
            fail(result, "open the database");
        } catch (...) {
            sqlite3_close_v2(handle_);  // SQLite gives a handle also where it fails, for the error's text
            throw;
        }
    }
    set_busy_timeout(kBusyTimeout);
}

Database::~Database() {
    for (auto& [text, handles] : idle_) {
        for (sqlite3_stmt* handle : handles) sqlite3_finalize(handle);
    }
    sqlite3_close_v2(handle_);
}

void Database::fail(int result, const char* what) const {
    const Meaning meaning = meaning_of(result);
    const char* text =
        handle_ != nullptr && sqlite3_errcode(handle_) == result ? sqlite3_errmsg(handle_) : sqlite3_errstr(result);
    throw Error(meaning.code,
                "store: could not " + std::string(what) + " (" + path_.string() + "): " + text + meaning.advice);
}

sqlite3_stmt* Database::compile(const char* name, const char* text) {
    sqlite3_stmt* handle = nullptr;
    const int result = sqlite3_prepare_v3(handle_, text, -1, SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
    if (result != SQLITE_OK) fail(result, name);
    return handle;
}

Statement Database::prepare(const Sql& sql) {
    auto& idle = idle_[sql.text];
    if (idle.empty()) return {*this, compile(sql.name, sql.text), sql, true};
    sqlite3_stmt* handle = idle.back();
    idle.pop_back();
    return {*this, handle, sql, true};
}

Statement Database::prepare_once(const char* name, const std::string& text) {
    return {*this, compile(name, text.c_str()), Sql{name, nullptr}, false};
}

void Database::give_back(const char* text, sqlite3_stmt* handle) noexcept {
    sqlite3_reset(handle);
    sqlite3_clear_bindings(handle);
    try {
        idle_[text].push_back(handle);
    } catch (...) {
        sqlite3_finalize(handle);  // no memory to remember it
    }
}

void Database::execute(const Sql& sql) {
    const int result = sqlite3_exec(handle_, sql.text, nullptr, nullptr, nullptr);
    if (result != SQLITE_OK) fail(result, sql.name);
}

std::int64_t Database::number(const Sql& pragma) {
    Statement statement = prepare_once(pragma.name, pragma.text);
    return statement.step() ? statement.integer(0) : 0;
}

void Database::set_busy_timeout(std::chrono::milliseconds timeout) noexcept {
    sqlite3_busy_timeout(handle_, static_cast<int>(timeout.count()));
}

std::int64_t Database::last_insert_key() const noexcept {
    return sqlite3_last_insert_rowid(handle_);
}

std::int64_t Database::changes() const noexcept {
    return sqlite3_changes64(handle_);
}

bool Database::in_transaction() const noexcept {
    return sqlite3_get_autocommit(handle_) == 0;
}

bool Database::failed_busy() const noexcept {
    return (sqlite3_errcode(handle_) & 0xFF) == SQLITE_BUSY;
}

// ---- Transaction ----

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
    database_.prepare(kind == Kind::read ? kBeginRead : kBeginWrite).run();
}

Transaction::~Transaction() {
    if (!open_ || !database_.in_transaction()) return;  // a full disk makes SQLite roll back on its own
    try {
        database_.prepare(kRollback).run();
    } catch (...) {
        // The connection is broken; SQLite rolls back when the file is opened again.
    }
}

void Transaction::commit() {
    database_.prepare(kCommit).run();
    open_ = false;
}

}  // namespace foxbench::store
