// A question as text and as JSON comes back as it was, and what is wrong is refused with what would be accepted.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "collective/spec_json.hpp"
#include "settings.hpp"

namespace quadrille {

namespace {

std::vector<Spec> some_of_each() {
  std::vector<Spec> all;
  for (const Collective c : collectives())
    for (const char* network : {"ring:9", "torus:4x4", "hypercube:4", "memory:9", "fly:2^4"})
      for (const Bytes bytes : {0, 1, 1000, 65536})
        for (const Rank root : {0, 5})
          if (testing::can_request(c, network)) all.push_back(testing::request(c, network, bytes, root));
  return all;
}

void expect_same(const Spec& a, const Spec& b) {
  EXPECT_EQ(to_text(a), to_text(b));
  EXPECT_EQ(a.collective, b.collective);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.target, b.target);
  if (has_root(a.collective)) {
    EXPECT_EQ(a.root, b.root);
  }
  EXPECT_EQ(a.sources == nullptr, b.sources == nullptr);
  if (a.sources && b.sources) {
    EXPECT_EQ(a.sources->ranks, b.sources->ranks);
    EXPECT_EQ(a.sources->offset, b.sources->offset);
  }
  EXPECT_EQ(a.demands == nullptr, b.demands == nullptr);
  if (a.demands && b.demands) {
    EXPECT_EQ(a.demands->pairs, b.demands->pairs);
  }
}

std::string refusal(std::string_view text) {
  try {
    parse_spec(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void expect_unreadable(std::string_view text, std::string_view why) {
  EXPECT_NE(refusal(text).find(why), std::string::npos) << text << ": " << refusal(text);
}

}  // namespace

TEST(SpecText, ComesBackAsItWas) {
  for (const Spec& spec : some_of_each()) expect_same(spec, parse_spec(to_text(spec)));
}

TEST(SpecText, IsShortWhereThereAreDefaults) {
  const Spec spec = parse_spec("allgather torus:8x8 64KiB");
  EXPECT_EQ(spec.collective, Collective::allgather);
  EXPECT_EQ(to_text(spec), "allgather torus:8x8 bytes=65536");
  EXPECT_EQ(to_text(parse_spec("bcast ring:8")), "bcast ring:8 bytes=1024 root=0");
  EXPECT_EQ(to_text(parse_spec("sendrecv ring:8 root=3 64")), "sendrecv ring:8 bytes=64 root=3 target=7");
  EXPECT_EQ(to_text(parse_spec("multibcast ring:8 sources=5:3,1 bytes=4KiB")),
            "multibcast ring:8 bytes=4096 sources=1,5:3");
  EXPECT_EQ(text_without_size(parse_spec("scatter ring:8 1MiB root=2")), "scatter ring:8 root=2");
}

TEST(SpecText, SaysWhoHasHowMuchForWhom) {
  EXPECT_EQ(to_text(parse_spec("alltoallv ring:8 demands=5-1:3,1-2:0,1-7,4-4 4KiB")),
            "alltoallv ring:8 bytes=4096 demands=1-7,5-1:3");
  EXPECT_EQ(to_text(parse_spec("alltoallv ring:4 demands=shift(5) 64")),
            "alltoallv ring:4 bytes=64 demands=0-1,1-2,2-3,3-0");
  EXPECT_EQ(to_text(parse_spec("alltoallv ring:4 demands=hot(2) 64")),
            "alltoallv ring:4 bytes=64 demands=0-2,1-2,2-0,2-1,2-3,3-2");
  EXPECT_EQ(to_text(parse_spec("alltoallv ring:6 demands=halo(2x3) 1")),
            "alltoallv ring:6 bytes=1 demands=0-1,0-2,0-3,1-0,1-2,1-4,2-0,2-1,2-5,3-0,3-4,3-5,4-1,4-3,4-5,5-2,5-3,5-4");
  EXPECT_EQ(to_text(parse_spec("alltoallv ring:4 demands=all 0")), "alltoallv ring:4 bytes=0 demands=none");
  const Spec drawn = parse_spec("alltoallv torus:4x4 demands=random(3,7) 8");
  EXPECT_EQ(drawn.demands->pairs.size(), 48U);
  EXPECT_EQ(drawn.demands->pairs, parse_spec(to_text(drawn)).demands->pairs);
  EXPECT_NE(drawn.demands->pairs, parse_spec("alltoallv torus:4x4 demands=random(3) 8").demands->pairs);
}

TEST(SpecText, RefusesWhatItCannotMean) {
  expect_unreadable("alltoallv ring:8", "the demands are missing");
  expect_unreadable("alltoallv ring:8 demands=0-8", "rank of pair");
  expect_unreadable("alltoallv ring:8 demands=0-1,0-1", "named twice");
  expect_unreadable("alltoallv ring:8 demands=0", "expected pairs such as");
  expect_unreadable("alltoallv ring:8 demands=near", "expected pairs such as");
  expect_unreadable("alltoallv ring:8 demands=halo(3x3)", "whose product is 8");
  expect_unreadable("alltoallv ring:8 demands=random(8)", "has 7 others");
  expect_unreadable("alltoallv ring:8 demands=hot(8)", "ranks are 0 .. 7");
  expect_unreadable("alltoall ring:8 demands=all", "alltoall has no");
  expect_unreadable("allgather", "too few words");
  expect_unreadable("allgathr ring:8", "collective 'allgathr' is unknown");
  expect_unreadable("allgather ring:8 root=1", "allgather has no 'root'; expected COLLECTIVE TOPOLOGY SIZE");
  expect_unreadable("bcast ring:8 1KiB bytes=3", "'bytes' is there twice");
  expect_unreadable("bcast ring:8 root=8", "root on ring:8");
  expect_unreadable("bcast ring:8 one", "expected a size");
  expect_unreadable("multibcast ring:8", "the sources are missing");
  expect_unreadable("transpose ring:8 1KiB", "form no square");
}

TEST(SpecJson, ComesBackAsItWas) {
  for (const Spec& spec : some_of_each())
    expect_same(spec, collective::spec_from_json(nlohmann::ordered_json::parse(collective::to_json(spec).dump())));
}

TEST(SpecJson, NamesTheMemberThatIsWrong) {
  const nlohmann::ordered_json good = collective::to_json(testing::request(Collective::bcast, "ring:8", 10, 3));
  for (const char* key : {"collective", "topology", "bytes", "root"}) {
    auto bad = good;
    bad.erase(key);
    try {
      collective::spec_from_json(bad);
      FAIL() << key;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
    }
  }
}

}  // namespace quadrille
