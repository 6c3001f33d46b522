#include "algorithm/pattern/walk.hpp"

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/cycle.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::pattern {

namespace {

Rank gray(Rank i) { return i ^ (i >> 1); }

/// The i with gray(i) == code: bit b of it is the parity of the bits b and above of the code.
Rank gray_position(Rank code) {
  for (int shift = 1; shift < 64; shift *= 2) code ^= code >> shift;
  return code;
}

}  // namespace

std::string needs_ring(const Spec& spec) {
  if (kit::is_cube(spec) || kit::is_ring(spec) || kit::is_switch(spec)) return {};
  if (kit::grid(spec) && has_cycle(axes_of(spec))) return {};
  return fmt::format("no ring through all ranks of {} is known; nearest: ring:{}", spec.topology->text(), spec.ranks());
}

schedule::Renaming ring_order(const Spec& spec, Rank start) {
  if (kit::is_cube(spec))
    return {[=](Rank i) { return gray(i) ^ start; }, [=](Rank r) { return gray_position(r ^ start); }};
  const Rank p = spec.ranks();
  if (kit::grid(spec)) {
    const schedule::Renaming cycle = cycle_of(axes_of(spec));
    const Rank first = cycle.from(start);
    return {[=](Rank i) { return cycle.to((i + first) % p); }, [=](Rank r) { return (cycle.from(r) - first + p) % p; }};
  }
  return {[=](Rank i) { return (i + start) % p; }, [=](Rank r) { return (r - start + p) % p; }};
}

}  // namespace quadrille::algorithm::pattern
