// Several ways of a pair in schedule files: written, read back, and refused where they are wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interchange/schedule_file.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "schedule/combine.hpp"
#include "settings.hpp"
#include "two_ways.hpp"

namespace quadrille::divided_ways_test {
namespace {

struct File {
  Spec spec;
  Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  SchedulePtr schedule;
  std::string text;

  File() {
    const TopologyPtr t = testing::two_switches();
    spec = {.collective = Collective::alltoall, .topology = t, .bytes = 4000};
    const Built built = build(by_routes(spec), machine, parse_choice("alltoall_linear"));
    schedule = schedule::on_network(built.schedule, testing::divided(t, 1, 3));
    interchange::write_schedule_json({spec, *schedule, "alltoall_linear"},
                                     [&](std::string_view part) { text += part; });
  }
  SchedulePtr read(const std::string& changed) const {
    return interchange::schedule_of(interchange::read_schedule(changed, "a.json"), spec);
  }
};

TEST(DividedWays, ComeBackWithTheirParts) {
  const File file;
  const SchedulePtr read = file.read(file.text);
  ASSERT_NE(read->network(), nullptr);
  const auto ways = read->network()->divided(0, 1), written = file.schedule->network()->divided(0, 1);
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[0].parts, 3);
  EXPECT_EQ(ways[1].parts, 1);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(ways[i].links, written[i].links);
  EXPECT_TRUE(read->network()->divided(1, 0).empty());
  const Spec& spec = file.spec;
  EXPECT_EQ(count(spec, file.machine, *read).cost, count(spec, file.machine, *file.schedule).cost);
  const Proof proof = verify(spec, file.machine, *read, {}), before = verify(spec, file.machine, *file.schedule, {});
  EXPECT_TRUE(proof.holds);
  EXPECT_EQ(proof.link_messages, before.link_messages);
  // The way with most parts comes first; a pair with one way says nothing of parts.
  EXPECT_LT(file.text.find(R"(["v0->v3","v3->v1"],"parts":3)"), file.text.find(R"(["v0->v2","v2->v1"],"parts":1)"));
  const std::size_t back = file.text.find("\"from\":1");
  ASSERT_NE(back, std::string::npos);
  EXPECT_EQ(file.text.find("parts", back), std::string::npos);
}

TEST(DividedWays, WrongOnesAreRefused) {
  const File file;
  const auto refusal = [&](const std::string& old, const std::string& other) {
    std::string text = file.text;
    text.replace(text.find(old), old.size(), other);
    try {
      file.read(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  for (const char* wrong : {"0", "-1", "1048577", "1.5", "\"3\"", "99999999999999999999"})
    EXPECT_NE(refusal("\"parts\":3", std::string("\"parts\":") + wrong)
                  .find("'parts' is missing or wrong: expected a whole number from 1 to 1048576"),
              std::string::npos)
        << wrong;
  EXPECT_EQ(refusal("\"parts\":3", "\"parts\":1048576"), "accepted");
  EXPECT_EQ(refusal(",\"parts\":3", ""), "accepted");
  EXPECT_NE(refusal(R"(["v0->v2","v2->v1"])", R"(["v0->v3","v3->v1"])").find("the way from 0 to 1 is there twice"),
            std::string::npos);
}

}  // namespace
}  // namespace quadrille::divided_ways_test
