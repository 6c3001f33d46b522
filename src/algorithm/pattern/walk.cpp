#include "algorithm/pattern/walk.hpp"

#include "algorithm/pattern/cycle.hpp"
#include "algorithm/kit/support.hpp"
#include "topology/grid.hpp"

namespace quadrille {

namespace {

Rank gray(Rank i) { return i ^ (i >> 1); }

/// The i with gray(i) == code: bit b of it is the parity of the bits b and above of the code.
Rank gray_position(Rank code) {
  for (int shift = 1; shift < 64; shift *= 2) code ^= code >> shift;
  return code;
}

}  // namespace

std::string needs_ring(const Spec& spec) {
  if (as<Hypercube>(spec) || as<Ring>(spec) || is_switch(spec)) return {};
  if (as<Grid>(spec) && has_cycle(axes_of(spec))) return {};
  return fmt::format("no ring through all ranks of {} is known; nearest: ring:{}", spec.topology->text(), spec.ranks());
}

Renaming ring_order(const Spec& spec, Rank start) {
  if (as<Hypercube>(spec))
    return {[=](Rank i) { return gray(i) ^ start; }, [=](Rank r) { return gray_position(r ^ start); }};
  const Rank p = spec.ranks();
  if (as<Grid>(spec)) {
    const Renaming cycle = cycle_of(axes_of(spec));
    const Rank first = cycle.from(start);
    return {[=](Rank i) { return cycle.to((i + first) % p); }, [=](Rank r) { return (cycle.from(r) - first + p) % p; }};
  }
  return {[=](Rank i) { return (i + start) % p; }, [=](Rank r) { return (r - start + p) % p; }};
}

}  // namespace quadrille
