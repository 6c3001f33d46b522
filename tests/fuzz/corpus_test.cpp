// Hostile text by the hundred, the same on every run: good examples broken by a mutator with a fixed seed, and nasties
// picked by hand. The fuzz targets in tests/fuzz/ do the same without end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "answers_samples.hpp"
#include "fuzz/entries.hpp"
#include "incumbents/incumbents.hpp"
#include "interchange_samples.hpp"
#include "machine/presets.hpp"

namespace quadrille::fuzz::fuzz_corpus_test {
namespace {

std::vector<std::string> good(std::string_view entry) {
  if (entry == "topology") {
    std::vector<std::string> all{"hypercube:6",     "ring:12",   "crossbar:16", "mesh:2x3x4",   "torus:8x1",
                                 "fly:2^3",         "bifly:3^2", "tpu:v5p-512", "tpu:v5e:8x16", "torus:4x4@[0-1,4],7",
                                 "mesh:3x4~[10-11]"};
    for (const TopologyFamily& family : topology_families())
      for (const std::string_view arguments : family.examples) all.push_back(family.make(arguments)->text());
    return all;
  }
  if (entry == "bytes") return {"0", "4096", "4KiB", "1.5MiB", "64kB", "4611686018427387904", "2e9", "3 TiB"};
  if (entry == "choice") {
    std::vector<std::string> all{"alltoall_mce:phases=3,3", "alltoall_mce:phases=1,2,3:charge_identity=1"};
    for (const Algorithm& a : algorithms()) {
      std::string text(a.name);
      for (const Parameter& p : a.parameters) text += ":" + std::string(p.name) + "=" + std::to_string(p.high);
      all.push_back(text);
    }
    return all;
  }
  if (entry == "parameter")
    return {"alpha=2.5e-6",     "beta=0.394 us/B", "beta=12.5GB/s",    "ports=one",
            "duplex=node-half", "shared=4",        "barrier_log2=1e-4"};
  if (entry == "sources")
    return {"0,3,17", "0:100,5:2KiB", "R(30)",  "R(27,balanced)", "C(20)",  "DR(30)",     "DL(7)",
            "E(20)",  "E(every=4)",   "Cr(15)", "B(9)",           "B(3x4)", "B(3x4@1,2)", "B(9@2,2)"};
  if (entry == "demands")
    return {"0-1,3-2:64KiB", "all",        "shift(3)",
            "halo(12x10)",   "halo(4x30)", "random(3,7)",
            "hot(5)",        "none",       "0 1 2 3\n4,5,6,7\n\n1KiB 0 0 2\n9\t9 9 9\n"};
  if (entry == "placement")
    return {"ring:4",
            "ring:4@1,0,2,3",
            "topology = 'torus:2x2'",
            "topology = 'torus:2x2'\nnodes = [0, 1, 3, 2]",
            "topology = 'ring:3'\nhosts = ['a', 'b.c', 'a']",
            "topology = 'ring:4'\nhosts = ['n[01-03]', 'm']"};
  if (entry == "wisdom") {
    const std::string machine = planner::machine_line(load_machine("unit"));
    const std::string by = " machine=" + fingerprint(load_machine("unit")) + " clock=simulate,dataflow,cut-through ";
    std::string lines =
        "answer allgather hypercube:3 bytes=32" + by + "choice=allgather_adea time=7.5\n" + machine + "\n";
    const std::string trials =
        "trial alltoallv ring:4@1,0,2,3 bytes=any mpi=an_MPI segment=100 choice=alltoall_pairwise native=2 chosen=1\n"
        "trial bcast crossbar:4 bytes=8..15 mpi=Open_MPI_v4.1.4 segment=0 choice=native native=1e-06 chosen=1e-06\n";
    return {lines,
            sealed(lines),
            sealed(""),
            trials,
            sealed(lines + trials),
            "answer sendrecv ring:8 bytes=5 root=1 target=3" + by + "choice=sendrecv_direct time=0\n" + machine + "\n",
            "answer multibcast mesh:3x4 bytes=5 sources=0,3:2" + by + "choice=multibcast_sequential time=1e-9\n" +
                machine + "\n"};
  }
  if (entry == "network")
    return {
        "unit 1GB/s\nhost a b c\nswitch s # one\nlink a s 2GB/s 1us\nlink b s 2GB/s x2\narc c s 1GB/s\n"
        "arc s c 3GB/s\nfail b s #2\nnic a 1GB/s\njob c a b\n",
        "host 0 1 2\nlink 0 1\nlink 1 2 2.5\n",
        "host n[00-03,7] m\nswitch s[0-1]\nlink n00 s0\nlink n01 s0\nlink n02 s1\nlink n03 s1\nlink n7 s1\nlink m "
        "s0\nlink s0 "
        "s1\nfail n[01-01]\njob n[00,02-03]\n",
        "host = ['a', 'b']\n[[link]]\na = 'a'\nb = 'b'\nbandwidth = '1GB/s'\ncount = 2\n"};
  if (entry == "slurm") return {"n[01-03,07],login1\n8(x3),4,2\n30", "n1\n4", "r[1-2]n[1,3]\n2(x4)\n8"};
  if (entry == "answers")
    return {run_json,
            simulate_json,
            plan_json,
            verify_json,
            price_json,
            validated_csv,
            sweep_text(SweepForm::csv),
            sweep_text(SweepForm::json)};
  if (entry == "schedule") return testing::schedule_samples();
  if (entry == "imported") return testing::machine_samples();
  if (entry == "rules")
    return {
        "2  # collectives\n3 1  # alltoall\n8 2\n0 3 0 0\n65536 2 0 0\n7 2\n4 1\n0 6 0 0\n8 2\n0 6 0 0\n8192 3 0 "
        "65536\n",
        "rule-file-version-2\n1\n3 1\n8 1\n0 4 0 0 8\n",
        R"({"collectives":{"bcast":[{"comm_size_min":2,"comm_size_max":"inf","rules":[{"msg_size_max":4095,"alg":"binomial"},
{"msg_size_min":4096,"alg":3,"seg_size":65536}]}]}})",
        incumbents::mpich_text({})};
  if (entry == "application")
    return {
        "// what is said here means nothing and may be anything, as long as it stays on its line and none of its signs "
        "ends it\nnum_ranks 2\nrank 0 {\nl1: calc 5000\nl2: send 1000b to 1 tag 7\nl2 requires l1\nl3: recv 8b from 1 "
        "tag 8 cpu "
        "1\n"
        "l3 irequires l2\n}\n/* both\n */\nrank 1 {\na: recv 1000b from 0 tag 7\nb: send 8b to 0 tag 8\nb requires "
        "a\n}\n",
        "# two// what is said here means nothing and may be anything, as long as it stays on its line and none of its "
        "signs ends it\n0 init\n0 compute 5e3\n0 send 1 7 1000 6\n0 irecv 1 8 125 0\n0 waitall\n0 barrier\n0 finalize\n"
        "1 init any\n1 recv 0 7 125\n1 sleep 2e-6\n1 isend 0 8 1000 6\n1 wait 1 0 8\n1 barrier\n1 finalize\n",
        "0 init\n0 bcast 64 1 6\n0 allreduce 8 1e3 0\n0 alltoallv 9 0 4 9 0 4\n0 sendRecv 8 1 8 1\n0 finalize\n1 "
        "init\n1 bcast 64 1 6\n1 allreduce 8 1e3 0\n1 alltoallv 9 2 0 9 2 0\n1 sendRecv 8 0 8 0\n1 finalize\n"};
  std::vector<std::string> all;
  for (const machine::Preset& preset : machine::generated_presets()) all.emplace_back(preset.toml);
  all.push_back(to_text(load_machine("ipsc860")));
  return all;
}

