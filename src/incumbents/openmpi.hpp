// What Open MPI's coll/tuned calls its collectives and algorithms in rules files, and with what it compares sizes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "quadrille/collective.hpp"

namespace quadrille::incumbents {

struct Numbered {
  int number;  ///< COLLID of the file
  std::string_view name;
  std::optional<Collective> collective;      ///< ours, where rules for it are written
  std::string_view sizes;                    ///< what the file's bytes are compared with
  bool times_ranks;                          ///< those are a block's bytes of all ranks together
  std::vector<std::string_view> algorithms;  ///< by id, from 0
};
/// All that a rules file can name; collectives without algorithms of their own have none but 0.
const std::vector<Numbered>& numbered();

constexpr int reduce_scatter_block = 13;
/// reduce_scatter_block has other numbers than reduce_scatter: recursive halving, 2 there, is 3 here, a butterfly is 4;
/// a ring it has not.
inline int id_of_block(int id) { return id == 2 ? 3 : id == 4 ? 4 : id == 1 ? 1 : 0; }

}  // namespace quadrille::incumbents
