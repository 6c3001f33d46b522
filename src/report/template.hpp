// Files that the program carries: the pages built from web/, as they are in web/dist/. Generated.
#pragma once

#include <string_view>

namespace quadrille::report {

std::string_view report_template();
std::string_view papers_template();

}  // namespace quadrille::report
