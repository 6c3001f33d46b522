// An algorithm and a family of networks of your own, outside Quadrille's tree, as a plug-in:
//   quadrille --plugin ./libplugin.so plan allgather moebius:8 --set ports=all
// Planned beside Quadrille's, proven, priced, simulated and run as they are.
#include "quadrille/plugin.hpp"

#include <string>

namespace {

using namespace quadrille;

/// Every rank passes on what it got, to the next on a ring that the network has.
class Around final : public Schedule {
 public:
  explicit Around(const Spec& spec)
      : shape_{.ranks = spec.ranks(), .rounds = spec.ranks() - 1, .in = 1, .out = spec.ranks(), .cut = {spec.bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, before = (r + p - 1) % p;
    out.send((r + 1) % p, Buffer::out, contiguous((r + p - t % p) % p, 1));
    out.recv(before, Buffer::out, contiguous((before + p - t % p) % p, 1));
  }

 private:
  Shape shape_;
};

std::string needs_neighbours(const Spec& spec, const Machine&, const Params&) {
  const Rank p = spec.ranks();
  for (Rank r = 0; r < p; ++r)
    if (!spec.topology->adjacent(r, (r + 1) % p))
      return "needs a link from each rank to the next; nearest: ring:" + std::to_string(p);
  return "";
}

void describe(Plugin& plugin) {
  plugin.algorithms.push_back(
      {.name = "allgather_around",
       .collective = Collective::allgather,
       .summary = "every rank passes on what it got to the next",
       .source = "an example",
       .closed_form = {.startups = "P-1", .bytes = "(P-1)*m", .where = "any network where r is joined to r + 1"},
       .parameters = {},
       .claims = [](const Spec&, const Machine&, const Params&) { return Claims{}; },
       .illegal = needs_neighbours,
       .variants = [](const Spec&, const Machine&) { return std::vector<Params>{{}}; },
       .cost =
           [](const Spec& spec, const Machine&, const Params&) {
             const auto rounds = static_cast<double>(spec.ranks() - 1);
             Cost cost;
             cost.startups = cost.hops = static_cast<decltype(cost.startups)>(rounds);
             cost.bytes = static_cast<decltype(cost.bytes)>(rounds) * spec.bytes;
             return cost;
           },
       .build = [](const Spec& spec, const Machine&, const Params&) -> SchedulePtr {
         return std::make_shared<Around>(spec);
       }});
  plugin.families.push_back({.name = "moebius",
                             .form = "moebius:N",
                             .summary = "a ring of N ranks, N even, each joined to the one opposite, too",
                             .make = [](std::string_view size) {
                               const std::string n(size);
                               return parse_topology("circulant:" + n + "/1," + std::to_string(std::stoll(n) / 2));
                             }});
}

}  // namespace

QUADRILLE_PLUGIN(describe)
