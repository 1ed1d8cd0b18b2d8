#include "service/http/openapi.hpp"

#include <algorithm>
#include <set>

#include "service/http/ascii.hpp"
#include "service/http/negotiation.hpp"

namespace foxbench::http {
namespace {

using Words = std::set<std::string>;

constexpr std::string_view kEventStream = "text/event-stream";

/// What either side says of one operation.
struct Operation {
    std::string id;
    Words path_parameters, query, headers;
    Words takes, answers;  ///< media types
    std::string scope;     ///< "none", "read", "run"
};

const char* to_string(Scope scope) {
    switch (scope) {
        case Scope::none:
            return "none";
        case Scope::read:
            return "read";
        case Scope::run:
            break;
    }
    return "run";
}

Words pattern_parameters(std::string_view pattern) {
    Words names;
    for (std::size_t begin = 0; (begin = pattern.find('{', begin)) != std::string_view::npos; ++begin)
        names.emplace(pattern.substr(begin + 1, pattern.find('}', begin) - begin - 1));
    return names;
}

Operation operation_of(const Route& route) {
    Operation operation;
    operation.id = route.operation;
    operation.path_parameters = pattern_parameters(route.pattern);
    operation.query = Words(route.query.begin(), route.query.end());
    if (route.idempotent_by_key) operation.headers.insert("Idempotency-Key");
    for (const auto& type : route.produces) operation.answers.insert(media_type_alone(type));
    if (operation.answers.contains(std::string(kEventStream))) operation.headers.insert("Last-Event-ID");
    if (changes_state(route.method) && route.method != Method::del) operation.takes.insert("application/json");
    if (route.body == Body::import_) operation.takes.insert("text/markdown");
    operation.scope = to_string(route.scope);
    return operation;
}

/// The object that `json` refers to by $ref, or itself; null where the reference leads nowhere.
const Json& resolved(const Json& json, const Json& document) {
    static const Json nothing = nullptr;
    const auto reference = json.is_object() ? json.find("$ref") : json.end();
    if (!json.is_object() || reference == json.end()) return json;
    const auto text = reference->is_string() ? reference->get<std::string>() : std::string();
    if (!text.starts_with("#/")) return nothing;
    try {
        return document.at(Json::json_pointer(text.substr(1)));
    } catch (const Json::exception&) {
        return nothing;
    }
}

void add_media_types(const Json& holder, Words& types) {
    if (!holder.is_object() || !holder.contains("content")) return;
    for (const auto& [type, ignored] : holder["content"].items()) types.insert(media_type_alone(type));
}

Operation operation_of(const Json& json, const Json& document) {
    Operation operation;
    operation.id = json.value("operationId", "");
    for (const auto& item : json.value("parameters", Json::array())) {
        const Json& parameter = resolved(item, document);
        if (!parameter.is_object()) continue;
        const auto place = parameter.value("in", ""), name = parameter.value("name", "");
        if (place == "path") operation.path_parameters.insert(name);
        if (place == "query") operation.query.insert(name);
        if (place == "header") operation.headers.insert(name);
    }
    if (json.contains("requestBody")) add_media_types(resolved(json["requestBody"], document), operation.takes);
    const Json responses = json.value("responses", Json::object());
    for (const auto& [status, response] : responses.items()) {
        if (status.starts_with('2')) add_media_types(resolved(response, document), operation.answers);
    }
    operation.scope = "none";
    for (const auto& way : json.value("security", Json::array())) {
        for (const auto& [scheme, scopes] : way.items()) {
            for (const auto& scope : scopes) operation.scope = scope.get<std::string>();
        }
    }
    return operation;
}

std::string list(const Words& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text.empty() ? "none" : text;
}

class Comparison {
public:
    void note(const std::string& place, const std::string& what) { differences_.push_back(place + ": " + what); }

    void words(const std::string& place, const std::string& what, const Words& table, const Words& document) {
        if (table != document)
            note(place, what + ": the table has " + list(table) + ", the document " + list(document));
    }

    void operations(const std::string& place, const Operation& table, const Operation& document) {
        if (table.id != document.id)
            note(place, "operationId: the table has " + table.id + ", the document " + document.id);
        if (table.scope != document.scope)
            note(place, "scope: the table has " + table.scope + ", the document " + document.scope);
        words(place, "path parameters", table.path_parameters, document.path_parameters);
        words(place, "query parameters", table.query, document.query);
        words(place, "header parameters", table.headers, document.headers);
        words(place, "bodies taken", table.takes, document.takes);
        // An operation that answers with 204 alone has no body to describe.
        if (!document.answers.empty()) words(place, "bodies answered", table.answers, document.answers);
    }

    /// Every $ref at or below `json`.
    void references(const Json& json, const Json& document) {
        if (json.is_object() && json.contains("$ref") && resolved(json, document).is_null())
            note("document", json["$ref"].dump() + " leads nowhere");
        if (!json.is_structured()) return;
        for (const auto& child : json) references(child, document);
    }

    std::vector<std::string> take() { return std::move(differences_); }

private:
    std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> check_openapi(const RouteTable& table, const Json& document) {
    Comparison comparison;
    if (!document.is_object() || !document.value("openapi", "").starts_with("3.1"))
        comparison.note("document", "is not OpenAPI 3.1");
    const Json paths = document.is_object() ? document.value("paths", Json::object()) : Json::object();

    Words in_table;
    for (const auto& route : table.routes()) {
        const auto method = lower(to_string(route.method));
        const auto place = std::string(to_string(route.method)) + " " + route.pattern;
        in_table.insert(place);
        const auto path = paths.find(route.pattern);
        if (path == paths.end() || !path->contains(method)) {
            comparison.note(place, "is in the table and not in the document");
        } else {
            comparison.operations(place, operation_of(route), operation_of((*path)[method], document));
        }
    }
    for (const auto& [path, item] : paths.items()) {
        for (const auto& [method, ignored] : item.items()) {
            std::string place = method + " " + path;
            std::ranges::transform(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(method.size()),
                                   place.begin(),
                                   [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
            if (!in_table.contains(place)) comparison.note(place, "is in the document and not in the table");
        }
    }
    comparison.references(document, document);
    return comparison.take();
}

}  // namespace foxbench::http
