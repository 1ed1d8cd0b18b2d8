#include "service/document/json_text.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

#include "service/error.hpp"

namespace foxbench::document {
namespace {

/// Builds the value from the parser's events. nlohmann's own builder keeps the last of two equal members and takes any
/// depth, and its object looks a member up by walking all of them, which makes an object of a million members take
/// hours.
class StrictBuilder {
public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    StrictBuilder(Json& root, std::string_view origin) : root_(root), origin_(origin) {}

    bool null() { return scalar(nullptr); }
    bool boolean(bool value) { return scalar(value); }
    bool number_integer(number_integer_t value) { return scalar(value); }
    bool number_unsigned(number_unsigned_t value) { return scalar(value); }
    bool number_float(number_float_t value, const string_t&) { return scalar(value); }
    bool string(string_t& value) { return scalar(std::move(value)); }
    bool binary(binary_t&) { return false; }  // JSON text has none

    bool start_object(std::size_t) { return open(Json::value_t::object); }
    bool start_array(std::size_t) { return open(Json::value_t::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(string_t& name) {
        Level& level = levels_.back();
        if (!level.names.insert(name).second) {
            fail(pointer(levels_.size() - 1), "the member \"" + printable(name) + "\" is there twice");
        }
        level.value->get_ref<Json::object_t&>().emplace_back(std::move(name), Json());
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
        // "[json.exception.parse_error.101] parse error at line 1, column 5: ..."
        std::string_view what = error.what();
        if (const auto end = what.find("] "); what.starts_with('[') && end != what.npos) what.remove_prefix(end + 2);
        throw Error(ErrorCode::usage, origin_ + " is not JSON: " + printable(what, kMaxParserText));
    }

private:
    static constexpr std::size_t kMaxParserText = 300;  ///< it quotes what it read last, which can be megabytes

    struct Level {
        Json* value;
        std::unordered_set<std::string> names;  ///< of an object's members so far
    };

    /// Where the next value goes. Only the innermost open container grows, so pointers to the outer ones stay good.
    Json& slot() {
        if (levels_.empty()) return root_;
        Json& parent = *levels_.back().value;
        if (parent.is_object()) return parent.get_ref<Json::object_t&>().back().second;
        return parent.get_ref<Json::array_t&>().emplace_back();
    }

    template <class T>
    bool scalar(T&& value) {
        slot() = Json(std::forward<T>(value));
        return true;
    }

    bool open(Json::value_t type) {
        if (levels_.size() == kMaxNesting) {
            fail(pointer(levels_.size()), "nested more than " + std::to_string(kMaxNesting) + " levels deep");
        }
        Json& value = slot();
        value = Json(type);
        levels_.push_back({&value, {}});
        return true;
    }

    bool close() {
        levels_.pop_back();
        return true;
    }

    /// The pointer of what is open at `depth`: 0 is the whole text.
    std::string pointer(std::size_t depth) const {
        std::string path;
        for (std::size_t i = 0; i < depth; ++i) {
            const Json& container = *levels_[i].value;
            if (container.is_object()) {
                path = pointer_to(path, container.get_ref<const Json::object_t&>().back().first);
            } else {
                const auto size = container.size();
                path = pointer_to(path, size == 0 ? 0 : size - 1);
            }
        }
        return path;
    }

    [[noreturn]] void fail(const std::string& where, const std::string& what) const {
        throw Error(ErrorCode::usage,
                    origin_ + ": " + printable(where.empty() ? "/" : where, kMaxParserText) + ": " + what);
    }

    Json& root_;
    std::string origin_;
    std::vector<Level> levels_;
};

/// The length of the UTF-8 sequence at the beginning of `text`, 0 where there is none (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF).
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    const unsigned char second = byte(1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
    return length;
}

/// Whether `text` begins with a control character that JSON lets stand as it is: DEL, or one of C1, which is 0xC2 and
/// 0x80 to 0x9F. How many bytes it has, else 0.
std::size_t unescaped_control(std::string_view text) {
    if (text.front() == '\x7F') return 1;
    const bool is_c1 = text.front() == '\xC2' && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0;
    return is_c1 ? 2 : 0;
}

/// In JSON text these stand within strings alone, so that escaping them changes nothing of what it means.
std::string with_controls_escaped(std::string text) {
    // Most texts have neither, and two searches for one byte each are many times faster than one for either.
    if (text.find('\x7F') == std::string::npos && text.find('\xC2') == std::string::npos) return text;
    constexpr std::string_view kFirstBytes = "\x7F\xC2";
    auto at = text.find_first_of(kFirstBytes);
    std::string out;
    std::string_view rest = text;
    for (; at != std::string_view::npos; at = rest.find_first_of(kFirstBytes)) {
        out += rest.substr(0, at);
        rest.remove_prefix(at);
        if (const auto length = unescaped_control(rest); length > 0) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            const auto code_point = static_cast<unsigned char>(rest[length - 1]);
            out.append("\\u00").append(1, kDigits[code_point >> 4]).append(1, kDigits[code_point & 15]);
            rest.remove_prefix(length);
        } else {
            out += rest.front();
            rest.remove_prefix(1);
        }
    }
    return out += rest;
}

}  // namespace

Json parse_json(std::string_view text, std::string_view origin) {
    Json root;
    StrictBuilder builder(root, origin);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return root;
}

std::string to_text(const Json& json, int indent) {
    return with_controls_escaped(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

std::string pointer_to(std::string_view parent, std::string_view member) {
    std::string path(parent);
    path += '/';
    for (const char c : member) {
        if (c == '~')
            path += "~0";
        else if (c == '/')
            path += "~1";
        else
            path += c;
    }
    return path;
}

std::string pointer_to(std::string_view parent, std::size_t index) {
    return std::string(parent) + '/' + std::to_string(index);
}

std::string printable(std::string_view text, std::size_t max_bytes) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const std::size_t taken = length == 0 ? 1 : length;
        if (out.size() + taken > max_bytes) return out + "...";
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0 || first < 0x20 || unescaped_control(text) > 0)
            out += '?';
        else
            out += text.substr(0, taken);
        text.remove_prefix(taken);
    }
    return out;
}

}  // namespace foxbench::document
