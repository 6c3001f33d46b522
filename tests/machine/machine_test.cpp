// Machine files, assignments and presets: good ones read back to themselves, bad ones say what would have been good.
#include "quadrille/machine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "machine/keys.hpp"
#include "machine/presets.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::machine_test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Field by field, so that a failure names the field.
void expect_same(const Machine& a, const Machine& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.description, b.description);
  for (const machine::MachineKey& key : machine::machine_keys())
    EXPECT_EQ(machine::write_value(a, key), machine::write_value(b, key)) << key.name;
  EXPECT_EQ(a.alpha, b.alpha);
  EXPECT_EQ(a.per_hop, b.per_hop);
  EXPECT_EQ(a.beta, b.beta);
  EXPECT_EQ(a.gamma, b.gamma);
  EXPECT_EQ(a.rho, b.rho);
  EXPECT_EQ(a.barrier, b.barrier);
  EXPECT_EQ(a.barrier_log2, b.barrier_log2);
  EXPECT_EQ(a.ports, b.ports);
  EXPECT_EQ(a.duplex, b.duplex);
  EXPECT_EQ(a.switching, b.switching);
  EXPECT_EQ(a.circuit, b.circuit);
  EXPECT_EQ(a.multicast, b.multicast);
  EXPECT_EQ(a.shared, b.shared);
  ASSERT_EQ(a.origins.size(), b.origins.size());
  for (std::size_t i = 0; i < a.origins.size(); ++i) {
    EXPECT_EQ(a.origins[i].key, b.origins[i].key);
    EXPECT_EQ(a.origins[i].source, b.origins[i].source);
    EXPECT_EQ(a.origins[i].honesty, b.origins[i].honesty);
  }
}

/// What the call throws must be of the kind and contain every part; one line.
template <class Call>
void expect_error(const Call& call, Error::Kind kind, const std::vector<std::string>& parts) {
  try {
    call();
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(to_string(error.kind()), to_string(kind)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
  }
}

void expect_refused(const std::string& toml, const std::vector<std::string>& parts,
                    Error::Kind kind = Error::Kind::argument) {
  std::vector<std::string> all = parts;
  all.emplace_back("'here.toml'");
  expect_error([&] { parse_machine(toml, "here.toml"); }, kind, all);
}

void expect_refused_assignment(const std::string& assignment, const std::vector<std::string>& parts) {
  expect_error(
      [&] {
        Machine machine;
        set_parameter(machine, assignment);
      },
      Error::Kind::argument, parts);
}

Machine with(const std::string& assignment) {
  Machine machine;
  set_parameter(machine, assignment);
  return machine;
}

TEST(MachinePresets, AreTheFilesByteForByte) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(QUADRILLE_SOURCE_DIR) / "machines")) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const auto& presets = machine::generated_presets();
    const auto found = std::find_if(presets.begin(), presets.end(),
                                    [&](const machine::Preset& p) { return p.name == entry.path().stem().string(); });
    ASSERT_NE(found, presets.end()) << entry.path();
    EXPECT_EQ(found->toml, contents(entry.path())) << entry.path();
  }
  EXPECT_EQ(files, machine::generated_presets().size());
  EXPECT_EQ(files, machine_presets().size());
  const std::vector<std::string> names = machine_presets();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(MachinePresets, EveryNumberHasASource) {
  for (const std::string& name : machine_presets()) {
    SCOPED_TRACE(name);
    const Machine machine = load_machine(name);
    EXPECT_EQ(machine.name, name);
    EXPECT_FALSE(machine.description.empty());
    EXPECT_NO_THROW(check(machine));
    const auto sourced = [&](std::string_view key) {
      return std::any_of(machine.origins.begin(), machine.origins.end(),
                         [&](const Machine::Origin& o) { return o.key == key; });
    };
    for (const machine::MachineKey& key : machine::machine_keys()) {
      const bool number = std::holds_alternative<machine::TimeField>(key.field) ||
                          std::holds_alternative<machine::PerByteField>(key.field) || key.name == "shared";
      const bool set = key.name == "alpha" || key.name == "beta" ||
                       machine::write_value(machine, key) != machine::write_value(Machine{}, key);
      EXPECT_TRUE(!number || !set || sourced(key.name)) << key.name;
    }
  }
}

TEST(MachinePresets, ReadBackToThemselves) {
  for (const std::string& name : machine_presets()) {
    SCOPED_TRACE(name);
    const Machine machine = load_machine(name);
    expect_same(machine, parse_machine(to_text(machine), "elsewhere.toml"));
  }
}

TEST(MachinePresets, Ipsc860IsNicolAndBokhari) {
  const Machine m = load_machine("ipsc860");
  EXPECT_EQ(m.alpha, 177.5e-6);  // effective: 95.0 + 82.5
  EXPECT_EQ(m.beta, 0.394e-6);
  EXPECT_EQ(m.per_hop, 20.6e-6);  // 10.3 us x d per message = d/2 hops of 20.6 us
  EXPECT_EQ(m.rho, 0.54e-6);
  EXPECT_EQ(m.barrier, 0);
  EXPECT_EQ(m.barrier_log2, 150e-6);
  EXPECT_EQ(m.ports, Ports::one);
  EXPECT_EQ(m.duplex, Duplex::full);
  EXPECT_EQ(m.switching, Switching::circuit);
  EXPECT_EQ(m.circuit, CircuitCost::average);
}

