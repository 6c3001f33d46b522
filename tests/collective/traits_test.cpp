// What collectives say of themselves fits together: blocks that are wanted exist, names are in range, renaming is a
// renaming, and bounds' needs are what the blocks before and after force.
#include "collective/traits.hpp"

#include <gtest/gtest.h>

#include <set>

#include "settings.hpp"

namespace quadrille {

namespace {

constexpr const char* networks[] = {"ring:9", "torus:4x4", "hypercube:4", "mesh:3x3"};

/// Of collectives that move blocks; what reductions need is held to by the bounds of all their algorithms.
template <class Check>
void for_each_question(Check check) {
  for (const Collective c : collectives())
    for (const char* network : networks)
      for (const Rank root : {0, 4})
        if (!collective::traits(c).facts().combines && testing::can_request(c, network))
          check(testing::request(c, network, 1000, root));
}

std::set<Slot> held(const Spec& spec, Rank r) {
  std::set<Slot> names;
  for (const Buffer b : {Buffer::in, Buffer::out})
    for (Slot i = 0; i < blocks(spec, b, r); ++i)
      if (const Slot name = held_before(spec, b, r, i); name != no_block) names.insert(name);
  return names;
}

std::set<Slot> wanted(const Spec& spec, Rank r) {
  std::set<Slot> names;
  for (Slot i = 0; i < blocks(spec, Buffer::out, r); ++i) names.insert(wanted_after(spec, r, i));
  return names;
}

Bytes size_of(const Spec& spec, Slot name) {
  return spec.sources ? spec.sources->bytes(name) : spec.demands ? spec.demands->word : spec.bytes;
}

}  // namespace

TEST(Collectives, AreFoundByEveryName) {
  std::set<std::string_view> names;
  for (const Collective c : collectives()) {
    const collective::Facts& f = collective::traits(c).facts();
    std::vector<std::string_view> all{f.name, f.papers};
    all.insert(all.end(), f.aliases.begin(), f.aliases.end());
    for (const std::string_view name : all) {
      EXPECT_TRUE(names.insert(name).second) << name << " is the name of two";
      EXPECT_EQ(find_collective(name), c) << name;
    }
    EXPECT_EQ(to_string(c), f.name);
    EXPECT_EQ(f.root && f.flow == collective::Flow::all_to_all, false) << f.name;
  }
}

TEST(Collectives, WantOnlyWhatSomebodyHolds) {
  for_each_question([](const Spec& spec) {
    SCOPED_TRACE(to_text(spec));
    const collective::BlockNames names = collective::traits(spec).names(spec);
    std::set<Slot> all;
    for (Rank r = 0; r < spec.ranks(); ++r) all.merge(held(spec, r));
    for (const Slot name : all) {
      EXPECT_GE(name, 0);
      EXPECT_LT(name, names.count);
    }
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (const Slot name : wanted(spec, r)) EXPECT_TRUE(all.contains(name)) << "rank " << r << " wants " << name;
  });
}

TEST(Collectives, RenamingBlocksFollowsRanks) {
  for_each_question([](const Spec& spec) {
    if (collective::facts(spec).root || collective::facts(spec).flow == collective::Flow::pairs || spec.sources) return;
    SCOPED_TRACE(to_text(spec));
    const Rank p = spec.ranks(), by = 3;
    for (Rank r = 0; r < p; ++r) {
      std::set<Slot> turned;
      for (const Slot name : held(spec, r)) turned.insert(renamed_block(spec, Group::rotate, name, by));
      EXPECT_EQ(turned, held(spec, (r + by) % p));
    }
  });
}

TEST(Collectives, PortNeedsAreThoseOfTheBusiestRank) {
  for_each_question([](const Spec& spec) {
    SCOPED_TRACE(to_text(spec));
    Bytes most_in = 0;
    for (Rank r = 0; r < spec.ranks(); ++r) {
      Bytes in = 0;
      const std::set<Slot> there = held(spec, r);
      for (const Slot name : wanted(spec, r)) in += there.contains(name) ? 0 : size_of(spec, name);
      most_in = std::max(most_in, in);
    }
    const collective::PortNeed need = collective::traits(spec).port(spec);
    EXPECT_LE(need.in, most_in);
    Bytes least_out = spec.topology->ranks() * spec.ranks() * spec.bytes, most_out = 0;
    for (Rank r = 0; r < spec.ranks(); ++r) {
      const std::set<Slot> own = held(spec, r);
      std::set<Slot> given;
      for (Rank other = 0; other < spec.ranks(); ++other)
        for (const Slot name : wanted(spec, other))
          if (own.contains(name) && !held(spec, other).contains(name)) given.insert(name);
      Bytes out = 0;
      for (const Slot name : given) out += size_of(spec, name);
      least_out = std::min(least_out, out), most_out = std::max(most_out, out);
    }
    // Where any rank's ports decide, it may be the one that sends least.
    EXPECT_LE(need.out, need.whose == collective::PortNeed::Whose::any ? least_out : most_out);
    EXPECT_LE(need.both(), most_in + most_out);
    if (need.out == 0 && !spec.sources) {
      EXPECT_EQ(need.in, most_in);
    }
  });
}

TEST(Collectives, CutNeedsAreWhatTheFirstHalfGivesAndTakes) {
  for_each_question([](const Spec& spec) {
    SCOPED_TRACE(to_text(spec));
    const Rank half = spec.ranks() / 2;
    const collective::CutNeed need = collective::traits(spec).cut(spec, half, spec.ranks() - half);
    std::set<Slot> first, second;
    for (Rank r = 0; r < spec.ranks(); ++r) (r < half ? first : second).merge(held(spec, r));
    Bytes there = 0, back = 0;
    std::set<Slot> gone, come;  // a block crosses once, whoever of the side wants it
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (const Slot name : wanted(spec, r)) {
        if (r >= half && !second.contains(name)) gone.insert(name);
        if (r < half && !first.contains(name)) come.insert(name);
      }
    for (const Slot name : gone) there += size_of(spec, name);
    for (const Slot name : come) back += size_of(spec, name);
    // Which half the root is in is open, so a need says the less of the two.
    EXPECT_LE(std::max(need.there, need.back), std::max(there, back));
    EXPECT_LE(std::min(need.there, need.back), std::min(there, back));
  });
}

TEST(Collectives, ReductionsWantIntervalsOfRanks) {
  for (const Collective c : collectives()) {
    if (!collective::traits(c).facts().combines) continue;
    for (const Rank root : {0, 4}) {
      const Spec spec = testing::request(c, "ring:9", 90, root);
      SCOPED_TRACE(to_text(spec));
      Rank results = 0;
      for (Rank r = 0; r < 9; ++r) {
        for (Slot block = 0; block < blocks(spec, Buffer::out, r); ++block) {
          const Contributions wanted = wanted_contributions(spec, r, block);
          if (wanted.none()) continue;
          ++results;
          EXPECT_EQ(wanted.first, 0);
          EXPECT_EQ(wanted.end, c == Collective::scan ? r + 1 : c == Collective::exscan ? r : 9);
        }
        EXPECT_EQ(buffer_bytes(spec, Buffer::in, r), vector_bytes(spec));
      }
      EXPECT_EQ(results, c == Collective::reduce ? 1 : c == Collective::exscan ? 8 : 9);
    }
  }
}

TEST(Collectives, ReduceScatterHasBlocksOfItsOwnLengths) {
  const Spec spec = parse_spec("reduce_scatter ring:3 counts=5,0,7");
  EXPECT_EQ(spec.bytes, 7);
  EXPECT_EQ(vector_bytes(spec), 12);
  EXPECT_EQ(buffer_start(spec, Buffer::out, 2), 5);
  EXPECT_EQ(buffer_bytes(spec, Buffer::out, 1), 0);
  EXPECT_EQ(to_text(spec), "reduce_scatter ring:3 bytes=7 counts=5,0,7");
  EXPECT_EQ(to_text(parse_spec(to_text(spec))), to_text(spec));
  EXPECT_THROW(parse_spec("reduce_scatter ring:3 counts=5,0"), Error);
  EXPECT_THROW(parse_spec("reduce_scatter ring:3 counts=5,0,7 element=2"), Error);
  EXPECT_THROW(parse_spec("allreduce ring:3 12 element=8"), Error);
  EXPECT_THROW(parse_spec("allreduce ring:3 16 operands=perhaps"), Error);
  EXPECT_THROW(parse_spec("allgather ring:3 16 element=8"), Error);
  EXPECT_EQ(to_text(parse_spec("allreduce ring:3 16 element=8 operands=ordered bits=any")),
            "allreduce ring:3 bytes=16 element=8 operands=ordered bits=any");
}

}  // namespace quadrille
