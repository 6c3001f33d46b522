// What programs may ask of a network instead of its family: each answer against the routes, and that nobody asks the
// family all the same. A network under a foreign name is treated as what it is; one that tells nothing of its structure
// is still planned for, proven, priced and simulated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"
#include "topology/grid.hpp"

namespace quadrille::structure_test {
namespace {

/// Another network under a name that no program knows.
class Foreign final : public Topology {
 public:
  Foreign(std::string_view network, bool tells) : base_(parse_topology(network)), tells_(tells) {}

  std::string_view family() const override { return "foreign"; }
  std::string text() const override { return "foreign:" + base_->text(); }
  Rank ranks() const override { return base_->ranks(); }
  Rank nodes() const override { return base_->nodes(); }
  Link links() const override { return base_->links(); }
  std::int64_t wires() const override { return base_->wires(); }
  int diameter() const override { return base_->diameter(); }
  int distance(Rank from, Rank to) const override { return base_->distance(from, to); }
  int degree() const override { return base_->degree(); }
  int least_degree() const override { return base_->least_degree(); }
  int degree_at(Rank rank) const override { return tells_ ? base_->degree_at(rank) : Topology::degree_at(rank); }
  bool shared_medium() const override { return base_->shared_medium(); }
  bool direct() const override { return base_->direct(); }
  bool contended() const override { return tells_ ? base_->contended() : Topology::contended(); }
  Structure structure() const override { return tells_ ? base_->structure() : Topology::structure(); }
  std::vector<std::string> kinds() const override { return tells_ ? base_->kinds() : Topology::kinds(); }
  LinkFacts facts(Link link) const override { return tells_ ? base_->facts(link) : Topology::facts(link); }
  bool links_alike() const override { return !tells_ || base_->links_alike(); }
  std::int64_t widest() const override { return tells_ ? base_->widest() : Topology::widest(); }
  double rate() const override { return tells_ ? base_->rate() : Topology::rate(); }
  std::int64_t vertices() const override { return tells_ ? base_->vertices() : Topology::vertices(); }
  void route(Rank from, Rank to, std::vector<Link>& path) const override { base_->route(from, to, path); }
  Rank tail(Link link) const override { return base_->tail(link); }
  Rank head(Link link) const override { return base_->head(link); }
  Link reverse(Link link) const override { return base_->reverse(link); }
  std::string name(Link link) const override { return base_->name(link); }
  std::int64_t bisection() const override { return base_->bisection(); }
  Rank bisection_ranks() const override { return base_->bisection_ranks(); }
  std::int64_t total_distance(Rank from) const override { return base_->total_distance(from); }
  std::int64_t sum_of_distances() const override { return base_->sum_of_distances(); }
  std::optional<int> colour(Rank rank) const override { return base_->colour(rank); }
  bool invariant(Group group) const override { return base_->invariant(group); }
  Link representative(Link link, Group group) const override { return base_->representative(link, group); }

