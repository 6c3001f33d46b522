// Digit by digit: every rank sends what it has combined to several ranks after it at once.
#include "algorithm/scan/shared/radix.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_radix {

namespace {

std::string_view other_name(const Spec&, const Params& params) {
  return params.get("radix", 0) == 2 ? "scan_doubling" : std::string_view{};
}

}  // namespace

Algorithm describe() {
  Algorithm scan = scan::by_digits(
      Collective::scan,
      {.name = "scan_radix",
       .summary = "every rank sends what it has combined to several ranks after it at once, farther in every round",
       .source = "Hillis & Steele 1986, with more than two ranks at once; extra",
       .closed_form = {.where = "crossbar, all ports: as many rounds as P has digits"}});
  scan.other_name = other_name;
  return scan;
}

}  // namespace quadrille::algorithm::scan_radix
