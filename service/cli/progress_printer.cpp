#include "service/cli/progress_printer.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "service/cli/aligned.hpp"
#include "service/cli/settings.hpp"
#include "service/report/numbers.hpp"

namespace foxbench::cli {
namespace {

constexpr std::size_t kBarCells = 24;
constexpr std::size_t kDefaultWidth = 80;

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefaultWidth;
    return size.ws_col;
}

std::string place(const run::Progress& progress) {
    std::string text = progress.target;
    if (progress.launches > 1) text += " " + std::to_string(progress.launch) + "/" + std::to_string(progress.launches);
    return text;
}

std::string remaining(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 120) return std::to_string(whole) + " s";
    return std::to_string((whole + 59) / 60) + " min";
}

}  // namespace

std::string progress_bar(const run::Progress& progress, std::size_t width) {
    const auto total = std::max<std::int64_t>(1, progress.passes_total);
    const auto filled = static_cast<std::size_t>(progress.passes_stored * static_cast<std::int64_t>(kBarCells) / total);
    std::string line = "[" + std::string(filled, '#') + std::string(kBarCells - filled, '-') + "] " +
                       std::to_string(progress.passes_stored) + "/" + std::to_string(progress.passes_total) + "  " +
                       place(progress);
    if (!progress.series.empty()) {
        line +=
            ": " + progress.series +
            (progress.pass == 0 ? ", warm-up"
                                : ", pass " + std::to_string(progress.pass) + "/" + std::to_string(progress.passes));
    }
    if (progress.eta_seconds) line += "  about " + remaining(*progress.eta_seconds) + " left";
    while (display_width(line) + 1 > width && !line.empty()) line.pop_back();
    return line;
}

ProgressPrinter::~ProgressPrinter() {
    clear_bar();
}

void ProgressPrinter::on_started(const std::string& id) {
    if (style_ != Style::quiet) print_line("Run " + id);
}

void ProgressPrinter::on_stage(const std::string& what) {
    if (style_ != Style::quiet) print_line(what);
}

void ProgressPrinter::on_progress(const run::Progress& progress) {
    if (style_ != Style::bar) return;
    std::cerr << "\r\033[K" << for_terminal(progress_bar(progress, terminal_width())) << std::flush;
    bar_is_drawn_ = true;
}

void ProgressPrinter::on_series(const run::Progress& progress, const std::string& series,
                                const stats::SeriesFigures& figures) {
    if (style_ != Style::lines) return;
    std::string line = place(progress) + ": " + series + ": ";
    line += figures.mean_us ? report::cost(*figures.mean_us) + " per call" : "no calls";
    if (figures.summary.total_ms) line += " (" + report::total(*figures.summary.total_ms) + " a pass)";
    print_line(line);
}

void ProgressPrinter::on_trouble(const std::string& what) {
    print_line("note: " + what);
}

void ProgressPrinter::print_line(const std::string& text) {
    clear_bar();
    std::cerr << for_terminal(text) << std::endl;
}

void ProgressPrinter::clear_bar() {
    if (bar_is_drawn_) std::cerr << "\r\033[K" << std::flush;
    bar_is_drawn_ = false;
}

}  // namespace foxbench::cli
