// What a machine file says of kinds of links: read, written, set, refused.
#include "machine/links.hpp"

#include <gtest/gtest.h>

#include "quadrille/machine_file.hpp"

namespace quadrille::links_test {
namespace {

const std::string plain = "alpha = \"1us\"\nbeta = \"10GB/s\"\n";

std::string refusal(const std::string& toml) {
  try {
    parse_machine(plain + toml, "x.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Links, AreReadFromATable) {
  const Machine m = parse_machine(
      plain + "[link.memory]\nalpha = \"0.3us\"\nbeta = 1e-10\n[link.global]\nlatency = \"2us\"\n", "x.toml");
  ASSERT_EQ(m.links.size(), 2U);
  const auto at = [&](const std::string& kind) {
    return *std::find_if(m.links.begin(), m.links.end(), [&](const LinkCost& c) { return c.kind == kind; });
  };
  EXPECT_EQ(at("memory"), (LinkCost{"memory", 3e-7, 1e-10, 0}));
  EXPECT_EQ(at("global"), (LinkCost{"global", -1, -1, 2e-6}));
}

TEST(Links, AreWrittenAsTheyAreRead) {
  Machine m = parse_machine(plain, "x.toml");
  set_parameter(m, "link.memory.beta=8GB/s");
  set_parameter(m, "link.far-away.latency=1.5us");
  EXPECT_EQ(parse_machine(to_text(m), "y.toml").links, m.links);
  Machine again;
  machine::read_links_word(again, machine::links_word(m));
  EXPECT_EQ(again.links, m.links);
}

TEST(Links, AreRefusedInOneSentence) {
  EXPECT_NE(refusal("link = 3\n").find("line 3: link is a number; expected a table of kinds"), std::string::npos);
  EXPECT_NE(refusal("[link]\nmemory = 1\n").find("link.memory is a number"), std::string::npos);
  EXPECT_NE(refusal("[link.memory]\ngamma = 1\n").find("known: alpha, beta, latency"), std::string::npos);
  EXPECT_NE(refusal("[link.Memory]\nbeta = 1\n").find("letters a-z"), std::string::npos);
  EXPECT_NE(refusal("[link.memory]\nbeta = true\n").find("is true or false; expected a time or rate"),
            std::string::npos);
  EXPECT_NE(refusal("[link.memory]\nbeta = -1\n").find("link.memory.beta"), std::string::npos);
  Machine m;
  EXPECT_THROW(set_parameter(m, "link.memory=1"), Error);
  EXPECT_THROW(set_parameter(m, "link..beta=1"), Error);
  EXPECT_THROW(set_parameter(m, "link.memory.beta"), Error);
}

}  // namespace
}  // namespace quadrille::links_test
