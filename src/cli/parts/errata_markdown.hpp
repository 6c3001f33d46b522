// The errata of the papers as a page of the documents.
#pragma once

#include "console/command.hpp"

namespace quadrille::cli {

void print_errata_markdown(console::Context& context);

}  // namespace quadrille::cli
