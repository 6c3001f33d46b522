// Whether two machines are the same, and whether an error says what would have been good.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "machine/keys.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::testing {

/// Field by field, so that a failure names the field.
inline void expect_same(const Machine& a, const Machine& b) {
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
inline void expect_error(const Call& call, Error::Kind kind, const std::vector<std::string>& parts) {
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

}  // namespace quadrille::testing
