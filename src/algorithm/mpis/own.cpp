#include "algorithm/mpis/own.hpp"

#include <algorithm>

#include "algorithm/mpis/lists.hpp"
#include "base/text.hpp"

namespace quadrille::algorithm::mpis {

const std::vector<Own>& all() {
  static const std::vector<Own> list = [] {
    std::vector<Own> own;
    for (const auto part : {openmpi_moves, openmpi_sums, mpich_list}) {
      std::vector<Own> some = part();
      std::move(some.begin(), some.end(), std::back_inserter(own));
    }
    return own;
  }();
  return list;
}

const Algorithm& find(std::string_view name) {
  std::vector<std::string> known;
  for (const Own& own : all()) {
    if (own.algorithm.name == name) return own.algorithm;
    known.emplace_back(own.algorithm.name);
  }
  base::unknown_name("algorithm", name, "name", known);
}

}  // namespace quadrille::algorithm::mpis
