#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/report/numbers.hpp"
#include "service/report/text.hpp"

namespace foxbench::report {

/// Rows of cells as RFC 4180 has them (lines end with CR LF), one call a cell. For one thread at a time.
class CsvSheet {
public:
    explicit CsvSheet(const std::vector<std::string_view>& columns) {
        for (const auto column : columns) text(column);
        end();
    }

    CsvSheet& text(std::string_view value) { return cell(csv_cell(value)); }
    /// In full; an empty cell for none and for what is not finite.
    CsvSheet& number(std::optional<double> value) { return cell(value ? in_full(*value) : ""); }
    CsvSheet& number(std::optional<std::int64_t> value) { return cell(value ? std::to_string(*value) : ""); }
    CsvSheet& count(std::size_t value) { return cell(std::to_string(value)); }
    CsvSheet& yes_no(bool value) { return cell(value ? "true" : "false"); }

    /// Ends the row.
    void end() {
        sheet_ += "\r\n";
        first_ = true;
    }

    /// All of it; the sheet is empty then.
    [[nodiscard]] std::string take() { return std::move(sheet_); }

private:
    CsvSheet& cell(const std::string& written) {
        if (!first_) sheet_ += ',';
        first_ = false;
        sheet_ += written;
        return *this;
    }

    std::string sheet_;
    bool first_ = true;
};

}  // namespace foxbench::report
