// Stands in for libFuzzer where there is none: gives a target its corpus, and a series of mutations of it that is the
// same every time.
//
//     fuzz_NAME CORPUS_FOLDER MUTATIONS [SEED]
//     fuzz_NAME INPUT_FILE...
#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "tests/fuzz/target.hpp"

namespace {

constexpr unsigned kSeed = 20260915;
/// Longer ones are cut: what a parser does with them, it does with these.
constexpr std::size_t kMaxInputBytes = 16 * 1024;
/// Changes to one input at a time.
constexpr unsigned kMaxChanges = 8;
constexpr const char* kCrashFile = "fuzz-crash-input";

/// What the parsers under test have a meaning for.
constexpr std::array<std::string_view, 30> kWords{"0",
                                                  "-1",
                                                  "9007199254740993",
                                                  "18446744073709551616",
                                                  "1e999",
                                                  "NaN",
                                                  "null",
                                                  "{}",
                                                  "[]",
                                                  "\"",
                                                  "\\u",
                                                  "\xff",
                                                  "\xed\xa0\x80",
                                                  "\xc2\x9b",
                                                  "\x1b[",
                                                  "\xe2\x80\xa8",
                                                  "%00",
                                                  "%2e%2e%2f",
                                                  "\r\n",
                                                  "\n",
                                                  "|",
                                                  "\\",
                                                  "*/",
                                                  ",",
                                                  "-",
                                                  "KiB",
                                                  "y",
                                                  "\"id\":",
                                                  "@daily",
                                                  "–"};

using Input = std::string;

/// For the signal handler.
Input current;

/// Keeps the input that ended the process. Only calls that a signal handler may make.
void keep_input(int signal) {
    const int file = open(kCrashFile, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file >= 0 && write(file, current.data(), current.size()) >= 0) {
        constexpr std::string_view kSaid = "fuzz: the input that did this is in ./";
        (void)!write(STDERR_FILENO, kSaid.data(), kSaid.size());
        (void)!write(STDERR_FILENO, kCrashFile, std::strlen(kCrashFile));
        (void)!write(STDERR_FILENO, "\n", 1);
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

Input read(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class Mutator {
public:
    Mutator(const std::vector<Input>& corpus, unsigned seed) : corpus_(corpus), random_(seed) {}

    Input next() {
        Input input = corpus_[below(corpus_.size())];
        for (auto changes = 1 + below(kMaxChanges); changes > 0; --changes) change(input);
        if (input.size() > kMaxInputBytes) input.resize(kMaxInputBytes);
        return input;
    }

private:
    /// The remainder, since the standard's distributions give other numbers in other libraries.
    std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

    void change(Input& input) {
        const auto at = below(input.size() + 1);
        const auto length = std::min(1 + below(16), input.size() - at);
        switch (below(7)) {
            case 0:
                if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
                break;
            case 1:
                input.insert(at, 1, static_cast<char>(below(256)));
                break;
            case 2:
                input.erase(at, length);
                break;
            case 3:
                input.insert(at, kWords[below(kWords.size())]);
                break;
            case 4:
                input.replace(at, length, kWords[below(kWords.size())]);
                break;
            case 5:
                input.insert(below(input.size() + 1), Input(input.substr(at, length)));
                break;
            default: {
                const auto& other = corpus_[below(corpus_.size())];
                input = input.substr(0, at) + other.substr(std::min(below(other.size() + 1), other.size()));
            }
        }
    }

    const std::vector<Input>& corpus_;
    std::mt19937 random_;
};

void execute(Input input) {
    current = std::move(input);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
}

}  // namespace

int main(int argc, char** argv) {
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, keep_input);
    if (argc < 2 || !std::filesystem::is_directory(argv[1])) {
        for (int i = 1; i < argc; ++i) execute(read(argv[i]));
        return argc < 2 ? 2 : 0;
    }
    const unsigned long mutations = argc > 2 ? std::stoul(argv[2]) : 0;
    const auto seed = argc > 3 ? static_cast<unsigned>(std::stoul(argv[3])) : kSeed;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<Input> corpus{Input()};
    for (const auto& file : files) corpus.push_back(read(file));
    std::fprintf(stderr, "fuzz: %zu inputs, %lu mutations, seed %u\n", files.size(), mutations, seed);
    if (files.empty()) return 1;
    for (const auto& input : corpus) execute(input);
    Mutator mutator(corpus, seed);
    for (unsigned long i = 0; i < mutations; ++i) execute(mutator.next());
    return 0;
}
