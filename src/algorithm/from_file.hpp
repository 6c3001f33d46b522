// A schedule from a file where an algorithm is named: "file:mine.json".
#pragma once

#include <string>
#include <string_view>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

constexpr std::string_view file_prefix = "file:";

/// "file:mine.json": reads the file, whose collective decides of which algorithm it is a choice. Throws Error(argument)
/// for a file that cannot be read, and Error(format) for one that is no schedule.
Choice choice_of_file(std::string_view text);
/// Whether the algorithm is a file's schedule. It promises nothing but what the question demands.
bool is_from_file(const Algorithm& algorithm);
/// The text that choice_of_file() reads back.
std::string text_of_file(const Params& params);
/// Why there is nothing to prove or to run: the file says who sends how much to whom, and not what. Empty: there is.
std::string unprovable(const Choice& choice);
/// Of a file whose form does not name the collective, the choice for this one; any other choice as it is.
Choice for_collective(const Choice& choice, Collective collective);

}  // namespace quadrille::algorithm
