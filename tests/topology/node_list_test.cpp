// Lists of nodes as SLURM writes them, wherever names of hosts stand: network files, jobs, placements.
#include "topology/hosts/node_list.hpp"

#include <gtest/gtest.h>

#include "quadrille/placement.hpp"
#include "quadrille/topology.hpp"
#include "topology/file/build.hpp"

namespace quadrille::node_list_test {
namespace {

const char* const by_lists =
    "host n[00-03] login1\nswitch s[0-1]\nlink n00 s0\nlink n01 s0\nlink n02 s1\nlink n03 s1\nlink login1 s1\nlink s0 "
    "s1\nfail n[02-02]\njob n[00,03],login1\n";
const char* const by_names =
    "host n00 n01 n02 n03 login1\nswitch s0 s1\nlink n00 s0\nlink n01 s0\nlink n02 s1\nlink n03 s1\nlink login1 "
    "s1\nlink "
    "s0 s1\nfail n02\njob n00 n03 login1\n";
const char* const by_toml =
    "host = ['n[00-03]', 'login1']\nswitch = ['s[0-1]']\njob = ['n[00,03]', 'login1']\n"
    "link = [{a='n00',b='s0'},{a='n01',b='s0'},{a='n02',b='s1'},{a='n03',b='s1'},{a='login1',b='s1'},{a='s0',b='s1'}]\n"
    "fail = [{node='n[02]'}]\n";

std::string complaint(const std::string& text) {
  try {
    topology::check(topology::parse_network(text, "a.net"), "a");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(NodeLists, NetworkFilesMeanTheSameByNameAndByList) {
  const std::string names = topology::fingerprint(topology::parse_network(by_names, "a.net"));
  EXPECT_EQ(topology::fingerprint(topology::parse_network(by_lists, "a.net")), names);
  EXPECT_EQ(topology::fingerprint(topology::parse_network(by_toml, "a.toml")), names);
}

TEST(NodeLists, WrongOnesAreRefusedWithTheirLine) {
  EXPECT_EQ(complaint("host n[00-03\n"),
            "network file 'a.net', line 1: list 'n[00-03': expected names of nodes such as n[01-03,07],login1");
  EXPECT_NE(complaint("host a b\nlink a b\njob n[3-1]\n").find("line 3: list 'n[3-1]'"), std::string::npos);
  EXPECT_NE(complaint("host n[1-99999]\n").find("65536 nodes at most"), std::string::npos);
}

TEST(NodeLists, StandInPlacementsForTheirNames) {
  const Placement placement = parse_placement_file("topology = 'ring:4'\nhosts = ['n[01-03]', 'm']\n", "p.toml");
  EXPECT_EQ(placement.hosts, (std::vector<std::string>{"n01", "n02", "n03", "m"}));
  try {
    parse_placement_file("topology = 'ring:4'\nhosts = ['n[01-', 'm']\n", "p.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "topology file 'p.toml': hosts: list 'n[01-': expected names of nodes such as n[01-03,07],login1");
  }
}

/// Behind a network: numbers are names, too.
TEST(NodeLists, NameTheHostsOfAJob) {
  EXPECT_EQ(parse_topology("torus:4x4@[0-1,4-5]")->ranks(), 4);
  const TopologyPtr by_number = parse_topology("torus:4x4@0-1,4,5"), by_list = parse_topology("torus:4x4@[0-1],[4-5]");
  for (Rank a = 0; a < 4; ++a)
    for (Rank b = 0; b < 4; ++b) EXPECT_EQ(by_number->distance(a, b), by_list->distance(a, b));
  EXPECT_EQ(parse_topology("torus:4x4~[6-7],15")->ranks(), 13);
  EXPECT_THROW(parse_topology("torus:4x4@[14-17]"), Error);
  EXPECT_THROW(parse_topology("torus:4x4@[0-1"), Error);
}

TEST(NodeLists, TheLastOfSeveralBracketsCountsFastest) {
  const auto refuse = [](const std::string& expected) { throw Error(Error::Kind::argument, expected); };
  EXPECT_EQ(topology::node_list("m[1-2]r[08-09],x", refuse),
            (std::vector<std::string>{"m1r08", "m1r09", "m2r08", "m2r09", "x"}));
}

}  // namespace
}  // namespace quadrille::node_list_test
