// What must hold for every algorithm in the registry, on every machine and size it is legal for: a new algorithm is
// covered by being there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "sound.hpp"
#include "verifier/tree_proof.hpp"

namespace quadrille::property_test {
namespace {

using testing::command;
using testing::request;

std::string named(const char* family, int size) { return family + (":" + std::to_string(size)); }
std::string named(const char* family, int rows, int cols) { return named(family, rows) + "x" + std::to_string(cols); }

/// Every size up to where nothing new happens: all remainders of sides and ranks, and the small ones with their traps.
std::vector<std::string> topologies() {
  std::vector<std::string> all;
  for (int d = 1; d <= 6; ++d) all.push_back(named("hypercube", d));
  for (int p = 2; p <= 33; ++p) all.push_back(named("ring", p));
  for (int rows = 2; rows <= 9; ++rows)
    for (int cols = 2; cols <= 7; ++cols) all.push_back(named("torus", rows, cols));
  for (const char* other :
       {"torus:2x9", "torus:3x8", "torus:7x8", "torus:5x9", "torus:2x2x2", "torus:2x3x4", "torus:3x3x3", "torus:4x4x2",
        "torus:4x4x4", "torus:3x3x2x2", "torus:5x1x4", "mesh:5", "mesh:2x3x2", "mesh:3x3x3"})
    all.emplace_back(other);
  for (int rows = 1; rows <= 8; ++rows)
    for (int cols = 1; cols <= 8; ++cols)
      if (rows * cols > 1) all.push_back(named("mesh", rows, cols));
  for (const char* family : {"crossbar", "bus", "memory"}) {
    for (int p = 2; p <= 17; ++p) all.push_back(named(family, p));
    for (const int p : {25, 31, 32, 33, 40, 64}) all.push_back(named(family, p));
  }
  for (int n = 1; n <= 6; ++n) all.push_back(named("omega", n));
  for (const char* other : {"fly:2^1", "fly:2^3", "fly:3^2", "fly:5^1", "fly:2^5", "bifly:2^1", "bifly:2^2",
                            "bifly:3^2", "bifly:2^3", "bifly:5^1", "star:3*2"})
    all.emplace_back(other);
  for (const std::string& text : testing::examples())
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
  return all;
}

/// Small networks are tried with every choice; larger ones, of which there are many, with a few.
struct Choices {
  std::vector<Bytes> bytes;
  std::set<Rank> roots;
  std::size_t variants;
};
Choices choices_on(Rank p) {
  if (p <= 9) return {{0, 1, p - 1, p, 97}, {0, p / 3, p - 1}, 6};
  if (p <= 16) return {{1, p - 1, 97}, {0, p / 3}, 4};
  return {{p - 1, 97}, {p / 3}, 3};
}

/// A few parameters of each algorithm: the planner's, thinned.
std::vector<Params> some_variants(const Algorithm& a, const Spec& spec, const Machine& machine, std::size_t most) {
  std::vector<Params> all = a.variants(spec, machine);
  if (all.size() <= most) return all;
  std::vector<Params> thin;
  for (std::size_t i = 0; i < most; ++i) thin.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return thin;
}

/// Outside the rounds in which a rank is active it lists nothing; those are of the schedule.
void check_active(const Spec& spec, const Schedule& schedule) {
  const Round rounds = schedule.shape().rounds;
  Collected all;
  for (Rank r = 0; r < spec.topology->nodes(); ++r) {
    const Schedule::Rounds active = schedule.active(r);
    ASSERT_TRUE(active.first >= 0 && active.end <= rounds) << "rank " << r;
    for (Round t = 0; t < rounds; ++t) {
      if (active.contains(t)) continue;
      ASSERT_TRUE(all.all(schedule, t, r).empty()) << "rank " << r << " is not active in round " << t;
    }
  }
}

/// What ranks send each other in a round, but for where it lies.
std::string lengths(const Spec& spec, const Schedule& schedule, Round t) {
  std::string text;
  Summary summary;
  for (Rank r = 0; r < spec.topology->nodes(); ++r)
    for (const Summary::Message& m : summary.of(schedule, t, r))
      text +=
          fmt::format("{}{}{}: {} {} {};", r, m.kind == Kind::send ? '>' : '<', m.peer, m.bytes, m.runs, m.combined);
  return text;
}
/// Rounds that are said to be alike are.
void check_alike(const Spec& spec, const Schedule& schedule) {
  const Round rounds = schedule.shape().rounds;
  for (Round t = 0, next = 0; t < rounds; t = next) {
    const Schedule::Rounds alike = schedule.alike(t);
    next = alike.end;
    ASSERT_TRUE(alike.first == t && next > t && next <= rounds) << "round " << t;
    if (next == t + 1) continue;
    const std::string first = lengths(spec, schedule, t);
    for (Round other = t + 1; other < next; ++other) {
      ASSERT_EQ(schedule.alike(other), alike);
      ASSERT_EQ(lengths(spec, schedule, other), first) << "round " << other << " is not as round " << t;
    }
  }
}

/// Small reductions are proven by all ranks. Those along trees are proven backwards by few ranks, too.
void expect_proven_backwards(const Spec& spec, const Built& built, int depth) {
  const Symmetry symmetry = built.schedule->symmetry();
  verifier::TreeProof everybody(spec, *built.schedule, Group::none, false);
  verifier::TreeProof few(spec, *built.schedule, symmetry.group, symmetry.pieces_alike);
  ASSERT_EQ(few.run(), everybody.run());
  EXPECT_EQ(few.depth(), everybody.depth());
  EXPECT_LE(everybody.depth(), depth);
}

void check_case(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params) {
  SCOPED_TRACE(command(spec, machine, a, params));
  const Built built = build(spec, machine, {&a, params});
  const Proof proof = verify(spec, testing::in_turns(machine), *built.schedule, built.claims, {.use_symmetry = false});
  ASSERT_TRUE(proof.holds) << to_string(proof.counterexample->kind) << " round " << proof.counterexample->round << ": "
                           << proof.counterexample->text;
  const Traffic traffic = count(spec, machine, *built.schedule);
  if (built.claims.exact) {
    EXPECT_EQ(traffic.cost.startups, built.formula.startups);
    EXPECT_EQ(traffic.cost.hops, built.formula.hops);
    EXPECT_EQ(traffic.cost.bytes, built.formula.bytes);
    EXPECT_EQ(traffic.cost.permuted, built.formula.permuted);
    EXPECT_EQ(traffic.cost.barriers, built.formula.barriers);
    EXPECT_EQ(traffic.cost.packed, built.formula.packed);
    EXPECT_EQ(traffic.cost.further, built.formula.further);
    EXPECT_EQ(traffic.cost.combined, built.formula.combined);
  }
  if (combines(spec) && spec.bytes > 0) {  // an estimate, too, may not be less than what cannot be beaten
    const Bytes least = lower_bound(spec, machine).parts.back().bytes;
    EXPECT_GE(built.formula.combined, least);
    EXPECT_GE(traffic.cost.combined, least);
  }
  check_active(spec, *built.schedule);
  check_alike(spec, *built.schedule);
  const Seconds time = seconds(traffic.cost, machine, *spec.topology);
  EXPECT_GE(time * (1 + 1e-12), lower_bound(spec, machine).time);
  if (!traffic.by_symmetry && !machine.multicast) {  // plans begin no proof that takes longer than they allow
    EXPECT_GE(proof.visits, traffic.listed + traffic.visits);
  }
  if (built.schedule->symmetry().group == Group::none) return;
  EXPECT_FALSE(check_symmetry(spec, *built.schedule).has_value());
  EXPECT_EQ(count(spec, machine, testing::Plain(built.schedule)).cost, traffic.cost);
  const Proof quick = verify(spec, testing::in_turns(machine), *built.schedule, built.claims);
  EXPECT_TRUE(quick.holds) << quick.counterexample->text;
  if (combines(spec))
    expect_proven_backwards(spec, built, proof.depth);
  else
    EXPECT_TRUE(quick.by_symmetry);
  EXPECT_EQ(quick.messages, proof.messages);
  EXPECT_EQ(quick.deliveries, proof.deliveries);
  EXPECT_EQ(quick.link_messages, proof.link_messages);
}

/// Whether other algorithms are its parts: those are tried by themselves, and choosing them takes long.
bool is_composed(const Algorithm& a) {
  return std::any_of(a.parameters.begin(), a.parameters.end(), [](const Parameter& p) { return p.is_choice; });
}

/// Many ranks show little that few do not, and take most of the time: a third of the cases; of compositions a third.
/// To search for rounds takes long, too, and they have no closed form with remainders to try: a quarter, of many ranks
/// a sixteenth. What is found for a network is remembered: there they are tried with all sizes and roots, or with none.
bool is_chosen(const Algorithm& a, Rank p, const std::string& network, const std::string& what, std::uint64_t share) {
  if (!testing::sampled(what, share)) return false;
  const bool many = p > 32;
  if (a.searched || a.says_ways) return testing::one_of(network, many ? 16 : 4);
  return testing::one_of(what, (many ? 3 : 1) * (is_composed(a) ? 3 : 1));
}

class EveryAlgorithm : public ::testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithm, IsProvenAndPricedExactlyWhereverItIsLegal) {
  const Algorithm& a = *GetParam();
  std::set<std::string> legal_families;
  for (const std::string& topology : topologies()) {
    if (!testing::can_request(a.collective, topology)) continue;
    const TopologyPtr t = parse_topology(topology);
    const std::string family(t->family());
    const Choices choices = choices_on(t->ranks());
    int kind = 0;
    for (const Machine& machine : testing::machines_on(*t)) {
      const std::string network = fmt::format("{} {} {}", a.name, topology, ++kind);
      for (const Bytes bytes : choices.bytes)
        for (const Rank root : choices.roots) {
          if (!has_root(a.collective) && root != *choices.roots.begin()) continue;
          const bool chosen = is_chosen(a, t->ranks(), network, fmt::format("{} {} {}", network, bytes, root), 60);
          if (!chosen && legal_families.count(family) > 0) continue;
          const Spec spec = request(a.collective, topology, bytes, has_root(a.collective) ? root : 0);
          if (!a.illegal(spec, machine, {}).empty()) continue;
          legal_families.insert(family);
          if (!chosen) continue;
          for (const Params& params : some_variants(a, spec, machine, choices.variants)) {
            ASSERT_EQ(a.illegal(spec, machine, params), "") << command(spec, machine, a, params);
            check_case(spec, machine, a, params);
            if (HasFatalFailure()) return;
          }
        }
    }
  }
  EXPECT_FALSE(legal_families.empty()) << "never legal";
}

/// Every form of source distribution on a mesh, with few and with many sources where they fit.
std::vector<std::string> distributions(const Rectangle& mesh) {
  std::vector<std::string> all{"E(every=3)"};
  for (const Rank s : std::set<Rank>{(mesh.ranks() + 4) / 5, mesh.ranks() / 2 + 1})
    for (const char* form :
         {"R({})", "R({},balanced)", "C({})", "C({},balanced)", "DR({})", "DL({})", "E({})", "Cr({})", "B({})"})
      all.push_back(fmt::format(fmt::runtime(form), s));
  const Rank high = (mesh.rows + 1) / 2, wide = (mesh.cols + 1) / 2;
  all.push_back(fmt::format("B({}x{}@{},{})", high, wide, mesh.rows - high, mesh.cols - wide));
  return all;
}

/// Not every number of sources makes every shape.
SourcesPtr sources_if_they_fit(const std::string& form, const Topology& mesh, Bytes bytes) {
  try {
    return parse_sources(form, mesh, bytes);
  } catch (const Error&) {
    return nullptr;
  }
}

TEST_P(EveryAlgorithm, IsProvenFromEverySourceDistribution) {
  const Algorithm& a = *GetParam();
  if (a.collective != Collective::multibcast) return;
  const std::vector<Machine> machines{testing::test_machine(Ports::one, Duplex::full, Switching::circuit),
                                      testing::test_machine(Ports::all, Duplex::half, Switching::circuit),
                                      testing::test_machine(Ports::all, Duplex::full, Switching::circuit)};
  std::set<std::string> fitted, legal;
  std::size_t turn = 0;  // the machines by turns
  for (int rows = 1; rows <= 8; ++rows)
    for (int cols = 1; cols <= 8; ++cols) {
      if (rows * cols == 1) continue;
      const TopologyPtr mesh = parse_topology(named("mesh", rows, cols));
      for (const std::string& form : distributions({rows, cols})) {
        const SourcesPtr sources = sources_if_they_fit(form, *mesh, 97);
        if (!sources) continue;
        const std::string kind = form.substr(0, form.find('('));
        fitted.insert(kind);
        const Spec spec = checked({.collective = a.collective, .topology = mesh, .bytes = 97, .sources = sources});
        const Machine& machine = machines[turn++ % machines.size()];
        if (!a.illegal(spec, machine, {}).empty()) continue;
        legal.insert(kind);
        const std::string what = command(spec, machine, a, {});
        if (!is_chosen(a, spec.ranks(), what, what, 8)) continue;
        for (const Params& params : some_variants(a, spec, machine, 2)) check_case(spec, machine, a, params);
        if (HasFailure()) return;
      }
    }
  EXPECT_EQ(fitted, (std::set<std::string>{"R", "C", "DR", "DL", "E", "Cr", "B"}));
  const std::set<std::string_view> others{"multibcast_memory", "multibcast_sequential", "multibcast_relayed",
                                          "multibcast_circulant", "multibcast_exchange"};
  const bool needs_other_networks = others.count(a.name) > 0;
  EXPECT_EQ(legal, needs_other_networks ? std::set<std::string>{} : fitted);
}

TEST_P(EveryAlgorithm, SaysWhatItIs) {
  const Algorithm& a = *GetParam();
  EXPECT_TRUE(a.name.starts_with(to_string(a.collective)));
  EXPECT_FALSE(a.summary.empty());
  EXPECT_FALSE(a.source.empty());
  EXPECT_EQ(&find_algorithm(a.name), &a);
  for (const Parameter& p : a.parameters) EXPECT_FALSE(p.meaning.empty());
}

TEST_P(EveryAlgorithm, HasATextThatParsesBack) {
  const Algorithm& a = *GetParam();
  for (const Machine& machine : testing::test_machines())
    for (const std::string topology :
         {"hypercube:4", "ring:8", "crossbar:16", "torus:4x4", "mesh:3x5", "bus:9", "memory:9"}) {
      if (!testing::can_request(a.collective, topology)) continue;
      const Spec spec = request(a.collective, topology, 1000);
      if (!a.illegal(spec, machine, {}).empty()) continue;
      for (const Params& params : a.variants(spec, machine)) {
        const Choice back = parse_choice(to_text(a, params));
        EXPECT_EQ(back.algorithm, &a);
        EXPECT_EQ(back.params, params);
      }
    }
}

std::vector<const Algorithm*> all() {
  std::vector<const Algorithm*> list;
  for (const Algorithm& a : algorithms()) list.push_back(&a);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm, ::testing::ValuesIn(all()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace quadrille::property_test
