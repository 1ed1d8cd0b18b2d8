#include "service/store/comparisons.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "service/error.hpp"
#include "service/store/baselines.hpp"
#include "service/store/history_store.hpp"
#include "service/text/words.hpp"

namespace foxbench::store {
namespace {

using compare::Comparison;
using compare::Side;
using document::RunDocument;

/// A side as it was asked for.
struct Word {
    std::string run;  ///< its id
    std::optional<std::string> target;
};

Word read_word(Store& store, std::string_view text) {
    const bool baseline = text.starts_with(kBaselinePrefix);
    if (baseline) text.remove_prefix(kBaselinePrefix.size());
    Word word;
    const auto colon = text.find(':');
    if (colon != std::string_view::npos) word.target = text.substr(colon + 1);
    const auto name = text.substr(0, colon);
    word.run = baseline ? Baselines(store).find(std::string(name)).run : store.resolve(name);
    return word;
}

std::vector<std::string> names_of(const RunDocument& run) {
    std::vector<std::string> names;
    for (const auto& target : run.targets) names.push_back(target.name);
    return names;
}

std::optional<Side> side_of(const RunDocument& run, const std::string& target) {
    for (std::size_t i = 0; i < run.targets.size(); ++i) {
        if (run.targets[i].name == target) return Side{&run, i};
    }
    return std::nullopt;
}

Side named_side(const RunDocument& run, const std::string& target) {
    if (const auto side = side_of(run, target)) return *side;
    throw Error(ErrorCode::not_found,
                "the run " + run.id + " has no target '" + target + "'." + text::suggestion(target, names_of(run)));
}

/// The other side of a named one: the target of the same name, or the only one there is.
Side matching_side(const RunDocument& run, const std::string& target) {
    if (const auto side = side_of(run, target)) return *side;
    if (run.targets.size() == 1) return {&run, 0};
    throw Error(ErrorCode::usage, "the run " + run.id + " has no target '" + target + "'; say which one is meant, " +
                                      run.id + ":TARGET, with TARGET one of " + text::join(names_of(run)));
}

std::vector<std::pair<Side, Side>> pair_up(const RunDocument& base, const Word& base_word, const RunDocument& next,
                                           const Word& next_word) {
    if (base_word.target && next_word.target)
        return {{named_side(base, *base_word.target), named_side(next, *next_word.target)}};
    if (&base == &next) {
        throw Error(ErrorCode::usage, "both are the run " + base.id + "; say which of its targets are meant, such as " +
                                          base.id + ":" + names_of(base).front() + " and " + base.id + ":" +
                                          names_of(base).back());
    }
    if (base_word.target) return {{named_side(base, *base_word.target), matching_side(next, *base_word.target)}};
    if (next_word.target) return {{matching_side(base, *next_word.target), named_side(next, *next_word.target)}};
    std::vector<std::pair<Side, Side>> pairs;
    for (const auto& name : names_of(base)) {
        if (const auto side = side_of(next, name)) pairs.emplace_back(*side_of(base, name), *side);
    }
    if (pairs.empty() && base.targets.size() == 1 && next.targets.size() == 1)
        pairs.push_back({{&base, 0}, {&next, 0}});
    if (pairs.empty()) {
        throw Error(ErrorCode::usage, "the runs have no target in common (" + base.id + ": " +
                                          text::join(names_of(base)) + "; " + next.id + ": " +
                                          text::join(names_of(next)) + "); say which ones are meant, RUN:TARGET");
    }
    return pairs;
}

void refuse_obstacles(const std::vector<std::pair<Side, Side>>& pairs) {
    std::vector<std::string> all;
    for (const auto& [base, next] : pairs) {
        for (auto& one : compare::obstacles(base, next)) {
            if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
        }
    }
    if (all.empty()) return;
    throw Error(ErrorCode::conflict, "these cannot be compared: " + text::join(all, " ") +
                                         " To compare them all the same: --force, or force=1 over HTTP.");
}

}  // namespace

std::vector<Comparison> compare_runs(Store& store, const CompareRequest& request) {
    const Word base_word = read_word(store, request.base);
    const Word next_word = read_word(store, request.next);
    const RunDocument base = store.load(base_word.run);
    std::optional<RunDocument> other;
    if (next_word.run != base_word.run) other = store.load(next_word.run);
    const RunDocument& next = other ? *other : base;
    for (const auto* run : {&base, &next}) {
        if (run->targets.empty()) throw Error(ErrorCode::conflict, "the run " + run->id + " has no target");
    }
    const auto pairs = pair_up(base, base_word, next, next_word);
    if (!request.force) refuse_obstacles(pairs);

    const HistoryStore histories(store);
    const compare::AaLookup aa = [&](const Side& side, const std::string& series) -> std::optional<stats::AaSpread> {
        document::Series named;
        named.name = series;
        const auto known = histories.spread(history::key_of(*side.run, side.run->targets[side.target], named));
        if (!known) return std::nullopt;
        return known->spread;
    };
    std::vector<Comparison> comparisons;
    for (const auto& [one, another] : pairs) comparisons.push_back(compare::compare(one, another, aa));
    return comparisons;
}

}  // namespace foxbench::store
