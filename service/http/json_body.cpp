#include "service/http/json_body.hpp"

#include <algorithm>
#include <cmath>

#include "service/document/json_text.hpp"
#include "service/text/words.hpp"

namespace foxbench::http {
namespace {

/// More faults than these help nobody, and a body of a megabyte could have 100,000.
constexpr std::size_t kMaxFaults = 50;

/// What is wrong with a text; nothing where it is good.
std::optional<std::string> text_fault(const Json& value, std::size_t most, bool line_breaks) {
    if (!value.is_string()) return "has to be a text";
    const auto& written = value.get_ref<const std::string&>();
    if (text::count_characters(written) > most) return "has to have at most " + std::to_string(most) + " characters";
    if (text::has_control_characters(written, line_breaks)) return "has to be without control characters";
    return std::nullopt;
}

std::optional<std::int64_t> whole_number(const Json& value) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    // 2^53: beyond it a double does not tell neighbours apart.
    constexpr double kExact = 9007199254740992.0;
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::trunc(number) == number && std::abs(number) <= kExact) return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
}

}  // namespace

Json parse_body(std::string_view body) {
    // The parser takes a NUL for the end of its input; JSON has none anywhere.
    if (body.find('\0') != std::string_view::npos) throw Problem(400, "the body has a NUL byte and is no JSON");
    std::string fault;
    try {
        return document::parse_json(body, "the body");
    } catch (const Error& error) {
        fault = error.what();
    }
    throw Problem(400, fault);
}

BodyReader::BodyReader(const Json& object, std::string pointer) : object_(object), pointer_(std::move(pointer)) {
    if (!object_.is_object()) fault("", "has to be an object");
}

const Json* BodyReader::member(std::string_view name) {
    known_.emplace_back(name);
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> BodyReader::checked_text(std::string_view name, std::size_t most, bool line_breaks) {
    const Json* value = member(name);
    if (!value) return std::nullopt;
    if (auto wrong = text_fault(*value, most, line_breaks)) {
        fault(name, *std::move(wrong));
        return std::nullopt;
    }
    return value->get<std::string>();
}

std::optional<std::string> BodyReader::text(std::string_view name, std::size_t most) {
    return checked_text(name, most, false);
}

std::optional<std::string> BodyReader::lines(std::string_view name, std::size_t most) {
    return checked_text(name, most, true);
}

std::optional<std::int64_t> BodyReader::count(std::string_view name, std::int64_t least, std::int64_t most) {
    const Json* value = member(name);
    if (!value) return std::nullopt;
    const auto number = whole_number(*value);
    if (number && *number >= least && *number <= most) return number;
    fault(name, "has to be a whole number of " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
}

std::optional<bool> BodyReader::flag(std::string_view name) {
    const Json* value = member(name);
    if (!value) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    fault(name, "has to be true or false");
    return std::nullopt;
}

std::optional<std::vector<std::string>> BodyReader::texts(std::string_view name, std::size_t most_items,
                                                          std::size_t most) {
    const Json* value = member(name);
    if (!value) return std::nullopt;
    if (!value->is_array() || value->empty() || value->size() > most_items) {
        fault(name, "has to be a list of 1 to " + std::to_string(most_items) + " texts");
        return std::nullopt;
    }
    std::vector<std::string> items;
    const auto place = document::pointer_to(pointer_, name);
    bool good = true;
    for (std::size_t i = 0; i < value->size(); ++i) {
        auto wrong = text_fault((*value)[i], most, false);
        if (!wrong && std::ranges::find(items, (*value)[i].get_ref<const std::string&>()) != items.end())
            wrong = "is there twice";
        good = good && !wrong;
        if (wrong) faults_.push_back({document::pointer_to(place, i), *std::move(wrong)});
        if (good) items.push_back((*value)[i].get<std::string>());
    }
    if (!good) return std::nullopt;
    return items;
}

const Json* BodyReader::object(std::string_view name) {
    const Json* value = member(name);
    if (!value || value->is_object()) return value;
    fault(name, "has to be an object");
    return nullptr;
}

void BodyReader::fault(std::string_view name, std::string detail) {
    faults_.push_back({name.empty() ? pointer_ : document::pointer_to(pointer_, name), std::move(detail)});
}

void BodyReader::finish() {
    if (object_.is_object()) {
        for (const auto& [name, value] : object_.items()) {
            if (faults_.size() > kMaxFaults) break;
            if (std::ranges::find(known_, name) != known_.end()) continue;
            fault(name, "is not known here." + (known_.empty() ? std::string() : text::suggestion(name, known_)));
        }
    }
    if (faults_.empty()) return;
    if (faults_.size() > kMaxFaults) faults_.resize(kMaxFaults);
    const auto& first = faults_.front();
    Problem problem(
        422, "The body is not what this takes: " + (first.pointer.empty() ? "it" : document::printable(first.pointer)) +
                 " " + first.detail + (faults_.size() > 1 ? ", and more." : "."));
    for (auto& fault : faults_) fault.pointer = document::printable(fault.pointer, 256);
    problem.errors = faults_;
    throw problem;
}

}  // namespace foxbench::http
