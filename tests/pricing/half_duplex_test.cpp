// Bounds where a wire or a port passes one way at a time, worked out by hand. That none is above a price is tried with
// those of full duplex.
#include <gtest/gtest.h>

#include <string>

#include "quadrille/price.hpp"
#include "quadrille/sources.hpp"
#include "settings.hpp"

namespace quadrille::half_duplex_test {
namespace {

using testing::request;
using testing::test_machine;
using enum Collective;

constexpr Bytes m = 3600;

Bytes part(const Spec& spec, Ports ports, Duplex duplex, const std::string& name) {
  for (const Bound::Part& part : lower_bound(spec, test_machine(ports, duplex, Switching::wormhole)).parts)
    if (part.name == name) return part.bytes;
  ADD_FAILURE() << "no part " << name;
  return 0;
}
Bytes work(const Spec& spec, Ports ports = Ports::one) { return part(spec, ports, Duplex::half, "work"); }

// A transfer keeps the sender's port busy and the receiver's.
TEST(HalfDuplex, TransfersKeepTwoPortsBusy) {
  for (const std::string network : {"crossbar:16", "mesh:4x4", "hypercube:4"}) {
    EXPECT_EQ(work(request(bcast, network, m)), 15 * m / 8) << network;
    EXPECT_EQ(work(request(reduce, network, m)), 15 * m / 8) << network;
    EXPECT_EQ(work(request(allgather, network, m)), 16 * 15 * m / 8) << network;
  }
  EXPECT_EQ(work(request(bcast, "star:9", m)), 2 * 8 * m / 9);
  EXPECT_EQ(work(request(reduce_scatter, "star:9", m)), 2 * 9 * 8 * m / 9);
  EXPECT_EQ(work(request(allreduce, "star:9", m)), 2 * 2 * 8 * m / 9);
  EXPECT_EQ(work(request(bcast, "fattree:4", m)), 2 * 15 * m / 16);
  Spec spec = request(multibcast, "star:9", m);
  spec.sources = make_sources({{1, m}, {2, m}, {4, m}});
  EXPECT_EQ(work(spec), 2 * 3 * 8 * m / 9);
}

// Ten ranks have three wires each; on a ring of eight ranks, one of the wires is missing.
TEST(HalfDuplex, TransfersShareAllWires) {
  EXPECT_EQ(work(request(allgather, "petersen", m), Ports::all), 10 * 9 * m / 15);
  EXPECT_EQ(work(request(bcast, "petersen", m), Ports::all), 9 * m / 15);
  EXPECT_EQ(work(request(allgather, "ring:8!0-1", m), Ports::all), 8 * 7 * m / 7);
}

// Every rank sends as much as it takes in.
TEST(HalfDuplex, WhatARankSendsWaitsForWhatItTakesIn) {
  EXPECT_EQ(part(request(alltoall, "petersen", m), Ports::all, Duplex::half, "port"), 2 * 9 * m / 3);
  EXPECT_EQ(part(request(alltoall, "petersen", m), Ports::all, Duplex::full, "port"), 9 * m / 3);
  EXPECT_EQ(part(request(alltoall, "star:9", m), Ports::all, Duplex::half, "port"), 2 * 8 * m);
}

// Links of their own lead either way, and one pair has one each way.
TEST(HalfDuplex, OneWayLinksAreNoWires) {
  EXPECT_EQ(part(request(alltoall, "kautz:2,1", m), Ports::all, Duplex::half, "port"),
            part(request(alltoall, "kautz:2,1", m), Ports::all, Duplex::full, "port"));
}

}  // namespace
}  // namespace quadrille::half_duplex_test