TEST(MachinePresets, SaadAndSchultzCountInUnits) {
  const Machine m = load_machine("ipsc-1985");
  EXPECT_EQ(m.alpha, 1);
  EXPECT_EQ(m.beta, 1);
  EXPECT_EQ(m.per_hop, 0);
  EXPECT_EQ(m.rho, 0);
  EXPECT_EQ(m.ports, Ports::all);
  EXPECT_EQ(m.duplex, Duplex::half);
  EXPECT_EQ(m.switching, Switching::store_and_forward);
  EXPECT_EQ(load_machine("unit").duplex, Duplex::full);
  EXPECT_EQ(load_machine("unit-one-port").ports, Ports::one);
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

TEST(MachineParameter, SetsEveryKey) {
  EXPECT_EQ(with("alpha=2.5e-6").alpha, 2.5e-6);
  EXPECT_EQ(with(" alpha = 95 us ").alpha, 95e-6);
  EXPECT_EQ(with("alpha=1.5s").alpha, 1.5);
  EXPECT_EQ(with("alpha=2e3ns").alpha, 2e-6);
  EXPECT_EQ(with("per_hop=0.1ms").per_hop, 0.1e-3);
  EXPECT_EQ(with("beta=0.394us").beta, 0.394e-6);
  EXPECT_EQ(with("beta=0.394 us/B").beta, 0.394e-6);
  EXPECT_EQ(with("beta=1GiB/s").beta, std::ldexp(1.0, -30));
  EXPECT_EQ(with("gamma=1e-9").gamma, 1e-9);
  EXPECT_EQ(with("rho=540ns/B").rho, 540e-9);
  EXPECT_EQ(with("barrier=7us").barrier, 7e-6);
  EXPECT_EQ(with("barrier_log2=1e-4").barrier_log2, 1e-4);
  EXPECT_EQ(with("ports=one").ports, Ports::one);
  EXPECT_EQ(with("duplex=half").duplex, Duplex::half);
  EXPECT_EQ(with("switching=circuit").switching, Switching::circuit);
  EXPECT_EQ(with("circuit=exact").circuit, CircuitCost::exact);
  EXPECT_TRUE(with("multicast=true").multicast);
  EXPECT_EQ(with("shared=4").shared, 4);
  EXPECT_FALSE(std::signbit(with("alpha=-0").alpha));
}

TEST(MachineParameter, EveryWordIsRead) {
  for (const Duplex d : {Duplex::half, Duplex::full, Duplex::node_half})
    EXPECT_EQ(with("duplex=" + std::string(to_string(d))).duplex, d);
  for (const Switching s : {Switching::store_and_forward, Switching::circuit, Switching::wormhole})
    EXPECT_EQ(with("switching=" + std::string(to_string(s))).switching, s);
}

TEST(MachineParameter, ForgetsTheSourceOfWhatItChanges) {
  Machine m = load_machine("ipsc860");
  const std::size_t before = m.origins.size();
  set_parameter(m, "alpha=1us");
  EXPECT_EQ(m.origins.size(), before - 1);
  for (const Machine::Origin& origin : m.origins) EXPECT_NE(origin.key, "alpha");
  expect_same(m, parse_machine(to_text(m), "elsewhere.toml"));
}

TEST(MachineParameter, RefusesTheRest) {
  expect_refused_assignment("alpah=1", {"'alpah'", "did you mean 'alpha'", "barrier_log2", "switching"});
  expect_refused_assignment("", {"''", "alpha"});
  expect_refused_assignment("=1", {"alpha"});
  expect_refused_assignment("alpha", {"'alpha'", "value is missing", "alpha="});
  expect_refused_assignment("alpha=", {"alpha ''"});
  expect_refused_assignment("alpha=us", {"alpha 'us'"});
  expect_refused_assignment("alpha=1=2", {"alpha '1=2'"});
  expect_refused_assignment("alpha=-1us", {"from 0 to 1e9 s"});
  expect_refused_assignment("alpha=1e308", {"from 0 to 1e9 s"});
  expect_refused_assignment("beta=1e-300B/s", {"from 0 to 1e9 s"});
  expect_refused_assignment("alpha=1e-", {"alpha"});
  expect_refused_assignment("alpha=1e99999999999999999999", {"alpha"});
  expect_refused_assignment("alpha=nan", {"alpha"});
  expect_refused_assignment("alpha=0x10", {"alpha"});
  expect_refused_assignment("alpha=1,5", {"alpha"});
  expect_refused_assignment("alpha=1\n", {"alpha"});
  expect_refused_assignment("beta=1us/b", {"beta"});
  expect_refused_assignment("shared=99999999999999999999", {"shared"});
  Machine m;
  EXPECT_THROW(set_parameter(m, "alpha=oops"), Error);
  EXPECT_EQ(m.alpha, 1) << "a refused value must leave the machine alone";
}

TEST(MachineCheck, RefusesWhatNoMachineCharges) {
  EXPECT_NO_THROW(check(Machine{}));
  Machine m;
  m.rho = -1e-9;
  expect_error([&] { check(m); }, Error::Kind::argument, {"rho", "from 0 to 1e+09"});
  m.rho = 1.1e9;
  expect_error([&] { check(m); }, Error::Kind::argument, {"rho", "from 0 to 1e+09"});
  m = {};
  m.alpha = std::numeric_limits<double>::quiet_NaN();
  expect_error([&] { check(m); }, Error::Kind::argument, {"alpha is nan"});
  m = {};
  m.beta = std::numeric_limits<double>::infinity();
  expect_error([&] { check(m); }, Error::Kind::argument, {"beta is inf"});
  m = {};
  m.shared = 0;
  expect_error([&] { check(m); }, Error::Kind::argument, {"shared is 0"});
}

}  // namespace
}  // namespace quadrille::machine_test
