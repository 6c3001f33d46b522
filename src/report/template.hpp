// The pages built from web/, as they are in web/dist/; the bytes are generated.
#pragma once

#include <string_view>

namespace quadrille {

std::string_view report_template();
std::string_view papers_template();

}  // namespace quadrille