/// One change: a byte, a cut, a repeat, a swap of two parts, or an insertion of something awkward.
std::string mutated(std::string text, std::mt19937& random) {
  static const std::vector<std::string> awkward{"",
                                                ":",
                                                "=",
                                                ",",
                                                ".",
                                                "-",
                                                "e",
                                                "nan",
                                                "inf",
                                                "\"",
                                                "'",
                                                "[",
                                                "]",
                                                "{",
                                                "}",
                                                "\n",
                                                "\r",
                                                "#",
                                                std::string(1, '\0'),
                                                "\xff",
                                                "\xC2\x9B",
                                                "\xE2\x80\xAE",
                                                "%s%n",
                                                "1e308",
                                                "-0",
                                                "9223372036854775807",
                                                "9223372036854775808",
                                                "0x1",
                                                " ",
                                                "\t",
                                                "us/B",
                                                "\\u0000"};
  const auto below = [&](std::size_t n) {
    return n == 0 ? 0 : random() % n;
  };  // the distributions differ between libraries
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = below(std::min<std::size_t>(text.size() - at + 1, 24));
  switch (below(6)) {
    case 0:
      return text.insert(at, awkward[below(awkward.size())]);
    case 1:
      return text.replace(at, length, awkward[below(awkward.size())]);
    case 2:
      return text.erase(at, length);
    case 3:
      return text.insert(at, text.substr(below(text.size() + 1), length));
    case 4:
      return text.substr(0, at);
    default:
      if (at < text.size()) text[at] = static_cast<char>(random());
      return text;
  }
}