 private:
  TopologyPtr base_;
  bool tells_;
};

Spec on(const TopologyPtr& topology, Collective collective, const std::string& like) {
  Spec spec = testing::request(collective, like, 97);
  spec.topology = topology;
  return spec;
}

std::vector<Link> route(const Topology& t, Rank from, Rank to) {
  std::vector<Link> path;
  t.route(from, to, path);
  return path;
}

void expect_routes_of(const Topology& t, const Topology& other) {
  ASSERT_EQ(t.ranks(), other.ranks());
  EXPECT_EQ(t.links(), other.links());
  for (Rank a = 0; a < t.ranks(); ++a)
    for (Rank b = 0; b < t.ranks(); ++b) EXPECT_EQ(route(t, a, b), route(other, a, b)) << a << " to " << b;
}

/// Whether messages from every rank r to to(r) cross no link twice.
template <class To>
bool pass_together(const Topology& t, To to) {
  std::set<Link> crossed;
  for (Rank r = 0; r < t.ranks(); ++r)
    for (const Link link : route(t, r, to(r)))
      if (!crossed.insert(link).second) return false;
  return true;
}

class EveryExample : public ::testing::TestWithParam<std::string> {
 protected:
  TopologyPtr network_ = parse_topology(GetParam());
  const Topology& t_ = *network_;
};

TEST_P(EveryExample, HasTheRoutesOfTheStructureThatItPromises) {
  const Topology::Structure s = t_.structure();
  if (s.grid != nullptr) expect_routes_of(t_, *s.grid);
  if (s.cube > 0) expect_routes_of(t_, *parse_topology(fmt::format("hypercube:{}", s.cube)));
  if (s.ring) expect_routes_of(t_, *parse_topology(fmt::format("ring:{}", t_.ranks())));
  if (s.stages) {
    EXPECT_FALSE(t_.direct());
    EXPECT_EQ(t_.ranks(), s.stages->places() * (s.stages->two_sided ? 2 : 1));
    EXPECT_EQ(t_.wires(), (s.stages->stages + 1) * s.stages->places() * (s.stages->two_sided ? 2 : 1));
  }
}

TEST_P(EveryExample, IsContendedUnlessEveryPairHasALinkOfItsOwn) {
  if (t_.contended()) return;
  for (Rank a = 0; a < t_.ranks(); ++a)
    for (Rank b = 0; b < t_.ranks(); ++b)
      if (a != b) {
        EXPECT_EQ(route(t_, a, b), std::vector<Link>{a * t_.ranks() + b});
      }
}

TEST_P(EveryExample, PassesShiftsWhereItSaysSo) {
  if (!t_.structure().switches_shifts) return;
  const Rank p = t_.ranks();
  for (Rank k = 1; k < p; ++k) {
    EXPECT_TRUE(pass_together(t_, [&](Rank r) { return (r + k) % p; })) << "r + " << k;
    EXPECT_TRUE((p & (p - 1)) != 0 || pass_together(t_, [&](Rank r) { return r ^ k; })) << "r xor " << k;
  }
}

TEST_P(EveryExample, KnowsHowManyLinksLeaveARank) {
  if (t_.shared_medium() || t_.structure().routed) return;  // routes of a graph need not use every link of a rank
  std::map<Rank, std::set<Link>> leave;
  for (Rank a = 0; a < t_.ranks(); ++a)
    for (Rank b = 0; b < t_.ranks(); ++b)
      if (a != b) leave[a].insert(route(t_, a, b).front());
  for (Rank r = 0; r < t_.ranks(); ++r) EXPECT_EQ(t_.degree_at(r), std::ssize(leave[r])) << r;
}

/// All that people read of a plan, but for the network's own name.
/// Candidates up to twice the best: beyond that a plan may leave one out or not.
std::string told(const Spec& spec, const Machine& machine) {
  std::string all;
  const Plan found = plan(spec, machine);
  for (const Candidate& c : found.candidates)
    if (c.time <= 2 * found.best().time) all += fmt::format("{} {}\n", to_text(*c.algorithm, c.params), c.time);
  return all;
}

TEST_P(EveryExample, IsPlannedForUnderAForeignNameAsUnderItsOwn) {
  const auto foreign = std::make_shared<Foreign>(GetParam(), true);
  for (const Collective c : collectives()) {
    if (!testing::can_request(c, GetParam())) continue;
    for (const Machine& machine : testing::machines_on(t_)) {
      if (!testing::sampled(fmt::format("{} {} {}", to_string(c), GetParam(), to_text(machine)), 12)) continue;
      EXPECT_EQ(told(on(foreign, c, GetParam()), machine), told(on(network_, c, GetParam()), machine))
          << to_string(c) << " " << machine.name;
    }
  }
}

TEST_P(EveryExample, IsSimulatedUnderAForeignNameAsUnderItsOwn) {
  for (const bool tells : {true, false}) {
    if (!tells && (!t_.links_alike() || t_.rate() > 0)) continue;  // it would have other times
    const auto foreign = std::make_shared<Foreign>(GetParam(), tells);
    for (const Collective c : collectives()) {
      if (!testing::can_request(c, GetParam())) continue;
      const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
      const Spec spec = on(network_, c, GetParam());
      const Plan known = plan(spec, machine);
      if (!known.possible()) continue;
      const Candidate& best = known.candidates.front();
      const Built built = build(spec, machine, {best.algorithm, best.params});
      for (const Network network : {Network::store_and_forward, Network::cut_through, Network::fluid})
        EXPECT_EQ(simulate(on(foreign, c, GetParam()), machine, *built.schedule, {.network = network}).makespan,
                  simulate(spec, machine, *built.schedule, {.network = network}).makespan)
            << to_string(c) << " " << best.algorithm->name << " " << to_string(network);
    }
  }
}

TEST_P(EveryExample, IsProvenAndPricedAlsoWhenItTellsNothingOfItself) {
  const auto unknown = std::make_shared<Foreign>(GetParam(), false);
  for (const Collective c : collectives()) {
    if (!testing::can_request(c, GetParam())) continue;
    const Spec spec = on(unknown, c, GetParam());
    for (const Machine& machine : testing::machines_on(t_)) {
      if (!testing::sampled(fmt::format("{} {} {}", to_string(c), GetParam(), to_text(machine)), 12)) continue;
      const Plan known = plan(spec, machine);
      for (const Mistake& mistake : known.mistakes)
        ADD_FAILURE() << to_text(*mistake.algorithm, mistake.params) << ": " << mistake.why;
      for (const Candidate& candidate : known.candidates) {
        const Built built = build(spec, machine, {candidate.algorithm, candidate.params});
        SCOPED_TRACE(fmt::format("{} {} {}", candidate.algorithm->name, to_string(c), machine.name));
        const Proof proof = verify(spec, testing::in_turns(machine), *built.schedule, built.claims);
        EXPECT_TRUE(proof.holds) << proof.counterexample->text;
        EXPECT_TRUE(!built.claims.exact || count(spec, machine, *built.schedule).cost == built.formula);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, EveryExample, ::testing::ValuesIn(testing::examples()), [](const auto& example) {
  std::string name = example.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

/// A ring that tells nothing of itself has an algorithm for all but what squares and trees are needed for.
TEST(UnknownNetworks, HaveAnAlgorithmForEveryCollective) {
  const auto unknown = std::make_shared<Foreign>("ring:9", false);
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  for (const Collective c : collectives()) {
    if (c == Collective::transpose) continue;
    EXPECT_TRUE(plan(on(unknown, c, "ring:9"), machine).possible()) << to_string(c);
  }
}

TEST(Families, NameNetworksOfAnyNumberOfRanksOrNone) {
  for (const TopologyFamily& family : topology_families()) {
    if (family.shape == nullptr) continue;  // its networks have sizes of their own
    std::set<Rank> sizes;
    for (Rank ranks = 2; ranks <= 70; ++ranks) try {
        if (const TopologyPtr network = topology_of(family, ranks)) {
          EXPECT_EQ(network->ranks(), ranks) << network->text();
          sizes.insert(ranks);
        }
      } catch (const Error&) {
        EXPECT_EQ(ranks, 2) << family.name << " has none so small";
      }
    EXPECT_TRUE(sizes.contains(64)) << family.name;
  }
  EXPECT_EQ(topology_of(*find_topology_family("torus"), 48)->text(), "torus:6x8");
  EXPECT_EQ(topology_of(*find_topology_family("bifly"), 64)->text(), "bifly:2^5");
  EXPECT_EQ(topology_of(*find_topology_family("omega"), 48), nullptr);
}

TEST(Families, HaveExamplesOfWhichTheFirstIsForOverviews) {
  for (const TopologyFamily& family : topology_families()) {
    if (family.examples.empty()) continue;  // files, and families whose smallest network has fifty ranks
    constexpr int boxes = 400;              // a box is one network, and many of them are more than an example
    const bool sized = family.form.find(':') != std::string_view::npos && family.place < boxes;
    ASSERT_GE(family.examples.size(), sized ? 2U : 1U) << family.name;
    const Rank shown = family.make(family.examples.front())->ranks();
    EXPECT_TRUE(shown >= 8 && shown <= 16) << family.name << " shows " << shown << " ranks";
    EXPECT_TRUE(family.like.empty() || find_topology_family(family.like) != nullptr) << family.like;
  }
}

TEST(Families, AreFoundByEveryNameOnce) {
  std::set<std::string_view> names;
  for (const TopologyFamily& family : topology_families()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    for (const std::string_view name : family.also) EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(parse_topology("shared-memory:5")->text(), "memory:5");
  EXPECT_EQ(find_topology_family("moebius"), nullptr);
}

TEST(Topology, IsDescribedAsTheObjectOfASentence) {
  const std::map<std::string, std::string> words{{"crossbar:8", "a non-blocking switch"},
                                                 {"hypercube:8", "an 8-dimensional hypercube"},
                                                 {"ring:8", "a ring"},
                                                 {"torus:4x6", "a 4 x 6 torus"},
                                                 {"mesh:11x2", "an 11 x 2 mesh"},
                                                 {"ethernet:4", "an ethernet"},
                                                 {"bus:4", "a bus"},
                                                 {"memory:4", "a shared memory"},
                                                 {"omega:3", "an Omega network"},
                                                 {"bifly:2^3", "a butterfly network"}};
  for (const auto& [network, described] : words) EXPECT_EQ(parse_topology(network)->describe(), described);
}

}  // namespace
}  // namespace quadrille::structure_test
