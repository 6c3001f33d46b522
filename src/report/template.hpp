// Files that the program carries: the pages built from web/, as they are in web/dist/, and docs/errata.md. Generated.
#pragma once

#include <string_view>

namespace quadrille::report {

std::string_view report_template();
std::string_view papers_template();
std::string_view errata_text();

}  // namespace quadrille::report
