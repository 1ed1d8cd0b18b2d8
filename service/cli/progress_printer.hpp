#pragma once

#include <chrono>
#include <string>

#include "service/run/runner.hpp"

namespace foxbench::cli {

/// Tells people on stderr how a run goes: on a terminal one line that is drawn anew, else a line a series.
class ProgressPrinter : public run::RunListener {
public:
    enum class Style { bar, lines, quiet };

    explicit ProgressPrinter(Style style) : style_(style) {}
    ~ProgressPrinter() override;

    void on_started(const std::string& id) override;
    void on_stage(const std::string& what) override;
    void on_progress(const run::Progress& progress) override;
    void on_series(const run::Progress& progress, const std::string& series,
                   const stats::SeriesFigures& figures) override;
    void on_browser_start(bool) override {}
    void on_trouble(const std::string& what) override;

    /// The run is over: takes the bar away.
    void finish() { clear_bar(); }

private:
    void print_line(const std::string& text);
    void clear_bar();

    Style style_;
    bool bar_is_drawn_ = false;
};

/// "[#########-----------]  9/24  small-append, pass 1/3" and what else is known; `width` is the terminal's. Pure.
[[nodiscard]] std::string progress_bar(const run::Progress& progress, std::size_t width);

}  // namespace foxbench::cli
