// Chakra's traces, decoded by the wire format alone: nodes are the schedule's messages and reductions, and each waits
// for all that touched its slots before.
#include "interchange/chakra.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "quadrille/machine.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::chakra_test {
namespace {

using interchange::ChakraOrder;

/// Fields of one message: numbers, or bytes.
struct Fields {
  std::multimap<std::uint64_t, std::uint64_t> numbers;
  std::multimap<std::uint64_t, std::string> texts;
  std::uint64_t number(std::uint64_t field) const {
    EXPECT_EQ(numbers.count(field), 1U) << field;
    return numbers.count(field) == 1 ? numbers.find(field)->second : 0;
  }
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}
  bool more() const { return !bytes_.empty(); }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && more(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[0]);
      bytes_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    ADD_FAILURE() << "no number";
    return 0;
  }
  std::string_view piece() {
    const std::uint64_t size = varint();
    EXPECT_LE(size, bytes_.size());
    const std::string_view found = bytes_.substr(0, size);
    bytes_.remove_prefix(found.size());
    return found;
  }
  Fields fields() {
    Fields all;
    while (more()) {
      const std::uint64_t key = varint();
      if (key % 8 == 0)
        all.numbers.emplace(key / 8, varint());
      else if (key % 8 == 2)
        all.texts.emplace(key / 8, piece());
      else
        ADD_FAILURE() << "wire type " << key % 8;
    }
    return all;
  }

 private:
  std::string_view bytes_;
};

struct Node {
  std::string name;
  std::uint64_t type = 0;
  std::set<std::uint64_t> before;
  std::map<std::string, std::uint64_t> attributes;
};

/// Numbers of the oneof's members by which an attribute's value is known: what readers of old and new take.
const std::map<std::string, std::uint64_t> field_of{{"is_cpu_op", 27},  {"comm_size", 9}, {"comm_src", 7},
                                                    {"comm_dst", 7},    {"comm_tag", 7},  {"num_ops", 9},
                                                    {"tensor_size", 13}};

std::vector<Node> decoded(const std::string& stream) {
  Decoder all(stream);
  const Fields header = Decoder(all.piece()).fields();
  EXPECT_EQ(header.texts.find(1)->second, "1.0.0");
  std::vector<Node> nodes;
  while (all.more()) {
    const Fields f = Decoder(all.piece()).fields();
    EXPECT_EQ(f.number(1), nodes.size());
    EXPECT_EQ(f.texts.count(2), 1U);
    Node node{.name = f.texts.find(2)->second, .type = f.number(3), .before = {}, .attributes = {}};
    if (f.texts.contains(5)) {
      Decoder packed(f.texts.find(5)->second);
      while (packed.more()) node.before.insert(packed.varint());
    }
    for (auto [at, end] = f.texts.equal_range(10); at != end; ++at) {
      const Fields attribute = Decoder(at->second).fields();
      const std::string& name = attribute.texts.find(1)->second;
      EXPECT_TRUE(field_of.contains(name)) << name;
      node.attributes[name] = attribute.number(field_of.at(name));
    }
    for (const std::uint64_t before : node.before) EXPECT_LT(before, nodes.size()) << "a node waits for a later one";
    nodes.push_back(std::move(node));
  }
  return nodes;
}

constexpr std::uint64_t compute = 4, send = 5, recv = 6;

/// One rank's nodes, and which of them comes before which, whatever happens.
class Rows {
 public:
  explicit Rows(std::vector<Node> nodes) : nodes_(std::move(nodes)), earlier_(nodes_.size()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (const std::uint64_t before : nodes_[i].before) {
        earlier_[i].insert(before);
        earlier_[i].insert(earlier_[before].begin(), earlier_[before].end());
      }
  }
  const std::vector<Node>& nodes() const { return nodes_; }
  bool ordered(std::uint64_t before, std::uint64_t after) const { return earlier_[after].contains(before); }

  /// The node of a message's end: who sends, who receives, in which round.
  std::uint64_t find(std::uint64_t type, Rank from, Rank to, Round t) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].type == type && at(i, "comm_src") == from && at(i, "comm_dst") == to && at(i, "comm_tag") == t)
        return i;
    ADD_FAILURE() << "no node from " << from << " to " << to << " in round " << t;
    return 0;
  }
  /// What the rank moves within its own memory in a round.
  std::uint64_t moves(Rank r, Round t) const {
    const std::string name = fmt::format("{} moves in round {}", r, t);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].type == compute && nodes_[i].name == name) return i;
    ADD_FAILURE() << "no node for " << name;
    return 0;
  }
  /// Where what came in gets to its place: the node itself, or the one that combines it.
  std::uint64_t placed(std::uint64_t receive, bool combines) const {
    if (!combines) return receive;
    for (std::size_t i = receive; i < nodes_.size(); ++i)
      if (nodes_[i].type == compute && nodes_[i].before.contains(receive)) return i;
    ADD_FAILURE() << "nothing combines node " << receive;
    return receive;
  }

 private:
  std::int64_t at(std::size_t i, const std::string& name) const {
    return static_cast<std::int64_t>(nodes_[i].attributes.at(name));
  }
  std::vector<Node> nodes_;
  std::vector<std::set<std::uint64_t>> earlier_;
};

