// Constants found in synthetic times, and threads measured end to end.
#include "quadrille/tune.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "tuner/probe.hpp"

namespace quadrille::tune_test {
namespace {

/// 1 .. 9 have quartiles 3 and 7 and the median 5: a spread of 4/5; the least is 1, and each had two parts.
TEST(Tune, ASampleIsItsLeastWithTheSpreadOfAll) {
  const Sample s = summarised(64, {9, 1, 8, 2, 7, 3, 6, 4, 5}, 2);
  EXPECT_EQ(s.bytes, 64);
  EXPECT_DOUBLE_EQ(s.time, 0.5);
  EXPECT_DOUBLE_EQ(s.spread, 0.8);
  EXPECT_EQ(s.repetitions, 9);
  EXPECT_EQ(summarised(64, {}).repetitions, 0);
  Samples all;
  all.one_way = {s, summarised(64, {1, 1, 5, 9, 9})};  // quartiles 1 and 9, median 5: 8/5
  EXPECT_EQ(uncertain(all), 1);
}

/// Repetitions of one time: up to 10 % longer each, and every seventh ten times as long.
Sample noisy(Bytes bytes, Seconds time, std::mt19937& random) {
  std::uniform_real_distribution<double> noise(0, 0.1);
  std::vector<Seconds> times;
  for (int i = 0; i < 30; ++i) times.push_back(time * (1 + noise(random)) * (i % 7 == 3 ? 10 : 1));
  return summarised(bytes, std::move(times));
}

/// alpha 50 us, 3 us a hop, 10 ns a byte, all ports, full duplex. The least of the 26 of 30 that are up to 10 % longer
/// is within 3 % (it is above with a probability of 0.7^26 = 0.0001). A difference of two times of 708 and 2674 us is
/// then within 3 % of the later one, 80 us of 1966, which is 4.1 %; that of hops within 3 % of 63 us, 1.9 us of 9 over
/// three.
TEST(Tune, ConstantsAreFoundAgainInNoiseAndOutliers) {
  std::mt19937 random(1);
  const auto wire = [](Bytes bytes) { return 53e-6 + 10e-9 * static_cast<double>(bytes); };
  Samples s;
  for (const Bytes bytes : {64, 65536, 262144}) s.one_way.push_back(noisy(bytes, wire(bytes), random));
  for (const Bytes bytes : {64, 16384, 65536, 262144}) s.all_ways.push_back(noisy(bytes, wire(bytes), random));
  s.two_way = noisy(262144, wire(262144), random);
  s.fan = noisy(65536, wire(65536), random);
  s.far = noisy(64, wire(64) + 9e-6, random);
  s.fan_out = 2;
  s.far_hops = 4;
  s.permute = noisy(1 << 20, 2e-4, random);
  s.reduce = noisy(1 << 20, 1e-4, random);
  s.barrier = noisy(0, 30e-6, random);
  s.barrier_ranks = 8;
  const Machine m = fit(s, "a ring");
  EXPECT_EQ(m.ports, Ports::all);
  EXPECT_EQ(m.duplex, Duplex::full);
  EXPECT_NEAR(m.beta, 10e-9, 0.42e-9);
  EXPECT_NEAR(m.per_hop, 3e-6, 0.64e-6);
  EXPECT_NEAR(m.alpha, 50e-6, 2.3e-6);
  EXPECT_NEAR(m.rho, 2e-4 / (1 << 20), 0.03 * 2e-4 / (1 << 20));
  EXPECT_NEAR(m.gamma, 1e-4 / (1 << 20), 0.03 * 1e-4 / (1 << 20));
  EXPECT_NEAR(m.barrier_log2, 10e-6, 0.3e-6) << "30 us over log2 8";
  const Machine again = parse_machine(to_text(m), "test");
  EXPECT_EQ(to_text(again), to_text(m));
  for (const char* key : {"ports", "duplex", "alpha", "beta", "per_hop", "rho", "gamma", "barrier_log2"}) {
    const auto has = [&](const Machine::Origin& o) {
      return o.key == key && o.honesty == Honesty::measured && o.source.find("least of 30") != std::string::npos;
    };
    EXPECT_EQ(std::count_if(again.origins.begin(), again.origins.end(), has), 1) << key;
  }
}

/// A clock that has seen nothing, and noise by which more bytes take less time and far is nearer than near: constants
/// stay positive, and bytes are charged by the longest message as a whole, 200 us for 262144 B.
TEST(Tune, ConstantsArePositiveWhateverTheNoise) {
  Samples s;
  s.one_way = {{64, 9e-6}, {65536, 300e-6}, {262144, 200e-6}};
  s.all_ways = {{64, 9e-6}, {16384, 90e-6}, {65536, 300e-6}, {262144, 200e-6}};
  s.two_way = {262144, 200e-6};
  s.fan = {65536, 300e-6};
  s.far = {64, 5e-6};
  s.fan_out = 2, s.far_hops = 4;
  s.permute = s.reduce = {1 << 20, 0};
  s.barrier_ranks = 8;
  const Machine m = fit(s, "noise");
  EXPECT_DOUBLE_EQ(m.beta, 200e-6 / 262144);
  EXPECT_DOUBLE_EQ(m.alpha, 9e-6);
  EXPECT_EQ(m.per_hop, 0) << "none was seen";
  for (const double constant : {m.rho, m.gamma, m.barrier_log2}) EXPECT_GT(constant, 0);
  s.far.time = 100e-6;  // a hop is longer than a message to a neighbour: (100 - 9) / 3 us
  EXPECT_GT(fit(s, "noise").alpha, 0);
}

/// 8 us half a round trip over one hop of none, of which 0.5 us are the sender's and 0.7 us the receiver's: seen in
/// what a round of 8 messages takes more than one of 4. Times are up to 10 % longer, and their least within 3 %.
TEST(Tune, OverheadsAreWhatAFurtherMessageTakes) {
  Samples s;
  const auto wire = [](Bytes bytes) { return 8e-6 + 1e-9 * static_cast<double>(bytes); };
  for (const Bytes bytes : {64, 65536, 262144}) s.one_way.push_back({bytes, bytes == 64 ? 8e-6 : wire(bytes)});
  for (const Bytes bytes : {64, 16384, 65536, 262144}) s.all_ways.push_back({bytes, 2 * wire(bytes)});
  s.two_way = {262144, wire(262144)};
  s.fan = {65536, 8 * wire(65536)};
  s.fan_out = 8;
  s.far = {64, 8e-6};
  s.sent = {4, 8, {64, 4 * 0.5e-6 + 1e-6}, {64, 8 * 0.5e-6 + 1e-6}};
  s.received = {4, 8, {64, 4 * 0.7e-6 + 1e-6}, {64, 8 * 0.7e-6 + 1e-6}};
  const Seconds port = 64e-9;  // 64 B take so long at the one port, whatever the processor does
  Machine m = fit(s, "an ideal machine");
  ASSERT_EQ(m.ports, Ports::one);
  EXPECT_NEAR(m.overhead_send, 0.5e-6 - port, 1e-12);
  EXPECT_NEAR(m.overhead_receive, 0.7e-6 - port, 1e-12);
  EXPECT_NEAR(m.overhead_send + m.alpha + m.overhead_receive, 8e-6, 1e-12) << "half a round trip, whole";
  EXPECT_EQ(to_text(parse_machine(to_text(m), "test")), to_text(m));
  s.fan.time = wire(65536);  // all ports at once: then no bytes wait for others'
  m = fit(s, "an ideal machine");
  ASSERT_EQ(m.ports, Ports::all);
  EXPECT_NEAR(m.overhead_send, 0.5e-6, 1e-12);
  EXPECT_NEAR(m.overhead_receive, 0.7e-6, 1e-12);
  EXPECT_NEAR(m.alpha, 6.8e-6, 1e-12) << "of one message, not of all neighbours' at once";
  std::mt19937 random(5);
  s.sent.of_few = noisy(64, 3e-6, random), s.sent.of_many = noisy(64, 5e-6, random);
  EXPECT_NEAR(fit(s, "noise").overhead_send, 0.5e-6, 0.03 * 8e-6 / 4);
}

/// What repetitions differ by more than a further message takes is no overhead; nor is what nobody measured.
TEST(Tune, OverheadsWithinNoiseAreNone) {
  Samples s;
  s.one_way = {{64, 8e-6}, {65536, 73e-6}, {262144, 270e-6}};
  s.all_ways = {{64, 8e-6}, {16384, 24e-6}, {65536, 73e-6}, {262144, 270e-6}};
  s.two_way = {262144, 270e-6};
  s.fan = {65536, 73e-6};
  s.fan_out = 2;
  EXPECT_FALSE(fit(s, "one neighbour").has_overhead());
  s.sent = {1, 2, {64, 5e-6, 0.3, 20}, {64, 6e-6, 0.3, 20}};        // 1 us more, give or take 2.3
  s.received = {1, 2, {64, 5e-6, 0.01, 20}, {64, 4e-6, 0.01, 20}};  // less for more
  const Machine m = fit(s, "noise");
  EXPECT_FALSE(m.has_overhead());
  EXPECT_NEAR(m.alpha, 8e-6, 1e-12);
  const auto told = std::count_if(m.origins.begin(), m.origins.end(), [](const Machine::Origin& o) {
    return o.key.starts_with("overhead_") && o.source.find("within noise") != std::string::npos;
  });
  EXPECT_EQ(told, 2);
  s.sent = {1, 2, {64, 5e-6, 0.01, 20}, {64, 55e-6, 0.01, 20}};  // more than a whole message takes
  const Machine large = fit(s, "a slow processor");
  EXPECT_LE(large.overhead_send, 8e-6);
  EXPECT_GT(large.alpha, 0);
  EXPECT_NEAR(large.overhead_send + large.alpha + large.overhead_receive, 8e-6, 1e-9);
}

TEST(Tune, AFileSaysWhenAndWhatItWasMeasuredOn) {
  Machine machine;
  machine.origins.push_back({"alpha", "a ruler", Honesty::measured});
  MeasuredOn on{.transport = "threads", .library = {}, .topology = "crossbar:3", .date = {}};
  on.ranks = 3;
  const MachineFile file = file_of(machine, on);
  EXPECT_EQ(file.measured.date.size(), 10u);
  EXPECT_EQ(file.measured.date.substr(0, 2), "20");
  EXPECT_TRUE(file.is_given("alpha"));
  EXPECT_FALSE(file.is_given("rho"));
}

/// A machine that takes 5 us a round with messages and 1 ns for each of their bytes, whatever else happens at once:
/// the probes' own structure must give these constants back. Half of the way through there is no time left.
struct Ideal {
  Seconds now = 0;
  RunResult operator()(const Spec& spec, const Schedule& schedule, const RunOptions& options) {
    Seconds once = 0;
    Collected collected;
    for (Round t = 0; t < schedule.shape().rounds; ++t) {
      Bytes most = 0;
      for (Rank r = 0; r < spec.ranks(); ++r)
        for (const Transfer& x : collected.all(schedule, t, r))
          if (x.kind == Kind::send && x.peer != r) most = std::max(most, schedule.bytes(x.buffer, x.slots));
      once += most > 0 ? 5e-6 + 1e-9 * static_cast<double>(most) : schedule.barrier(t) ? 4e-6 : 1e-4;
    }
    now += once * (options.repetitions + 1);
    RunResult result;
    result.times.assign(static_cast<std::size_t>(options.repetitions), once);
    return result;
  }
};

TEST(Tune, ProbesMeasureWhatTheyAreFor) {
  Ideal ideal;
  TuneOptions options{.ranks = 4, .topology = parse_topology("ring:4")};
  options.perform = std::ref(ideal);
  options.elapsed = [&] { return ideal.now; };
  const Tuned tuned = tune(options, "an ideal machine");
  EXPECT_EQ(tuned.pairs.size(), 6u);
  EXPECT_FALSE(tuned.hurried);
  EXPECT_LE(ideal.now, options.seconds);
  const Machine& m = tuned.machine;
  EXPECT_EQ(m.ports, Ports::all);
  EXPECT_EQ(m.duplex, Duplex::full);
  EXPECT_NEAR(m.alpha, 5e-6 + 64e-9, 1e-12) << "the bytes of the small message are not taken off";
  EXPECT_NEAR(m.beta, 1e-9, 1e-15);
  EXPECT_NEAR(m.per_hop, 0, 1e-12);
  EXPECT_EQ(tuned.samples.sent.few, 1);
  EXPECT_EQ(tuned.samples.sent.many, 2) << "its two neighbours on the ring";
  EXPECT_NEAR(tuned.samples.received.of_many.time, 5e-6 + 64e-9, 1e-12);
  EXPECT_FALSE(m.has_overhead()) << "a round takes as long with one message more";
  EXPECT_NEAR(m.barrier_log2, 2e-6, 1e-12) << "4 us over log2 4";
  EXPECT_NEAR(m.rho, 1e-4 / (64 * 64 * 256), 1e-15);
  EXPECT_GT(m.gamma, 0);
  options.seconds = 1e-3;
  EXPECT_TRUE(tune(options, "an ideal machine").hurried);
}

TEST(Tune, ThreadsAreMeasured) {
  TuneOptions options{.ranks = 3, .seconds = 0.2, .perform = run_threads};
  options.elapsed = [begin = std::chrono::steady_clock::now()] {
    return std::chrono::duration<Seconds>(std::chrono::steady_clock::now() - begin).count();
  };
  const Tuned tuned = tune(options, "threads");
  const Machine& m = tuned.machine;
  for (const double constant : {m.alpha, m.beta, m.gamma, m.rho, m.barrier_log2}) EXPECT_GT(constant, 0);
  EXPECT_EQ(to_text(parse_machine(to_text(m), "test")), to_text(m));
}

TEST(Tune, WhatCannotBeMeasuredIsRefused) {
  const auto refused = [](Rank ranks, const char* topology, std::string_view reason) {
    TuneOptions options{.ranks = ranks};
    if (*topology != '\0') options.topology = parse_topology(topology);
    try {
      tune(options, "");
      ADD_FAILURE() << topology;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::argument);
      EXPECT_NE(std::string_view(error.what()).find(reason), std::string_view::npos) << error.what();
    }
  };
  refused(1, "", "start 2 or more");
  refused(4, "ring:5", "ring:5 has 5 ranks, and there are 4");
  refused(4, "memory:4", "measure on crossbar:4");
}

}  // namespace
}  // namespace quadrille::tune_test
