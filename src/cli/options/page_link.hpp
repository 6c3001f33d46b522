// A question as the address of the page that answers it in a browser.
#pragma once

#include "cli/options/request.hpp"

namespace quadrille::cli {

/// "play.html#collective=alltoall&topology=hypercube:6&bytes=32&machine=ipsc860". Files that the question names are in
/// it as text; throws Error(argument) where they are too long for an address.
std::string page_link(const Request& request);

}  // namespace quadrille::cli
