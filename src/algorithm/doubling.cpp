#include "algorithm/doubling.hpp"

#include "algorithm/support.hpp"

namespace quadrille {

std::string needs_doubling(const Spec& spec) {
  if (as<Hypercube>(spec) || as<Crossbar>(spec)) return {};
  return fmt::format(
      "needs a hypercube or a crossbar, where ranks 2^j apart are neighbours, and {} is neither; nearest: "
      "crossbar:{}",
      spec.topology->text(), spec.ranks());
}

SchedulePtr from_root(SchedulePtr schedule, const Spec& spec) {
  return as<Hypercube>(spec) ? relabel_xor(std::move(schedule), spec.root)
                             : relabel_shift(std::move(schedule), spec.root);
}

}  // namespace quadrille
