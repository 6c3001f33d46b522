// Digit by digit: every rank sends what it has combined to several ranks after it at once.
#include "algorithm/scan/shared/radix.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_radix {

Algorithm describe() {
  return scan::by_digits(
      Collective::exscan,
      {.name = "exscan_radix",
       .summary = "every rank sends what it has combined to several ranks after it at once, farther in every round",
       .source = "Hillis & Steele 1986, with more than two ranks at once; extra",
       .closed_form = {.where = "crossbar, all ports: as many rounds as P has digits"}});
}

}  // namespace quadrille::algorithm::exscan_radix
