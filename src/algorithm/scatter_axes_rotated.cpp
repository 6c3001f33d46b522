// Every block in as many parts as the torus has axes, each part along the axes in another order, so that all links of
// the root work in every phase.
#include "algorithm/lines.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  const std::string other = std::string(to_string(spec.collective)) + "_axes";
  if (machine.duplex == Duplex::node_half)
    return fmt::format("a rank would send while it receives, and a node here does one or the other; try {}", other);
  Machine full = machine;  // links are used one way
  full.duplex = Duplex::full;
  return all_axes_illegal(spec, full, other);
}

/// D*h start-ups and h*(P - 1)/(s - 1)*ceil(m/D) bytes, h = floor(s/2). The root's parts lie apart, in all messages but
/// those of the last phase; a rank moves at most all its parts but the smallest.
Cost rotated_cost(const Spec& spec, const Machine&, const Params&) {
  const Axes axes = axes_of(spec);
  const Rank n = axes.sides.front(), h = n / 2, p = spec.ranks();
  const int d = axes.count();
  return neighbour_cost(d * h, checked_multiply(h * (p - 1) / (n - 1), ceil_div(spec.bytes, d), "bytes"),
                        spec.bytes - spec.bytes / d, (p - n) * spec.bytes);
}

SchedulePtr build_rotated(const Spec& spec, const Machine&, const Params&) {
  const Axes axes = axes_of(spec);
  const auto d = axes.sides.size();
  std::vector<std::vector<int>> orders;
  for (int part = 0; part < axes.count(); ++part) orders.push_back(order_from(axes, part, 1));
  const Reach reach = reach_of(axes, 0, 0);
  return relabel(lines_schedule(axes, spec.bytes, std::move(orders), std::vector(d, reach),
                                std::vector(d, AxisPhase{reach.far(), 1}), 1),
                 from_root(axes, spec.root));
}

}  // namespace

Algorithm scatter_axes_rotated() {
  return {.name = "scatter_axes_rotated",
          .collective = Collective::scatter,
          .summary = "parts of every block along all axes of a torus at once, farthest first",
          .source = "extra: Saad & Schultz 1986, eq. (3.39), on all ports",
          .parameters = {},
          .claims = all_claims,
          .illegal = illegal,
          .variants = one_variant,
          .cost = rotated_cost,
          .build = build_rotated};
}

}  // namespace quadrille
