// A question as the address of the page that answers it in a browser.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/request.hpp"

namespace quadrille::cli {

/// "play.html#collective=alltoall&topology=hypercube:6&bytes=32&machine=ipsc860". Files that the question names are in
/// it as text; throws Error(argument) where they are too long for an address. `more` are options besides, by their
/// names; those without a value are left out.
std::string page_link(const Request& request, const std::vector<std::pair<std::string_view, std::string>>& more = {});

}  // namespace quadrille::cli
