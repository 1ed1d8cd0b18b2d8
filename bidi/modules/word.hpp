#pragma once

#include <string>
#include <utility>

#include "bidi/json.hpp"

namespace bidi {

/// A word of one of the protocol's enumerations, e.g. "complete" of browsingContext.ReadinessState.
///
/// The specification's words are constants of the derived class; a word that it does not name (yet) is kept as it came,
/// so that neither a newer nor an older browser makes an answer unreadable. An empty word means that none was given.
template <class Self>
class Word {
public:
    Word() = default;
    explicit Word(std::string text) : text_(std::move(text)) {}

    /// The word as it stands in the protocol.
    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }

    friend bool operator==(const Word&, const Word&) = default;

private:
    std::string text_;
};

template <class Self>
void to_json(json& out, const Word<Self>& word) {
    out = word.text();
}

}  // namespace bidi