/// Goes through the schedule and asks of every two uses of a slot, one of them a write, in different rounds.
void check_rank(const Spec& spec, const Schedule& schedule, Rank r, const Rows& rows, std::int64_t& asked) {
  struct Use {
    Round round;
    std::uint64_t node;
    bool writes;
  };
  std::map<std::pair<Buffer, Slot>, std::vector<Use>> uses;
  Collected collected;
  std::size_t messages = 0;
  for (Round t = 0; t < schedule.shape().rounds; ++t) {
    const std::vector<Transfer> all = collected.all(schedule, t, r);
    std::map<Rank, bool> combines, sent;
    for (const Transfer& x : all)
      if (x.kind == Kind::recv) combines[x.peer] |= x.combine.combines();
    for (const Transfer& x : all) sent[x.peer] |= x.kind == Kind::send;
    for (const auto& [peer, any] : sent) messages += any && peer != r;
    for (const auto& [peer, any] : combines) messages += peer != r;
    for (const Transfer& x : all) {
      if (x.peer == r) continue;
      const bool sends = x.kind == Kind::send;
      const std::uint64_t node =
          sends ? rows.find(send, r, x.peer, t) : rows.placed(rows.find(recv, x.peer, r, t), combines[x.peer]);
      for_each_slot(x.slots, [&](Slot s) { uses[{x.buffer, s}].push_back({t, node, !sends}); });
      if (x.combine.combines())
        for_each_slot(x.operand(), [&](Slot s) { uses[{x.combine.buffer, s}].push_back({t, node, false}); });
    }
  }
  std::size_t ends = 0;
  for (const Node& node : rows.nodes()) ends += node.type != compute;
  EXPECT_EQ(ends, messages) << "rank " << r << " of " << spec.ranks();
  for (const auto& [place, list] : uses)
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = i + 1; j < list.size(); ++j) {
        if (list[i].round == list[j].round || !(list[i].writes || list[j].writes)) continue;
        ++asked;
        ASSERT_TRUE(rows.ordered(list[i].node, list[j].node))
            << "rank " << r << ", slot " << place.second << ": round " << list[j].round << " does not wait for "
            << list[i].round;
      }
}

TEST(Chakra, NodesAreTheMessagesAndWaitForWhatTouchedTheirSlots) {
  std::int64_t asked = 0;
  int cases = 0;
  const Machine machine = testing::test_machines().back();
  for (const char* topology : {"hypercube:3", "torus:3x4", "crossbar:6"})
    for (const Algorithm& a : algorithms()) {
      if (!testing::can_request(a.collective, topology)) continue;
      const Spec spec = testing::request(a.collective, topology, 960);
      if (!a.illegal(spec, machine, {}).empty() || !testing::sampled(topology + std::string(a.name))) continue;
      const Params params = a.variants(spec, machine).front();
      SCOPED_TRACE(testing::command(spec, machine, a, params));
      const Built built = build(spec, machine, {&a, params});
      bool barriers = false;
      for (Round t = 0; t < built.schedule->shape().rounds; ++t) barriers |= built.schedule->barrier(t);
      for (const ChakraOrder order : {ChakraOrder::data, ChakraOrder::rounds}) {
        std::int64_t sent = 0;
        for (Rank r = 0; r < spec.ranks(); ++r) {
          std::string stream;
          const auto write = [&] {
            return interchange::write_chakra(
                {spec, *built.schedule, ""}, r, [&](std::string_view part) { stream += part; }, order);
          };
          if (barriers) {
            EXPECT_THROW(write(), Error);
            continue;
          }
          sent += write();
          check_rank(spec, *built.schedule, r, Rows(decoded(stream)), asked);
          if (::testing::Test::HasFailure()) return;
        }
        cases += sent > 0;
      }
    }
  EXPECT_GE(cases, testing::sanitized ? 20 : 200);
  EXPECT_GE(asked, testing::sanitized ? 1000 : 10000);
}

/// By hand: rank 0 of two sends its half of 16 elements, and adds what comes in to the other; then they exchange sums.
TEST(Chakra, AnAllreduceOfTwoHasAReductionBetweenItsMessages) {
  Spec spec{.collective = Collective::allreduce, .topology = parse_topology("crossbar:2"), .bytes = 64, .element = 4};
  spec = checked(spec);
  const Built built = build(spec, load_machine("unit"), parse_choice("allreduce_halving"));
  std::string stream;
  EXPECT_EQ(interchange::write_chakra(
                {spec, *built.schedule, ""}, 0, [&](std::string_view part) { stream += part; }, ChakraOrder::data),
            2);
  const std::vector<Node> nodes = decoded(stream);
  std::vector<const Node*> adds;
  for (const Node& node : nodes)
    if (node.type == compute && node.attributes.at("num_ops") > 0) adds.push_back(&node);
  ASSERT_EQ(adds.size(), 1U);
  EXPECT_EQ(adds[0]->attributes.at("num_ops"), 8U);
  EXPECT_EQ(adds[0]->attributes.at("tensor_size"), 3U * 32);
  for (const Node& node : nodes) {
    if (node.type == send) {
      EXPECT_EQ(node.attributes.at("comm_size"), 32U);
    }
  }
}

}  // namespace
}  // namespace quadrille::chakra_test
