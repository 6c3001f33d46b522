// Ranks on nodes of as many cores: reduces parts of the vector inside each node, then across nodes with every core
// taking its own part, and sends results back the same way. The links between nodes carry what must cross them, once.
#include "algorithm/kit/duality.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_hierarchical {

namespace {

/// The all-gather: circulant among the ranks of one core number, then among the cores of each node.
class Nodes final : public Schedule {
 public:
  Nodes(Rank nodes, Rank cores, Bytes bytes)
      : nodes_(nodes),
        cores_(cores),
        across_(reduce_scatter::circulant_skips(nodes)),
        inside_(reduce_scatter::circulant_skips(cores)) {
    shape_ = {.ranks = nodes * cores,
              .rounds = static_cast<Round>(across_.size() + inside_.size()) - 2,
              .out = nodes * cores,
              .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Round border = static_cast<Round>(across_.size()) - 1;
    const bool crosses = t < border;
    const std::vector<Rank>& skips = crosses ? across_ : inside_;
    const std::size_t i = skips.size() - 1 - static_cast<std::size_t>(crosses ? t : t - border);
    const Rank reach = skips[i], count = skips[i - 1] - reach;
    const Rank from = moved(r, reach, crosses), to = moved(r, -reach, crosses);
    each(r, count, crosses, [&](const Slots& s) { out.send(to, Buffer::out, s); });
    each(from, count, crosses, [&](const Slots& s) { out.recv(from, Buffer::out, s); });
  }

 private:
  Rank moved(Rank r, Rank by, bool crosses) const {
    const Rank node = r / cores_, core = r % cores_;
    return crosses ? base::wrap(node + by, nodes_) * cores_ + core : node * cores_ + base::wrap(core + by, cores_);
  }
  /// Blocks of `count` ranks with the same core number, from r on; or of as many cores of all nodes.
  template <class Append>
  void each(Rank r, Rank count, bool crosses, Append append) const {
    if (crosses) return pattern::around(r, cores_, count, shape_.ranks, append);
    pattern::around(r % cores_, 1, count, cores_, [&](const Slots& s) {
      if (s.size > 0) append(Slots{s.first, s.size, cores_, s.size * nodes_});
    });
  }
  Rank nodes_, cores_;
  std::vector<Rank> across_, inside_;
  Shape shape_;
};

Rank least_divisor(Rank p) {
  for (Rank c = 2; c * c <= p; ++c)
    if (p % c == 0) return c;
  return p;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  const Rank p = spec.ranks();
  if (!kit::has_own_wires(spec))
    return fmt::format("needs wires between all ranks, and {} has not; nearest: crossbar:{}", spec.topology->text(),
                       std::max<Rank>(4, p + p % 2));
  if (least_divisor(p) == p)
    return fmt::format("needs several nodes of as many cores, and {} ranks make none; nearest: crossbar:{}", p,
                       std::max<Rank>(4, p + p % 2));
  if (kit::half_duplex(machine))
    return "every rank sends and receives in the same round, and wires or ranks here work one way at a time; try --set "
           "duplex=full";
  const Rank cores = params.get("cores", least_divisor(p));
  if (cores > 1 && cores < p && p % cores == 0) return {};
  return fmt::format("cores={} is not a number of cores of several equal nodes that are {} ranks; try cores={}", cores,
                     p, least_divisor(p));
}

std::vector<Params> variants(const Spec& spec, const Machine&) {
  std::vector<Params> all;
  for (Rank cores = 2; cores < spec.ranks(); ++cores)
    if (spec.ranks() % cores == 0) all.push_back({{"cores", {cores}}});
  return all;
}

Algorithm base() {
  return {.name = "allgather_nodes",
          .collective = Collective::allgather,
          .summary = "across nodes, then inside",
          .source = "classical",
          .closed_form = {.where = "crossbar"},
          .parameters = {{.name = "cores", .meaning = "ranks of a node, which have consecutive numbers", .low = 2}},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost =
              [](const Spec& s, const Machine&, const Params& p) {
                const Rank cores = p.get("cores", least_divisor(s.ranks())), nodes = s.ranks() / cores;
                return kit::neighbour_cost(base::log2_ceil(nodes) + base::log2_ceil(cores),
                                           base::checked_multiply(s.ranks() - 1, s.bytes, "bytes"));
              },
          .build = [](const Spec& s, const Machine&, const Params& p) -> SchedulePtr {
            const Rank cores = p.get("cores", least_divisor(s.ranks()));
            return std::make_shared<Nodes>(s.ranks() / cores, cores, s.bytes);
          }};
}

}  // namespace

Algorithm describe() {
  return kit::dual_of<base, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce,
      {.name = "allreduce_hierarchical",
       .summary = "inside each node, then across nodes with every core taking its part, and back",
       .source = "classical; Traeff 2024 on each level",
       .closed_form = {.where = "crossbar of nodes"}});
}

}  // namespace quadrille::algorithm::allreduce_hierarchical
