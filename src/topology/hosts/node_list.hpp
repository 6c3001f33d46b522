// Lists of nodes as SLURM writes them: n[01-03,07],login1.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::topology {

constexpr std::size_t most_listed_nodes = std::size_t{1} << 16;

/// Throws what is to be said of a list; `expected` is what would be accepted.
using RefuseList = std::function<void(const std::string& expected)>;

/// Whether a word has a bracket, so that it may stand for several names.
bool is_node_list(std::string_view word);
/// What stands between the commas of a list that are in no brackets.
std::vector<std::string_view> list_entries(std::string_view list);
/// "n[01-03,07]" is n01, n02, n03, n07; of several brackets the last one counts fastest. Calls `refuse` for what is no
/// such list, and for more than most_listed_nodes names.
std::vector<std::string> node_list(std::string_view list, const RefuseList& refuse);
/// "0-2,4": runs of numbers that follow one another.
std::string in_runs(const std::vector<Rank>& numbers);

}  // namespace quadrille::topology
