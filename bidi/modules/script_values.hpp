#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bidi/modules/fields.hpp"
#include "bidi/modules/word.hpp"

/// JavaScript values on their way to the browser (LocalValue) and back (RemoteValue):
/// https://w3c.github.io/webdriver-bidi/#module-script-types
namespace bidi::script {

/// script.ResultOwnership: whether results keep their object alive under a handle (until script.disown).
struct ResultOwnership : Word<ResultOwnership> {
    using Word::Word;
    static const ResultOwnership root, none;
};
inline const ResultOwnership ResultOwnership::root{"root"};
inline const ResultOwnership ResultOwnership::none{"none"};

/// The includeShadowTree of script.SerializationOptions.
struct IncludeShadowTree : Word<IncludeShadowTree> {
    using Word::Word;
    static const IncludeShadowTree none, open, all;
};
inline const IncludeShadowTree IncludeShadowTree::none{"none"};
inline const IncludeShadowTree IncludeShadowTree::open{"open"};
inline const IncludeShadowTree IncludeShadowTree::all{"all"};

/// script.SerializationOptions: how deep results are written out. nullptr: without a limit.
struct SerializationOptions {
    SerializationOptions() = default;

    std::optional<Nullable<std::uint64_t>> max_dom_depth;     ///< 0 if not given
    std::optional<Nullable<std::uint64_t>> max_object_depth;  ///< without a limit if not given
    std::optional<IncludeShadowTree> include_shadow_tree;     ///< none if not given
};

/// script.SharedReference: a node, by the id that is the same in every realm of its document.
struct SharedReference {
    SharedReference() = default;
    explicit SharedReference(std::string id, std::optional<std::string> object_handle = std::nullopt)
        : shared_id(std::move(id)), handle(std::move(object_handle)) {}

    std::string shared_id;
    std::optional<std::string> handle;
};

/// script.RemoteObjectReference: an object kept alive by ResultOwnership::root.
struct RemoteObjectReference {
    RemoteObjectReference() = default;
    explicit RemoteObjectReference(std::string object_handle, std::optional<std::string> id = std::nullopt)
        : handle(std::move(object_handle)), shared_id(std::move(id)) {}

    std::string handle;
    std::optional<std::string> shared_id;
};

/// script.RemoteValue: a value as the browser wrote it out.
struct RemoteValue {
    std::string type;  ///< "undefined", "number", "array", "node", "window", ...: the specification's word or a new one
    json value;        ///< as the type has it; null where there is none or it lay below the serialization's depth
    std::optional<std::string> handle;
    std::optional<std::string> internal_id;  ///< the same for each occurrence of an object in one result
    std::optional<std::string> shared_id;    ///< nodes only

    /// The value as JSON that a page would have meant: arrays, sets and lists of nodes as arrays; objects and maps as
    /// objects (a key that is no string in its JSON text); a bigint as its decimal digits, a date as its ISO text, a
    /// regular expression as "/pattern/flags"; NaN and infinities as such numbers (which JSON text shows as null);
    /// everything that is no data (undefined, functions, nodes, ...) or was not written out as null.
    json plain() const;
};

/// script.LocalValue: a value for the browser. Made by the functions below.
struct LocalValue {
    LocalValue() = default;
    explicit LocalValue(json value) : encoded(std::move(value)) {}

    json encoded;
};

/// script.ChannelProperties: a function in the page that sends what it is called with as a script::Message.
struct ChannelProperties {
    ChannelProperties() = default;
    explicit ChannelProperties(std::string name) : channel(std::move(name)) {}

    std::string channel;  ///< the name that the messages carry
    std::optional<SerializationOptions> serialization_options;
    std::optional<ResultOwnership> ownership;
};

using ObjectEntries = std::vector<std::pair<std::string, LocalValue>>;
using MapEntries = std::vector<std::pair<LocalValue, LocalValue>>;

LocalValue undefined_value();
LocalValue null_value();
LocalValue boolean_value(bool value);
LocalValue string_value(std::string_view text);
/// Any double: NaN, the infinities and -0 go as the protocol's special numbers.
LocalValue number_value(double number);
/// `digits`: decimal, e.g. "-12345678901234567890".
LocalValue bigint_value(std::string_view digits);
/// `text`: as Date.parse takes it, e.g. "2026-01-31T12:00:00.000Z".
LocalValue date_value(std::string_view text);
LocalValue regexp_value(std::string_view pattern, std::string_view flags = {});
LocalValue array_value(const std::vector<LocalValue>& elements);
LocalValue set_value(const std::vector<LocalValue>& elements);
LocalValue object_value(const ObjectEntries& entries);
LocalValue map_value(const MapEntries& entries);
LocalValue channel_value(const ChannelProperties& channel);
LocalValue channel_value(std::string_view channel);
LocalValue reference_value(const SharedReference& reference);
LocalValue reference_value(const RemoteObjectReference& reference);
/// The object that an earlier result referred to.
/// Throws std::invalid_argument if it has neither a handle nor a shared id.
LocalValue reference_value(const RemoteValue& value);
/// JSON data as the JavaScript value that JSON.parse would make of it.
LocalValue plain_value(const json& data);

/// The node of a result, e.g. of browsingContext.locateNodes, as a parameter of further commands.
/// Throws std::invalid_argument if the value has no shared id.
SharedReference shared_reference(const RemoteValue& value);

void to_json(json& out, const SerializationOptions& options);
void to_json(json& out, const SharedReference& reference);
void to_json(json& out, const RemoteObjectReference& reference);
void to_json(json& out, const ChannelProperties& channel);
void to_json(json& out, const LocalValue& value);
void from_json(const json& in, RemoteValue& value);

}  // namespace bidi::script
