#include "service/cli/application.hpp"

int main(int argc, char** argv) {
    return foxbench::cli::run_application({argv, argv + argc});
}
