// The table of a machine's constants: what JSON, tables and reports take from it.
#include "machine/keys.hpp"

#include <gtest/gtest.h>

#include <set>

namespace quadrille::keys_test {
namespace {

TEST(MachineKeys, AreShownInPlacesOfTheirOwnWithAMeaning) {
  std::set<int> places, in_table;
  for (const machine::MachineKey& key : machine::machine_keys()) {
    EXPECT_TRUE(places.insert(key.shown).second) << key.name;
    EXPECT_TRUE(in_table.insert(key.shown_in_table).second) << key.name;
    EXPECT_FALSE(key.meaning.empty()) << key.name;
    EXPECT_FALSE(machine::brief_of(Machine{}, key).empty()) << key.name;
  }
}

// JSON has what is charged first; the table says beside the cost of a hop how hops are counted.
TEST(MachineKeys, HaveTheOrderThatReadersKnow) {
  const auto names = [](const std::vector<const machine::MachineKey*>& keys) {
    std::string text;
    for (const machine::MachineKey* key : keys) text += std::string(key->name) + " ";
    return text;
  };
  EXPECT_EQ(names(machine::keys_as_shown()),
            "alpha overhead_send overhead_receive eager_limit per_hop beta gamma rho barrier barrier_log2 burst ports "
            "duplex switching circuit multicast shared ");
  EXPECT_EQ(
      names(machine::keys_as_in_table()),
      "alpha overhead_send overhead_receive eager_limit per_hop circuit beta gamma rho barrier barrier_log2 burst "
      "ports duplex switching multicast shared ");
}

TEST(MachineKeys, SayUnitsAndValues) {
  Machine m;
  m.alpha = 95e-6, m.beta = 394e-9, m.eager_limit = 16384, m.multicast = true, m.duplex = Duplex::half;
  const auto said = [&](std::string_view name) {
    const machine::MachineKey& key = *machine::find_key(name);
    return machine::json_name(key) + " " + machine::text_of(m, key) + " " + std::string(machine::unit_of(key));
  };
  EXPECT_EQ(said("alpha"), "alpha_s 95.00 us s");
  EXPECT_EQ(said("beta"), "beta_s_per_byte 394.0 ns/B s/B");
  EXPECT_EQ(said("gamma"), "gamma_s_per_byte 0 s/B s/B");
  EXPECT_EQ(said("eager_limit"), "eager_limit_bytes 16 KiB B");
  EXPECT_EQ(said("multicast"), "multicast true ");
  EXPECT_EQ(said("duplex"), "duplex half ");
  EXPECT_EQ(said("shared"), "shared 1 ");
  EXPECT_EQ(std::get<std::string_view>(machine::value_of(m, *machine::find_key("duplex"))), "half");
  EXPECT_EQ(std::get<double>(machine::value_of(m, *machine::find_key("alpha"))), 95e-6);
}

}  // namespace
}  // namespace quadrille::keys_test
