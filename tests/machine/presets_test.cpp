// Presets: the files they are made of, their sources, and what they charge.
#include "machine/presets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "machines.hpp"

namespace quadrille::presets_test {
namespace {

namespace fs = std::filesystem;

using testing::expect_same;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
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

}  // namespace
}  // namespace quadrille::presets_test