struct Tally {
  int accepted = 0, refused = 0;
};

void feed(const Entry& entry, const std::string& text, Tally& tally) {
  try {
    ++(entry.run(text) ? tally.accepted : tally.refused);
  } catch (const std::exception& finding) {
    ADD_FAILURE() << entry.name << " of " << base::quoted(text, 2000) << ": " << finding.what();
  }
}

class FuzzCorpus : public ::testing::TestWithParam<Entry> {};

TEST_P(FuzzCorpus, MutatedTextParsesOrIsRefused) {
  std::mt19937 random(20260901);
  Tally tally;
  const std::string_view name = GetParam().name;
  const bool of_others = name == "imported" || name == "application" || name == "schedule";
  for (const std::string& seed : good(name))
    for (int i = 0; i < (of_others ? 1000 : 300); ++i) {
      std::string text = seed;
      for (int changes = 1 + i % 4; changes > 0; --changes) text = mutated(text, random);
      feed(GetParam(), text, tally);
    }
  EXPECT_GT(tally.accepted, 10) << "the mutator breaks everything: nothing was tried beyond the first check";
  EXPECT_GT(tally.refused, 10);
}

TEST_P(FuzzCorpus, NastyTextIsRefused) {
  std::vector<std::string> nasty{"",
                                 " ",
                                 ":",
                                 "::::",
                                 "=",
                                 "==",
                                 ",",
                                 "\n",
                                 "\xEF\xBB\xBF",
                                 "\xff\xfe",
                                 std::string(1, '\0'),
                                 "%n%n%n%s",
                                 "../../etc/passwd",
                                 "${HOME}",
                                 "'; drop table machines; --",
                                 "\x1b[2J",
                                 std::string(100000, 'a'),
                                 std::string(100000, ':'),
                                 std::string(100000, '9') + "x",
                                 std::string(100000, '['),
                                 "-",
                                 "+",
                                 ".",
                                 "e",
                                 "1e",
                                 "nan",
                                 "inf",
                                 "-inf",
                                 "infinity",
                                 "0x10",
                                 "NaN",
                                 "-1",
                                 "--1"};
  for (const std::string name :
       {"hypercube", "ring", "crossbar", "torus", "bifly", "alltoall_mce", "alpha", "ports", "phases"})
    for (const std::string tail : {":",
                                   "=",
                                   ":-1",
                                   ":1e9",
                                   ":99999999999999999999",
                                   ":0x4",
                                   ": 4",
                                   ":4 ",
                                   ":4:4",
                                   ":4\n",
                                   "=-1",
                                   "=nan",
                                   ":phases=",
                                   ":phases",
                                   ":phases=0",
                                   ":phases=,",
                                   ":phases=1,,2",
                                   ":phases=3:phases=3",
                                   "=one,all",
                                   "=\xff"})
      nasty.push_back(name + tail);
  Tally tally;
  for (const std::string& text : nasty) feed(GetParam(), text, tally);
  EXPECT_EQ(tally.accepted, 0);
}

INSTANTIATE_TEST_SUITE_P(Entries, FuzzCorpus, ::testing::ValuesIn(entries),
                         [](const ::testing::TestParamInfo<Entry>& entry) { return std::string(entry.param.name); });

}  // namespace
}  // namespace quadrille::fuzz::fuzz_corpus_test
