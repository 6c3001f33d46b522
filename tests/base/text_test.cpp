// Numbers, sizes and times as text: both ways, and what refused text is told.
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace quadrille::text_test {
namespace {

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::argument);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

TEST(Text, ReadsTheLargestUnits) {
  EXPECT_EQ(base::parse_bytes("2EiB"), Bytes{2} << 60);
  EXPECT_EQ(base::parse_bytes("1.5 PiB"), Bytes{3} << 49);
  EXPECT_EQ(base::parse_bytes("3PB"), 3'000'000'000'000'000);
  EXPECT_EQ(base::parse_bytes("4EB"), 4'000'000'000'000'000'000);
  EXPECT_EQ(base::parse_bytes("2e3kB"), 2'000'000);
  EXPECT_EQ(base::format_bytes(Bytes{3} << 49), "1.50 PiB");
}

TEST(Text, SplitKeepsEmptyParts) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(base::split("a,b,c", ','), (Parts{"a", "b", "c"}));
  EXPECT_EQ(base::split("", ','), (Parts{""}));
  EXPECT_EQ(base::split(",a,,", ','), (Parts{"", "a", "", ""}));
}

TEST(Text, JoinIsTheReverse) {
  EXPECT_EQ(base::join(std::vector<std::string>{"a", "b"}, ", "), "a, b");
  EXPECT_EQ(base::join(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(base::join(std::vector<std::int64_t>{3, -1}, ","), "3,-1");
}

TEST(Text, ArticlesAreThoseOfTheSpokenWord) {
  EXPECT_EQ(base::with_article("ring"), "a ring");
  EXPECT_EQ(base::with_article("Omega network"), "an Omega network");
  for (const char* an : {"8 x 8", "80 x 2", "11 x 2", "18-dimensional", "11000 x 2"})
    EXPECT_EQ(base::with_article(an)[1], 'n');
  for (const char* a : {"4 x 4", "1 x 8", "110 x 2", "180 x 2", "1800 x 2", ""})
    EXPECT_EQ(base::with_article(a)[1], ' ');
}

TEST(Text, QuotedIsPrintableAndShort) {
  EXPECT_EQ(base::quoted("tours:4"), "'tours:4'");
  EXPECT_EQ(base::quoted("a\nb\x1b[31m\xff"), "'a?b?[31m?'");
  EXPECT_EQ(base::quoted(std::string(100, 'x'), 5), "'xxxxx...'");
  EXPECT_EQ(base::quoted(std::string_view("\0", 1)), "'?'");
}

TEST(Text, Integers) {
  EXPECT_EQ(base::parse_integer("0", 0, 10, "n"), 0);
  EXPECT_EQ(base::parse_integer("-5", -5, 10, "n"), -5);
  EXPECT_EQ(base::parse_integer("9223372036854775807", 0, std::numeric_limits<std::int64_t>::max(), "n"),
            std::numeric_limits<std::int64_t>::max());
  for (const char* bad : {"", " 1", "1 ", "+1", "1.0", "1e3", "0x10", "11", "-1", "9223372036854775808", "one"})
    EXPECT_EQ(refusal([&] { base::parse_integer(bad, 0, 10, "n"); }),
              "n " + base::quoted(bad) + ": expected a whole number from 0 to 10");
}

TEST(Text, Numbers) {
  EXPECT_EQ(base::parse_number("2.5e-6", "x"), 2.5e-6);
  EXPECT_EQ(base::parse_number("-1", "x"), -1);
  for (const char* bad : {"", "nan", "inf", "-inf", "1e999", "1,5", "1 ", "0x1p3", "--1"})
    EXPECT_NE(refusal([&] { base::parse_number(bad, "x"); }).find("finite number"), std::string::npos) << bad;
}

TEST(Text, Bytes) {
  EXPECT_EQ(base::parse_bytes("0"), 0);
  EXPECT_EQ(base::parse_bytes("10B"), 10);
  EXPECT_EQ(base::parse_bytes("4KiB"), 4096);
  EXPECT_EQ(base::parse_bytes("4 KiB"), 4096);
  EXPECT_EQ(base::parse_bytes("4K"), 4096);
  EXPECT_EQ(base::parse_bytes("1.5MiB"), 1572864);
  EXPECT_EQ(base::parse_bytes("64kB"), 64000);
  EXPECT_EQ(base::parse_bytes("64KB"), 64000);
  EXPECT_EQ(base::parse_bytes("1e3"), 1000);
  EXPECT_EQ(base::parse_bytes("2GB"), 2000000000);
  EXPECT_EQ(base::parse_bytes("3TiB"), Bytes{3} << 40);
  EXPECT_EQ(base::parse_bytes("4611686018427387904"), Bytes{1} << 62);
  EXPECT_EQ(base::parse_bytes("4194304TiB"), Bytes{1} << 62);
  EXPECT_EQ(base::parse_bytes("9007199254740993"), 9007199254740993) << "beyond the whole numbers of a double";
}

TEST(Text, BytesRefused) {
  const auto told = [](const char* text, const char* part) {
    const std::string message = refusal([&] { base::parse_bytes(text, "block"); });
    EXPECT_EQ(message.rfind("block " + base::quoted(text), 0), 0U) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  told("", "not a number");
  told("KiB", "not a number");
  told("-1", "negative");
  told("-0.5KiB", "negative");
  told("1.5", "whole number of bytes");
  told("0.1KiB", "whole number of bytes");
  told("4611686018427387905", "larger than 2^62");
  told("99999999999999999999", "larger than 2^62");
  told("1e300", "larger than 2^62");
  told("1e999", "not a number");
  told("4194305TiB", "larger than 2^62");
  told("4kib", "unknown unit");
  told("4 bananas", "unknown unit");
  told("nan", "unknown unit");
  told("1e", "not a number");
  told("1.2.3", "not a number");
}

TEST(Text, FormatBytes) {
  EXPECT_EQ(base::format_bytes(0), "0 B");
  EXPECT_EQ(base::format_bytes(1000), "1000 B");
  EXPECT_EQ(base::format_bytes(4096), "4 KiB");
  EXPECT_EQ(base::format_bytes(1572864), "1.50 MiB");
  EXPECT_EQ(base::format_bytes(1025), "1025 B");
  EXPECT_EQ(base::format_bytes(Bytes{1} << 62), "4 EiB");
}

TEST(Text, FormatSeconds) {
  EXPECT_EQ(base::format_seconds(0), "0 s");
  EXPECT_EQ(base::format_seconds(830e-9), "830.0 ns");
  EXPECT_EQ(base::format_seconds(8.774e-3), "8.774 ms");
  EXPECT_EQ(base::format_seconds(0.99996e-3), "1.000 ms");
  EXPECT_EQ(base::format_seconds(125), "2 min 5 s");
  EXPECT_EQ(base::format_seconds(7260), "2 h 1 min");
  EXPECT_EQ(base::format_seconds(31557600 * 2.5), "2.5 years");
  EXPECT_EQ(base::format_seconds(1e300), "3.17e+292 years");
  EXPECT_EQ(base::format_seconds(0.0807e-9), "0.0807 ns");
  EXPECT_EQ(base::format_seconds(std::numeric_limits<double>::infinity()), "infinite");
}

TEST(Text, FormatCountAndRatio) {
  EXPECT_EQ(base::format_count(0), "0");
  EXPECT_EQ(base::format_count(999), "999");
  EXPECT_EQ(base::format_count(1048576), "1 048 576");
  EXPECT_EQ(base::format_count(-1234), "-1 234");
  EXPECT_EQ(base::format_count(std::numeric_limits<std::int64_t>::min()), "-9 223 372 036 854 775 808");
  EXPECT_EQ(base::format_ratio(1), "1.00");
  EXPECT_EQ(base::format_ratio(38.2), "38.2");
  EXPECT_EQ(base::format_ratio(1200), "1200");
}

TEST(Text, UnknownNamesAreHelped) {
  EXPECT_EQ(refusal([] {
              base::unknown_name("topology", "tours", "family", {"torus", "ring"});
            }),
            "topology 'tours': unknown family; did you mean 'torus'? known: ring, torus");
  EXPECT_EQ(refusal([] {
              base::unknown_name("topology", "zzzzzz", "family", {"torus", "ring"});
            }),
            "topology 'zzzzzz': unknown family; known: ring, torus");
}

}  // namespace
}  // namespace quadrille::text_test
