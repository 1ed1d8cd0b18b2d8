#pragma once

#include <memory>
#include <string>

#include "service/cli/daemon_option.hpp"
#include "service/cli/settings.hpp"
#include "service/document/run_document.hpp"
#include "service/store/store.hpp"

namespace foxbench::cli {

/// The stored runs that a command works on, wherever they are: a daemon's, or those of a store on this machine. Both
/// answer the same and throw the same foxbench::Error; a daemon's may also be `environment` where it cannot be reached.
class RunSource {
public:
    virtual ~RunSource() = default;

    /// The id that a user means by `text`, see store::Store::resolve(). The other calls take ids.
    [[nodiscard]] virtual std::string resolve(const std::string& text) const = 0;
    [[nodiscard]] virtual store::RunPage list(const store::RunFilter& filter) const = 0;
    /// The run's report, or the one table asked for, in the format asked for.
    [[nodiscard]] virtual std::string report(const std::string& run, const OutputOptions& as) const = 0;
    /// The run document as JSON text on one line, without a line end.
    [[nodiscard]] virtual std::string document(const std::string& run) const = 0;
    /// Stores a document with its files; see store::Store::import_document().
    virtual store::Imported import_document(const document::RunDocument& document) = 0;
    /// Removes a run with its files. `conflict` where it has not ended.
    virtual void remove(const std::string& run) = 0;
};

/// The daemon that DaemonOption::find_unless() names, else the store on this machine, opened as `mode` says.
[[nodiscard]] std::unique_ptr<RunSource> open_runs(const StoreOptions& store, const DaemonOption& daemon,
                                                   store::Store::Mode mode = store::Store::Mode::existing);

}  // namespace foxbench::cli
