#pragma once

#include <chrono>
#include <string>

namespace foxbench::fake_browser {

/// Starts a process in a session of its own, as Firefox's crash helper is, that holds the streams of this one for so
/// long and then ends. With a folder it writes new files into it all the time.
void start_grandchild(std::chrono::milliseconds lifetime, const std::string& folder);

}  // namespace foxbench::fake_browser
