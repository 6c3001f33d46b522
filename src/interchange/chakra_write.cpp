// Chakra's execution traces, written: protobuf messages with their lengths before them.
#include <fmt/format.h>

#include <limits>
#include <set>

#include "interchange/chakra.hpp"
#include "interchange/json_parts.hpp"
#include "interchange/protobuf.hpp"
#include "interchange/slot_uses.hpp"

namespace quadrille::interchange {

namespace {

// Numbers of fields and kinds in et_def.proto.
constexpr std::uint64_t compute_node = 4, send_node = 5, recv_node = 6;
constexpr std::uint32_t node_id = 1, node_name = 2, node_type = 3, node_data_deps = 5, node_attribute = 10;
constexpr std::uint32_t attribute_name = 1, as_int32 = 7, as_int64 = 9, as_uint64 = 13, as_bool = 27, as_string = 29;
constexpr std::uint32_t header_version = 1, header_attribute = 2;

template <class Value>
ProtoMessage chakra_attribute(std::string_view name, std::uint32_t field, const Value& value) {
  ProtoMessage attribute;
  attribute.add(attribute_name, name);
  attribute.add(field, value);
  return attribute;
}

/// One rank's nodes, numbered as they come.
class ChakraRank {
 public:
  ChakraRank(const Written& w, Rank rank, ChakraOrder order) : w_(w), rank_(rank), order_(order) {}

  void append_round(Round t, std::string& stream) {
    const std::vector<Transfer> all = collected_.all(w_.schedule, t, rank_);
    if (all.empty()) return;
    const std::uint64_t first = next_;
    const std::vector<Summary::Message> messages = summary_.of(w_.schedule, t, rank_);
    for (const Summary::Message& m : messages)
      if (m.kind == Kind::send && m.peer != rank_) send(t, m, all, stream);
    for (const Summary::Message& m : messages)
      if (m.kind == Kind::recv) m.peer == rank_ ? move(t, m, all, stream) : receive(t, m, all, stream);
    uses_.end_round();
    if (order_ != ChakraOrder::rounds) return;
    std::set<std::uint64_t> before;  // all of the round is over before the next one begins
    for (std::uint64_t n = first; n < next_; ++n) before.insert(n);
    round_over_ = node(fmt::format("round {} is over", t), compute_node, before, {}, stream);
    in_rounds_ = true;
  }
  std::int64_t sent() const { return sent_; }

 private:
  using Nodes = std::set<std::uint64_t>;

  std::uint64_t node(const std::string& name, std::uint64_t type, const Nodes& before,
                     const std::vector<ProtoMessage>& attributes, std::string& stream) {
    ProtoMessage node;
    node.add(node_id, next_);
    node.add(node_name, name);
    node.add(node_type, type);
    node.add_packed(node_data_deps, before);
    node.add(node_attribute, chakra_attribute("is_cpu_op", as_bool, std::uint64_t{0}).bytes());
    for (const ProtoMessage& attribute : attributes) node.add(node_attribute, attribute.bytes());
    node.append_to(stream);
    return next_++;
  }

  static std::vector<ProtoMessage> ends(Rank from, Rank to, Round t, Bytes bytes) {
    return {chakra_attribute("comm_size", as_int64, static_cast<std::uint64_t>(bytes)),
            chakra_attribute("comm_src", as_int32, static_cast<std::uint64_t>(from)),
            chakra_attribute("comm_dst", as_int32, static_cast<std::uint64_t>(to)),
            chakra_attribute("comm_tag", as_int32, static_cast<std::uint64_t>(t))};
  }

  void send(Round t, const Summary::Message& m, const std::vector<Transfer>& all, std::string& stream) {
    const std::uint64_t made = node(fmt::format("{} to {} in round {}", rank_, m.peer, t), send_node,
                                    waits(all, m.peer, Kind::send), ends(rank_, m.peer, t, m.bytes), stream);
    note(all, m.peer, Kind::send, made);
    ++sent_;
  }

