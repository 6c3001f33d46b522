#include "algorithm/pattern/doubling.hpp"

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::pattern {

std::string needs_doubling(const Spec& spec) {
  if (kit::is_cube(spec) || kit::is_switch(spec)) return {};
  return fmt::format(
      "needs a hypercube or a switch, where ranks 2^j apart are neighbours, and {} is neither; nearest: "
      "crossbar:{}",
      spec.topology->text(), spec.ranks());
}

SchedulePtr from_root(SchedulePtr schedule, const Spec& spec) {
  return kit::is_cube(spec) ? schedule::relabel_xor(std::move(schedule), spec.root)
                            : schedule::relabel_shift(std::move(schedule), spec.root);
}

}  // namespace quadrille::algorithm::pattern
