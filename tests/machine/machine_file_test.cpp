// Quantities as people write them, what a file says of where it was measured, and what is said where it is used.
#include "quadrille/machine_file.hpp"

#include <gtest/gtest.h>

namespace quadrille::machine_file_test {
namespace {

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

double beta_of(const std::string& text) {
  Machine machine;
  set_parameter(machine, "beta=" + text);
  return machine.beta;
}

Seconds alpha_of(const std::string& text) {
  Machine machine;
  set_parameter(machine, "alpha=" + text);
  return machine.alpha;
}

/// 100 Gbit/s are 12.5e9 B/s, so a byte takes 80 ps.
TEST(Quantities, RatesAreReadAsVendorsWriteThem) {
  for (const char* text : {"100Gbit/s", "100 Gbit/s", "100 Gb/s", "100Gbps", "100 Gbits/s", "0.1Tbit/s", "12.5GB/s",
                           "12.5 GBps", "12500 MB/s", "8e-11", "0.08ns/B", "0.08 ns"})
    EXPECT_DOUBLE_EQ(beta_of(text), 8e-11) << text;
  EXPECT_DOUBLE_EQ(beta_of("200 Gbps"), 4e-11);
  EXPECT_DOUBLE_EQ(beta_of("25 GB/s"), 4e-11);
  EXPECT_DOUBLE_EQ(beta_of("1MiB/s"), 1.0 / 1048576);
  EXPECT_DOUBLE_EQ(beta_of("10kbit/s"), 8e-4);
  EXPECT_EQ(beta_of("12.5"), 12.5) << "plain numbers are seconds a byte, as before";
}

TEST(Quantities, TimesTakeBothLettersForMicro) {
  for (const char* text : {"1.5us", "1.5 us", "1.5\u00b5s", "1.5 \u03bcs", "1500ns", "0.0015ms", "1.5e-6"})
    EXPECT_DOUBLE_EQ(alpha_of(text), 1.5e-6) << text;
}

TEST(Quantities, WhatDoesNotSayBitsOrBytesIsRefused) {
  for (const char* text : {"400G", "100gb/s", "100 gbps", "100Gbit", "100GB", "10mb/s", "10 gB/s"}) {
    const std::string why = refusal([&] { beta_of(text); });
    EXPECT_NE(why.find("does not say bits or bytes"), std::string::npos) << text << ": " << why;
    EXPECT_NE(why.find("bit/s or "), std::string::npos) << text << ": " << why;
  }
  EXPECT_NE(refusal([] { beta_of("400G"); }).find("400Gbit/s or 400GB/s"), std::string::npos);
  for (const char* text : {"100Xbit/s", "-1GB/s", "fast", "0GB/s", "1.2.3GB/s", "Gbit/s"})
    EXPECT_NE(refusal([&] { beta_of(text); }).find("100Gbit/s"), std::string::npos) << text;
  EXPECT_NE(refusal([] { alpha_of("100Gbit/s"); }).find("a time"), std::string::npos);
}

constexpr const char* head = "alpha = \"2us\"\nbeta = \"25GB/s\"\n";

TEST(MachineFiles, OverheadSetsBoth) {
  Machine machine;
  set_parameter(machine, "overhead=0.4us");
  EXPECT_DOUBLE_EQ(machine.overhead_send, 4e-7);
  EXPECT_DOUBLE_EQ(machine.overhead_receive, 4e-7);
  const MachineFile file = parse_machine_file(
      std::string(head) + "overhead = { value = \"0.3us\", source = \"a paper\", honesty = \"text\" }\n", "m.toml");
  EXPECT_DOUBLE_EQ(file.machine.overhead_send, 3e-7);
  EXPECT_DOUBLE_EQ(file.machine.overhead_receive, 3e-7);
  EXPECT_EQ(file.machine.origins.size(), 2u);
  EXPECT_TRUE(file.is_given("overhead_send"));
  EXPECT_TRUE(file.is_given("overhead_receive"));
  const std::string twice = refusal(
      [] { parse_machine_file(std::string(head) + "overhead = \"1us\"\noverhead_send = \"2us\"\n", "m.toml"); });
  EXPECT_NE(twice.find("overhead_send"), std::string::npos) << twice;
  EXPECT_NE(twice.find("line 4"), std::string::npos) << twice;
}

TEST(MachineFiles, WhatWasNotGivenIsKnownAndStaysSo) {
  MachineFile file = parse_machine_file(head, "m.toml");
  EXPECT_TRUE(file.is_given("alpha"));
  EXPECT_FALSE(file.is_given("rho"));
  EXPECT_FALSE(parse_machine_file(to_text(file), "again.toml").is_given("rho"));
  set_parameter(file, "rho=0");
  EXPECT_TRUE(file.is_given("rho"));
  const MachineFile again = parse_machine_file(to_text(file), "again.toml");
  EXPECT_TRUE(again.is_given("rho")) << "nothing was asked for by name";
  EXPECT_EQ(to_text(again), to_text(file));
}

constexpr const char* measured =
    "[measured]\ntransport = \"mpi\"\nlibrary = \"Open MPI 4.1.4\"\ntopology = \"ring:8\"\ndate = \"2026-11-22\"\n"
    "hosts = 8\nranks = 8\ncores = 16\n";

TEST(MachineFiles, SayWhatTheyWereMeasuredOn) {
  const MachineFile file = parse_machine_file(std::string(head) + measured, "m.toml");
  const MeasuredOn& m = file.measured;
  EXPECT_EQ(m.transport, "mpi");
  EXPECT_EQ(m.library, "Open MPI 4.1.4");
  EXPECT_EQ(m.topology, "ring:8");
  EXPECT_EQ(m.date, "2026-11-22");
  EXPECT_EQ(m.hosts, 8);
  EXPECT_EQ(m.ranks, 8);
  EXPECT_EQ(m.cores, 16);
  EXPECT_NE(to_text(file).find(measured), std::string::npos) << to_text(file);
  EXPECT_EQ(to_text(parse_machine_file(to_text(file), "again.toml")), to_text(file));
  EXPECT_FALSE(parse_machine_file(head, "m.toml").measured.known());
  EXPECT_EQ(words_of(m), "between 8 processes of Open MPI 4.1.4 on 8 hosts with 16 cores, ring:8");
}

TEST(MachineFiles, RefuseARecordThatSaysNothing) {
  const auto refused = [](const std::string& lines, const std::string& part) {
    const std::string why = refusal([&] { parse_machine_file(std::string(head) + "[measured]\n" + lines, "m.toml"); });
    EXPECT_NE(why.find(part), std::string::npos) << lines << ": " << why;
  };
  refused("hosts = 1", "expected threads or mpi");
  refused("transport = \"pigeons\"", "expected threads or mpi");
  refused("transport = \"mpi\"\nhosts = 0", "from 1 to 2^40");
  refused("transport = \"mpi\"\nranks = \"8\"", "from 1 to 2^40");
  refused("transport = \"mpi\"\ndate = \"yesterday\"", "such as 2026-11-22");
  refused("transport = \"mpi\"\nlibrary = \"a\\nb\"", "one line of text");
  refused("transport = \"mpi\"\nhots = 3", "did you mean 'hosts'");
  EXPECT_NE(refusal([] { parse_machine_file(std::string("measured = 3\n") + head, "m.toml"); }).find("a table"),
            std::string::npos);
}

UsedOn use(std::string transport, std::string topology, std::int64_t hosts, std::int64_t ranks) {
  return {std::move(transport), std::move(topology), hosts, ranks};
}

TEST(MachineFiles, SayWhereTheyAreUsedElsewhere) {
  MachineFile file = parse_machine_file(head, "m.toml");
  EXPECT_EQ(used_elsewhere(file, use("mpi", "ring:8", 8, 8)), "") << "nothing is known";
  file.measured = {"threads", "", "", "2026-11-22", 1, 0, 2};
  EXPECT_EQ(used_elsewhere(file, use("", "hypercube:1", 0, 2)), "");
  EXPECT_EQ(used_elsewhere(file, use("threads", "hypercube:1", 0, 2)), "");
  EXPECT_EQ(used_elsewhere(file, use("", "hypercube:6", 0, 64)),
            "constants of m were measured between threads on 2 cores; here are 64 ranks, more than its cores");
  EXPECT_NE(used_elsewhere(file, use("mpi", "ring:2", 2, 2)).find("ranks on 2 hosts"), std::string::npos);
  EXPECT_NE(used_elsewhere(file, use("mpi", "ring:2", 1, 2)).find("here are processes"), std::string::npos);
  file.measured = {"mpi", "Open MPI 4.1.4", "ring:8", "", 8, 8, 0};
  EXPECT_EQ(used_elsewhere(file, use("mpi", "ring:8", 8, 8)), "");
  EXPECT_NE(used_elsewhere(file, use("", "hypercube:3", 0, 8)).find("here are hypercube:3"), std::string::npos);
  EXPECT_NE(used_elsewhere(file, use("mpi", "ring:8", 1, 8)).find("ranks on one host"), std::string::npos);
}

TEST(MachineFiles, ImplausibleConstantsAreNamed) {
  const auto named = [](const std::string& toml) { return implausible(parse_machine(toml, "m.toml")); };
  EXPECT_TRUE(named(head).empty());
  for (const std::string& preset : machine_presets()) EXPECT_TRUE(implausible(load_machine(preset)).empty()) << preset;
  ASSERT_EQ(named("alpha = 1.5\nbeta = \"25GB/s\"\n").size(), 1u);
  EXPECT_NE(named("alpha = 1.5\nbeta = \"25GB/s\"\n")[0].find("alpha = 1.5 s is implausible"), std::string::npos);
  ASSERT_EQ(named("alpha = \"1us\"\nbeta = 12.5\n").size(), 1u);
  EXPECT_NE(named("alpha = \"1us\"\nbeta = 12.5\n")[0].find("beta = 12.5 s/B"), std::string::npos);
  EXPECT_EQ(named("alpha = 1.5\nbeta = 12.5\nrho = 1\n").size(), 3u);
  EXPECT_TRUE(named("alpha = 1\nbeta = 1\nrho = 1\n").empty()) << "that counts";
  Machine units = load_machine("ipsc-1985");
  set_parameter(units, "alpha=1000");
  EXPECT_TRUE(implausible(units).empty()) << "its beta is a unit";
}

}  // namespace
}  // namespace quadrille::machine_file_test
