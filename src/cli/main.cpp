// The program `quadrille`.
#include "cli/commands.hpp"

int main(int argc, char** argv) { return quadrille::cli::run(argc, argv); }