  /// What comes in to be combined waits for no place: the node that combines it does.
  void receive(Round t, const Summary::Message& m, const std::vector<Transfer>& all, std::string& stream) {
    const bool combines = m.combined > 0;
    const Nodes places = waits(all, m.peer, Kind::recv);
    std::uint64_t made = node(fmt::format("{} from {} in round {}", rank_, m.peer, t), recv_node,
                              combines ? begun() : places, ends(m.peer, rank_, t, m.bytes), stream);
    if (combines) {
      Nodes before = places;
      before.insert(made);
      made = compute(fmt::format("{} combines what {} sent in round {}", rank_, m.peer, t), m, before, stream);
    }
    note(all, m.peer, Kind::recv, made);
  }
  /// A message of the rank to itself.
  void move(Round t, const Summary::Message& m, const std::vector<Transfer>& all, std::string& stream) {
    Nodes before = waits(all, rank_, Kind::recv);
    before.merge(waits(all, rank_, Kind::send));
    const std::uint64_t made = compute(fmt::format("{} moves in round {}", rank_, t), m, before, stream);
    note(all, rank_, Kind::send, made);
    note(all, rank_, Kind::recv, made);
  }
  /// Combined bytes have two operands and a result; others are read and written.
  std::uint64_t compute(const std::string& name, const Summary::Message& m, const Nodes& before, std::string& stream) {
    const Bytes touched = 2 * m.bytes + m.combined;
    return node(name, compute_node, before,
                {chakra_attribute("num_ops", as_int64,
                                  static_cast<std::uint64_t>(m.combined / std::max<Bytes>(1, w_.spec.element))),
                 chakra_attribute("tensor_size", as_uint64, static_cast<std::uint64_t>(touched))},
                stream);
  }

  /// Transfers of the message at this rank.
  static auto with(Rank peer, Kind kind) {
    return [=](const Transfer& x) { return x.peer == peer && x.kind == kind; };
  }
  Nodes begun() const { return in_rounds_ ? Nodes{round_over_} : Nodes{}; }
  Nodes waits(const std::vector<Transfer>& all, Rank peer, Kind kind) const {
    Nodes before = begun();
    for_each_use(all, with(peer, kind), [&](Buffer buffer, Slot slot, bool writes) {
      if (!in_rounds_) uses_.wait_for(buffer, slot, writes, before);
      if (kind == Kind::send) return;
      if (const std::uint64_t* other = uses_.written_now(buffer, slot)) before.insert(*other);
    });
    return before;
  }
  void note(const std::vector<Transfer>& all, Rank peer, Kind kind, std::uint64_t made) {
    for_each_use(all, with(peer, kind),
                 [&](Buffer buffer, Slot slot, bool writes) { uses_.note(buffer, slot, writes, made); });
  }

  const Written& w_;
  Rank rank_;
  ChakraOrder order_;
  Collected collected_;
  Summary summary_;
  SlotUses<std::uint64_t> uses_;
  std::uint64_t next_ = 0, round_over_ = 0;
  bool in_rounds_ = false;  ///< what comes waits for the round before as a whole
  std::int64_t sent_ = 0;
};

void check_chakra(const Written& w) {
  const auto refuse = [](const std::string& why) { throw Error(Error::Kind::illegal, fmt::format("Chakra: {}", why)); };
  check_ranks_only(w.spec, "Chakra");
  const Shape& shape = w.schedule.shape();
  if (shape.ranks > most_chakra_ranks)
    refuse(fmt::format("there is a file for each of {} ranks; expected at most {}", shape.ranks, most_chakra_ranks));
  if (shape.rounds > std::numeric_limits<std::int32_t>::max())
    refuse(fmt::format("tags have 32 bits, and there are {} rounds; expected fewer packets", shape.rounds));
  for (Round t = 0; t < shape.rounds; ++t)
    if (w.schedule.barrier(t))
      refuse(
          fmt::format("messages and reductions wait for each other only, and round {} begins with a barrier; expected "
                      "an algorithm without",
                      t));
}

}  // namespace

std::int64_t write_chakra(const Written& w, Rank rank, const TextSink& sink, ChakraOrder order) {
  check_chakra(w);
  constexpr std::size_t flush = 1 << 16;
  ProtoMessage header;
  header.add(header_version, std::string_view("1.0.0"));
  header.add(header_attribute, chakra_attribute("schedule", as_string, std::string_view(head_json(w).dump())).bytes());
  std::string stream;
  header.append_to(stream);
  ChakraRank nodes(w, rank, order);
  const Schedule::Rounds active = w.schedule.active(rank);
  for (Round t = active.first; t < active.end; ++t) {
    nodes.append_round(t, stream);
    if (stream.size() >= flush) sink(stream), stream.clear();
  }
  sink(stream);
  return nodes.sent();
}

}  // namespace quadrille::interchange
