#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

/// SQLite's C interface, wrapped once: what is opened is closed, and what fails is a foxbench::Error with SQLite's
/// text, the database's path and what to do. Not thread-safe; one thread at a time.
namespace foxbench::store {

/// A statement and the name under which errors speak of it.
struct Sql {
    const char* name;  ///< what it does, as in "store: could not insert the run: ..."
    const char* text;
};

/// Bytes, as opposed to text, where a value is bound.
struct Blob {
    std::string_view bytes;
};

/// A floating-point number where a value is bound.
struct Real {
    double value = 0;
};

class Database;

/// A prepared statement, taken from its database's cache and given back to it at the end. It must not outlive the
/// database.
class Statement {
public:
    Statement(Database& database, sqlite3_stmt* handle, const Sql& sql, bool cached);
    ~Statement();
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;

    /// Binds the parameters ?1, ?2, ... in order.
    template <class... Values>
    Statement&& bind(const Values&... values) && {
        int index = 0;
        (bind_one(++index, values), ...);
        return std::move(*this);
    }
    void bind_one(int index, std::int64_t value);
    void bind_one(int index, std::string_view text);
    void bind_one(int index, const std::string& text) { bind_one(index, std::string_view(text)); }
    void bind_one(int index, const char* text) { bind_one(index, std::string_view(text)); }
    void bind_one(int index, Blob blob);
    void bind_one(int index, Real real);
    void bind_one(int index, std::nullopt_t);
    template <class T>
    void bind_one(int index, const std::optional<T>& value) {
        if (value)
            bind_one(index, *value);
        else
            bind_one(index, std::nullopt);
    }

    /// Goes to the next row; false at the end.
    bool step();
    /// Executes a statement that gives no rows.
    void run() { (void)step(); }

    // Columns of the row, from 0. Views live until the next step.
    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view bytes(int column) const;  ///< text or blob
    [[nodiscard]] std::string text(int column) const { return std::string(bytes(column)); }
    [[nodiscard]] std::optional<std::string> optional_text(int column) const;

private:
    void check(int result) const;

    Database* database_;
    sqlite3_stmt* handle_;
    Sql sql_;
    bool cached_;
};

class Database {
public:
    /// How long a call waits for another process's transaction. Those take milliseconds; the longest one, an import of
    /// a large run, seconds.
    static constexpr std::chrono::milliseconds kBusyTimeout{10'000};

    /// Opens the file, or makes it with `create`. Throws `environment`.
    Database(const std::filesystem::path& path, bool create);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    /// A cached statement. `sql` has to be a constant.
    [[nodiscard]] Statement prepare(const Sql& sql);
    /// A statement that was put together for once.
    [[nodiscard]] Statement prepare_once(const char* name, const std::string& text);
    /// Executes statements without parameters and results: schema and pragmas.
    void execute(const Sql& sql);
    /// The value of a pragma that is a number.
    [[nodiscard]] std::int64_t number(const Sql& pragma);

    /// How long the following calls wait for other connections; kBusyTimeout at first.
    void set_busy_timeout(std::chrono::milliseconds timeout) noexcept;

    [[nodiscard]] std::int64_t last_insert_key() const noexcept;
    /// Rows that the last statement changed.
    [[nodiscard]] std::int64_t changes() const noexcept;
    [[nodiscard]] bool in_transaction() const noexcept;
    /// Whether the last call failed because another connection holds the database.
    [[nodiscard]] bool failed_busy() const noexcept;

    /// Throws what an SQLite result code means for the user. Public for the wrapper's other classes.
    [[noreturn]] void fail(int result, const char* what) const;

private:
    friend class Statement;
    void give_back(const char* text, sqlite3_stmt* handle) noexcept;
    sqlite3_stmt* compile(const char* name, const char* text);

    std::filesystem::path path_;
    sqlite3* handle_ = nullptr;
    std::map<const char*, std::vector<sqlite3_stmt*>> idle_;  ///< by the address of the constant text
};

/// Everything between its beginning and commit() happens, or nothing: without commit() it is rolled back at the end.
class Transaction {
public:
    enum class Kind {
        read,  ///< one consistent state for several statements
        write  ///< takes the write lock at once, so that what was read is still true when it is written
    };
    Transaction(Database& database, Kind kind);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    /// On the disk when it returns.
    void commit();

private:
    Database& database_;
    bool open_ = true;
};

}  // namespace foxbench::store
