#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "bidi/connection.hpp"

namespace bidi::testing {

/// One call of a command and what has to go out for it.
struct SentCommand {
    std::string name;
    std::string method;
    std::string params;
    std::function<Task<>(Connection&)> call;
};

inline void PrintTo(const SentCommand& sent, std::ostream* out) {
    *out << sent.method;
}

template <class Options>
Options with(const std::function<void(Options&)>& fill) {
    Options options;
    fill(options);
    return options;
}

/// For calls whose answer does not matter here: the server answers `{}`, which not every result can be read from.
template <class T>
Task<> answered(Task<T> task) {
    try {
        co_await std::move(task);
    } catch (const ProtocolError& error) {
        if (error.code() != ProtocolError::kMalformedAnswer) throw;
    }
}

/// All those of the module browsingContext; the other modules' are in commands_test.cpp.
std::vector<SentCommand> browsing_context_commands();

}  // namespace bidi::testing
