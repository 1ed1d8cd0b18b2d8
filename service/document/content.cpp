#include "service/document/content.hpp"

#include <algorithm>
#include <vector>

#include "service/document/json_text.hpp"
#include "service/document/object_reader.hpp"

namespace foxbench::document {
namespace {

void write_canonical(const Json& json, std::string& out) {
    if (json.is_object()) {
        const auto& members = json.get_ref<const Json::object_t&>();
        std::vector<const Json::object_t::value_type*> sorted;
        for (const auto& member : members) sorted.push_back(&member);
        std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
        out += '{';
        for (const auto* member : sorted) {
            if (out.back() != '{') out += ',';
            out += to_text(Json(member->first)) + ':';
            write_canonical(member->second, out);
        }
        out += '}';
    } else if (json.is_array()) {
        out += '[';
        for (const Json& element : json) {
            if (&element != &json.front()) out += ',';
            write_canonical(element, out);
        }
        out += ']';
    } else if (json.is_number_float()) {
        out += to_text(number_to_json(json.get<double>()));
    } else {
        out += to_text(json);
    }
}

}  // namespace

std::string canonical_text(const RunDocument& document) {
    Json json = to_json(document);
    json.erase("id");
    std::string text;
    write_canonical(json, text);
    return text;
}

bool content_equal(const RunDocument& a, const RunDocument& b) {
    return canonical_text(a) == canonical_text(b);
}

}  // namespace foxbench::document
