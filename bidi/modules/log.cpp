#include "bidi/modules/log.hpp"

namespace bidi::log {

void from_json(const json& in, Entry& entry) {
    using detail::read;
    read(in, "type", entry.type);
    read(in, "level", entry.level);
    read(in, "source", entry.source);
    read(in, "text", entry.text);
    read(in, "timestamp", entry.timestamp_ms);
    read(in, "stackTrace", entry.stack_trace);
    read(in, "method", entry.method);
    read(in, "args", entry.args);
}

}  // namespace bidi::log
