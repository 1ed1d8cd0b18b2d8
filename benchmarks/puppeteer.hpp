#pragma once

#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "benchmarks/arguments.hpp"
#include "bidi/task.hpp"

namespace foxbench::benchmarks {

/// Puppeteer in a process of its own (peers/puppeteer_driver.mjs), asked one thing after another. The process ends with
/// this.
class Puppeteer {
public:
    /// Null, with a line on stderr that says how to get it, where Node.js or Puppeteer is not installed.
    [[nodiscard]] static bidi::Task<std::unique_ptr<Puppeteer>> start(Arguments arguments);
    ~Puppeteer();

    /// Sends a request and waits for its answer; the event loop runs meanwhile. Throws std::runtime_error for an error
    /// answer.
    [[nodiscard]] bidi::Task<nlohmann::json> ask(nlohmann::json request);

private:
    class Impl;
    explicit Puppeteer(std::unique_ptr<Impl> impl) noexcept;

    std::unique_ptr<Impl> impl_;
};

}  // namespace foxbench::benchmarks
