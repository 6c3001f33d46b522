// Plans for small and odd networks, the same ones on every run. The fuzz target `graph` tries others without end.
#include "fuzz/graphs.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sampled.hpp"

namespace quadrille::fuzz::graphs_test {
namespace {

TEST(SmallGraphs, HaveAProvenPlanOrARefusal) {
  std::mt19937 random(20261125);
  int answered = 0, refused = 0;
  for (int i = 0; i < 512; ++i) {
    std::string bytes;
    for (int n = 0; n < 100; ++n) bytes += static_cast<char>(random());
    if (!testing::sampled(bytes, 4)) continue;
    try {
      ++(graph(bytes) ? answered : refused);
    } catch (const std::exception& finding) {
      ADD_FAILURE() << "number " << i << ": " << finding.what();
    }
  }
  EXPECT_GT(answered, 20);
  EXPECT_GT(refused, 5);
}

/// By hand: each is planned for, or refused.
TEST(SmallGraphs, ThatAreOddAreReadOrRefusedByName) {
  const auto planned = [](const std::string& text, Collective collective) {
    Spec spec;
    spec.collective = collective, spec.bytes = 97;
    spec.topology = network_of_text(text);
    const Plan found = plan(checked(spec), load_machine("unit"));
    return found.possible() && found.mistakes.empty() && found.best().time >= found.bound.time * (1 - 1e-9);
  };
  for (const Collective c : {Collective::bcast, Collective::allgather, Collective::allreduce, Collective::alltoall,
                             Collective::scatter, Collective::gather, Collective::sendrecv, Collective::barrier}) {
    SCOPED_TRACE(to_string(c));
    EXPECT_TRUE(planned("host a b\nlink a b\n", c));
    if (c != Collective::sendrecv) {
      EXPECT_TRUE(planned("host a\n", c));
    }
    EXPECT_TRUE(planned("host a b c\narc a b\narc b c\narc c a\n", c)) << "one way round";
    EXPECT_TRUE(planned("host a b c\nswitch s\nlink a s\nlink b s\nlink c s 1000000000\n", c));
    EXPECT_THROW(planned("host a b c\nlink a b\n", c), Error) << "not connected";
    EXPECT_THROW(planned("host a b\nlink a b\nlink a a\n", c), Error) << "a link from a host to itself";
    EXPECT_THROW(planned("host a b\narc a b\n", c), Error) << "no way back";
  }
}

}  // namespace
}  // namespace quadrille::fuzz::graphs_test
