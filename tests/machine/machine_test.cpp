// Machine files: good ones read back to themselves, bad ones say what would have been good.
#include "quadrille/machine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "machines.hpp"

namespace quadrille::machine_test {
namespace {

namespace fs = std::filesystem;

using testing::expect_error;
using testing::expect_same;

void expect_refused(const std::string& toml, const std::vector<std::string>& parts,
                    Error::Kind kind = Error::Kind::argument) {
  std::vector<std::string> all = parts;
  all.emplace_back("'here.toml'");
  expect_error([&] { parse_machine(toml, "here.toml"); }, kind, all);
}

TEST(MachineFile, ShortAndLongForms) {
  const Machine m = parse_machine(
      "rho = { value = '0.5 us', source = 'ping-pong', honesty = 'measured' }\n"
      "alpha = 2.5e-6\nbeta = \"1.25 GB/s\"\nper_hop = '95ns'\nbarrier = 1\nmulticast = true\nshared = 3\n"
      "ports = 'one'\nduplex = 'node-half'\nswitching = 'wormhole'\ncircuit = 'exact'\nname = 'mine'\n"
      "[gamma]\nvalue = '0.1 ns/B'\nsource = 'STREAM \"add\"'\nhonesty = 'elsewhere'\n",
      "here.toml");
  EXPECT_EQ(m.name, "mine");
  EXPECT_EQ(m.alpha, 2.5e-6);
  EXPECT_EQ(m.beta, 8e-10);
  EXPECT_EQ(m.per_hop, 95e-9);
  EXPECT_EQ(m.gamma, 0.1e-9);
  EXPECT_EQ(m.rho, 0.5e-6);
  EXPECT_EQ(m.barrier, 1);
  EXPECT_TRUE(m.multicast);
  EXPECT_EQ(m.shared, 3);
  EXPECT_EQ(m.ports, Ports::one);
  EXPECT_EQ(m.duplex, Duplex::node_half);
  EXPECT_EQ(m.switching, Switching::wormhole);
  EXPECT_EQ(m.circuit, CircuitCost::exact);
  ASSERT_EQ(m.origins.size(), 2U);  // in file order, which is not the order of names
  EXPECT_EQ(m.origins[0].key, "rho");
  EXPECT_EQ(m.origins[0].honesty, Honesty::measured);
  EXPECT_EQ(m.origins[1].key, "gamma");
  EXPECT_EQ(m.origins[1].source, "STREAM \"add\"");
  expect_same(m, parse_machine(to_text(m), "elsewhere.toml"));
}

TEST(MachineFile, IsNamedAfterItself) {
  EXPECT_EQ(parse_machine("alpha = 1\nbeta = 1", "some/where/cluster.toml").name, "cluster");
  EXPECT_EQ(parse_machine("alpha = 1\nbeta = 1", "").name, "machine");
}

TEST(MachineFile, TextKeepsEveryNumber) {
  Machine m;
  m.description = "quotes \" and \\ and \xC3\xBC";
  for (const double value : {0.0, 1e-300, 5e-324, 0.1, 1.0 / 3.0, 12345678.901234567, 999999999.9999999, 1e9}) {
    m.alpha = value;
    m.beta = value;
    expect_same(m, parse_machine(to_text(m), "elsewhere.toml"));
  }
}

TEST(MachineFile, RefusesValuesOutsideTheirDomain) {
  const std::string rest = "\nbeta = 1\n";
  expect_refused("alpha = -1" + rest, {"line 1", "alpha '-1'", "from 0 to 1e9 s"});
  expect_refused("alpha = nan" + rest, {"alpha 'nan'", "seconds"});
  expect_refused("alpha = inf" + rest, {"alpha 'inf'", "seconds"});
  expect_refused("alpha = '1e999'" + rest, {"alpha"});
  expect_refused("alpha = '5 parsecs'" + rest, {"alpha '5 parsecs'", "ms"});
  expect_refused("alpha = '5 us/B'" + rest, {"alpha '5 us/B'"});
  expect_refused("alpha = '5 GB/s'" + rest, {"alpha '5 GB/s'"});
  expect_refused("alpha = ''" + rest, {"alpha ''"});
  expect_refused("alpha = true" + rest, {"alpha 'true'"});
  expect_refused("alpha = 1\nbeta = '0 GB/s'", {"line 2", "beta '0 GB/s'", "12.5GB/s"});
  expect_refused("ports = 'two'" + rest, {"ports 'two'", "one or all"});
  expect_refused("ports = 1" + rest, {"ports '1'", "one or all"});
  expect_refused("duplex = 'both'" + rest, {"half or full or node-half"});
  expect_refused("multicast = 'yes'" + rest, {"multicast 'yes'", "true or false"});
  expect_refused("shared = 0" + rest, {"shared '0'", "from 1"});
  expect_refused("shared = 1.5" + rest, {"shared '1.5'"});
}

TEST(MachineFile, RefusesUnknownAndMissingKeys) {
  expect_refused("\n\nalfa = 1\nbeta = 1", {"line 3", "'alfa'", "barrier_log2", "did you mean 'alpha'"});
  expect_refused("alpha = { value = 1, sauce = 'x' }\nbeta = 1",
                 {"'sauce'", "honesty, source, value", "did you mean 'source'"});
  expect_refused("alpha = { value = 1, source = 'x', honesty = 'honest' }\nbeta = 1",
                 {"honesty of alpha 'honest'", "text or elsewhere or recalled or measured or unit"});
  for (const std::string text : {"", "\xEF\xBB\xBF", "# nothing", "beta = 1"})
    expect_refused(text, {"alpha is missing"}, Error::Kind::format);
  expect_refused("alpha = 1", {"beta is missing"}, Error::Kind::format);
}

TEST(MachineFile, RefusesWrongTypes) {
  const auto refused = [](const std::string& toml, const std::vector<std::string>& parts) {
    expect_refused(toml, parts, Error::Kind::format);
  };
  refused("alpha = [1, 2]\nbeta = 1", {"line 1", "alpha is an array"});
  refused("alpha = { value = { value = 1 } }\nbeta = 1", {"alpha is a table"});
  refused("alpha = 1979-05-27\nbeta = 1", {"alpha is a date"});
  refused("[[alpha]]\nvalue = 1", {"alpha is an array"});
  refused("alpha = {}\nbeta = 1", {"alpha has no value"});
  refused("alpha = { value = 1, source = 'x' }\nbeta = 1", {"source without honesty"});
  refused("alpha = { value = 1, honesty = 'text' }\nbeta = 1", {"honesty without source"});
  refused("alpha = { value = 1, source = 7, honesty = 'text' }\nbeta = 1", {"source of alpha is a number"});
  refused("alpha = { value = 1, source = 'x', honesty = 7 }\nbeta = 1", {"honesty of alpha is a number"});
  refused("name = 7\nalpha = 1\nbeta = 1", {"name is a number"});
  refused("name = ''\nalpha = 1\nbeta = 1", {"name has 0 bytes"});
  refused("description = \"a\\nb\"\nalpha = 1\nbeta = 1", {"description", "control character"});
  refused("description = \"\\u009b31m\"\nalpha = 1\nbeta = 1", {"description", "control character"});
  refused("description = '" + std::string(2000, 'x') + "'\nalpha = 1\nbeta = 1", {"description has 2000 bytes"});
}

TEST(MachineFile, RefusesWhatIsNotToml) {
  const auto refused = [](const std::string& toml, const std::vector<std::string>& parts = {}) {
    std::vector<std::string> all = parts;
    all.emplace_back("not TOML");
    expect_refused(toml, all, Error::Kind::format);
  };
  refused("alpha = 1\nalpha = 2\nbeta = 1", {"line 2", "alpha"});
  refused("alpha = 1\n[alpha]\nvalue = 1", {"alpha"});
  refused("alpha = '1 us", {"line 1"});
  refused("alpha = 1\nbeta = { value = 1, source", {"line 2"});
  refused("alpha = ");
  refused("alpha = 1e", {"line 1"});
  refused("alpha = 1 us");
  refused(std::string("alpha = 1\0", 10));
  refused("alpha = '\xff'");
  refused("alpha = " + std::string(100000, '['));
}

TEST(MachineFile, IsBounded) {
  expect_refused("alpha = 1\nbeta = 1\n#" + std::string(1 << 20, 'x'), {"1 MiB"}, Error::Kind::argument);
  std::string nested = "a";  // as tables this would be 100 000 deep
  for (int i = 0; i < 100000; ++i) nested += ".a";
  expect_refused(nested + " = 1\nalpha = 1\nbeta = 1", {"dots"}, Error::Kind::argument);
  expect_refused(nested.substr(0, 4001) + " = 1\nalpha = 1\nbeta = 1", {"'a'"});  // 2000 dots are survived
}

class MachineOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "quadrille-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(MachineOnDisk, LoadsAPath) {
  const Machine m = load_machine(write("cluster.toml", "alpha = '2 us'\nbeta = '0.1 ns/B'\n"));
  EXPECT_EQ(m.name, "cluster");
  EXPECT_EQ(m.alpha, 2e-6);
}

TEST_F(MachineOnDisk, RefusesWhatCannotBeRead) {
  const auto refused = [](const std::string& name, const std::vector<std::string>& parts) {
    expect_error([&] { load_machine(name); }, Error::Kind::argument, parts);
  };
  refused(folder_.string(), {"is a directory", "ipsc860"});
  refused((folder_ / "absent.toml").string(), {"absent.toml", "no such file", "ipsc860"});
  refused("ipsc86", {"'ipsc86'", "did you mean 'ipsc860'", "no such file", "unit"});
  refused("", {"''", "ipsc860"});
  refused(std::string("ipsc860\0x", 9), {"ipsc860"});
  refused("/dev/null", {"not a regular file"});
  const std::string closed = write("closed.toml", "alpha = 1\nbeta = 1\n");
  fs::permissions(closed, fs::perms::none);
  if (geteuid() != 0) refused(closed, {"cannot be opened"});
}

TEST_F(MachineOnDisk, BoundsTheFile) {
  const std::string path = write("long.toml", std::string((1 << 20) + 1, '\n'));
  expect_error([&] { load_machine(path); }, Error::Kind::argument, {"long.toml", "1 MiB"});
}

/// A file cut off anywhere either still says all that it must, or is refused in one line.
TEST_F(MachineOnDisk, TruncatedFilesAreRefusedOrWhole) {
  const std::string whole = to_text(load_machine("ipsc860"));
  int refused = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      const Machine m = parse_machine(whole.substr(0, length), "cut.toml");
      EXPECT_EQ(m.alpha, 177.5e-6);
    } catch (const Error& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("'cut.toml'"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size() / 2));
}

}  // namespace
}  // namespace quadrille::machine_test
