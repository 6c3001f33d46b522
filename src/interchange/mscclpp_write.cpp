// Schedules as execution plans of MSCCL++, in the JSON that its executor loads. What else a schedule says, its rounds
// above all, stands in members that the executor passes over.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/text.hpp"
#include "interchange/json_parts.hpp"
#include "interchange/mscclpp_layout.hpp"

namespace quadrille::interchange {

namespace {

const PlanCollective& plan_collective_of(const Spec& spec) {
  const auto found = std::find_if(plan_collectives.begin(), plan_collectives.end(),
                                  [&](const PlanCollective& c) { return c.collective == spec.collective; });
  if (found != plan_collectives.end()) return *found;
  std::vector<std::string> names;
  for (const PlanCollective& c : plan_collectives) names.emplace_back(to_string(c.collective));
  refuse_plan(fmt::format("it has no {}; expected one of {}", to_string(spec.collective), base::join(names, ", ")));
}

void check_plan(const Spec& spec) {
  check_ranks_only(spec, "MSCCL++");
  plan_collective_of(spec);
  if (spec.bytes == 0) refuse_plan("there is nothing to send; expected a size above 0");
  if (spec.offsets) refuse_plan("blocks are of one size; expected a reduce_scatter without --counts");
  if (combines(spec) && (spec.operands == Operands::ordered || spec.canonical))
    refuse_plan("its operators take operands in any order; expected commutative operands, and bits that may differ");
}

/// What all ranks have in common.
struct PlanScale {
  Bytes chunk = 0;             ///< bytes of a chunk
  std::int64_t instances = 1;  ///< thread blocks that share each operation
  Bytes least = 0, most = 0;   ///< bytes of the buffer by which plans are chosen
  std::size_t blocks = 1;      ///< of an instance
};

std::size_t most_blocks_of(const PlanLayout& layout) {
  std::size_t most = 1;
  for (const std::vector<PlanBlock>& blocks : layout.ranks) most = std::max(most, blocks.size());
  return most;
}

/// Into how many shares each operation can be divided: of at least 4 KiB, as far as semaphores and 32 blocks allow.
std::int64_t instances_of(const PlanLayout& layout, Bytes run) {
  constexpr Bytes least_share = 4096;
  constexpr std::int64_t most_blocks = 32;
  const auto blocks = static_cast<std::int64_t>(most_blocks_of(layout));
  for (const std::int64_t n : {8, 4, 2})
    if (run >= n * least_share && n * blocks <= most_blocks &&
        n * (blocks - 1) <= static_cast<std::int64_t>(plan_semaphores))
      return n;
  return 1;
}

/// Instances need no order among them where each has the same share of every chunk: where all operations are on runs
/// of one length. Longer runs are divided for that, if operations are enough.
std::int64_t share(const Written& w, Bytes chunk, PlanLayout& layout) {
  const Slot unit = common_unit(layout);
  if (all_runs_are(layout, unit)) return instances_of(layout, unit * chunk);
  if (instances_of(layout, unit * chunk) == 1) return 1;
  try {
    PlanLayout divided = plan_layout(w, unit);
    const std::int64_t instances = instances_of(divided, unit * chunk);
    if (instances > 1) layout = std::move(divided);
    return instances;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::illegal) throw;
    return 1;
  }
}

PlanScale scale_of(const Written& w, PlanLayout& layout) {
  PlanScale scale{.chunk = w.schedule.shape().cut.size(0)};
  if (scale.chunk % plan_alignment != 0)
    refuse_plan(
        fmt::format("chunks are multiples of {} bytes, and the schedule has pieces of {}; expected a size of "
                    "whole multiples in each piece",
                    plan_alignment, scale.chunk));
  scale.instances = share(w, scale.chunk, layout);
  scale.blocks = most_blocks_of(layout);
  const Slot largest = std::max({layout.in, layout.out, layout.scratch});
  const Bytes most_chunk = plan_buffer_bytes / largest / plan_alignment * plan_alignment;
  if (scale.chunk > most_chunk)
    refuse_plan(
        fmt::format("buffers are below 4 GiB, and one of this schedule has {} chunks of {} bytes; expected "
                    "chunks of at most {} bytes",
                    largest, scale.chunk, most_chunk));
  const Slot judged = w.spec.collective == Collective::allgather ? layout.out : layout.in;
  scale.least = judged * plan_alignment * scale.instances;
  scale.most = judged * most_chunk;
  return scale;
}

/// One GPU's part of the plan. Each instance of a block has its own channels and semaphores.
class PlanGpu {
 public:
  PlanGpu(const std::vector<PlanBlock>& blocks, const PlanScale& scale) : blocks_(blocks), scale_(scale) {
    for (const PlanBlock& block : blocks) {
      for (const auto& [port, peer] : block.channels) peers_[port].insert(peer);
      buffers_.insert(block.buffers.begin(), block.buffers.end());
    }
  }

  std::string text(std::size_t rank, const PlanLayout& layout) const {
    std::string text = fmt::format(
        " {{\"id\": {}, \"input_chunks\": {}, \"output_chunks\": {}, \"scratch_chunks\": {},\n  \"threadblocks\": [",
        rank, layout.in, layout.out, layout.scratch);
    const char* between = "\n";
    for (std::int64_t i = 0; i < scale_.instances; ++i)
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const std::size_t id = static_cast<std::size_t>(i) * blocks_.size() + b;
        fmt::format_to(std::back_inserter(text), "{}   {{\"id\": {}, \"ops\": [", between, id);
        append_operations(blocks_[b], i, text);
        text += "],\n    " + reached(blocks_[b], i) + "}";
        between = ",\n";
      }
    return text + "],\n  " + tables() + "}";
  }

 private:
  void append_operations(const PlanBlock& block, std::int64_t instance, std::string& text) const {
    const char* between = "\n";
    for (const PlanOp& op : block.ops) {
      fmt::format_to(std::back_inserter(text), "{}     {}", between, operation(block, op, instance).dump());
      between = ",\n";
    }
  }

  Json operation(const PlanBlock& block, const PlanOp& op, std::int64_t instance) const {
    Json json{{"name", op.name}};
    for (const PlanBuffer& b : op.sources) json["src_buff"].push_back(buffer(block, op, b));
    for (const PlanBuffer& b : op.targets) json["dst_buff"].push_back(buffer(block, op, b));
    for (const Rank peer : op.peers) json["channel_ids"].push_back(place(block.channels, {op.port, peer}, op.port));
    const bool reaches = op.is("put") || !op.peers.empty();
    if (reaches) json["channel_type"] = op.port ? "port" : "memory";
    if (op.is("re")) json["reduce_op"] = "sum";
    if (op.moves() && scale_.instances > 1) json["tbg_info"] = {{"tb_id", instance}, {"tbg_size", scale_.instances}};
    if (op.is("sem_acquire") || op.is("sem_release"))
      json["semaphore_ids"] = {instance * static_cast<std::int64_t>(scale_.blocks - 1) +
                               static_cast<std::int64_t>(op.semaphore)};
    if (op.moves()) json["round"] = op.round;
    if (op.left) json["incoming"] = "left";
    return json;
  }
  Json buffer(const PlanBlock& block, const PlanOp& op, const PlanBuffer& b) const {
    Json json = Json::object();
    if (b.peer >= 0)
      json["buffer_id"] = place(block.buffers, {op.port, b.peer, b.chunk.buffer}, op.port);
    else
      json["type"] = std::string(1, b.chunk.buffer);
    json["index"] = b.chunk.at;
    json["size"] = b.count;
    return json;
  }
  /// Its number among those of its kind: memory or port.
  template <class Set>
  static std::int64_t place(const Set& all, const typename Set::value_type& one, bool port) {
    return std::count_if(all.begin(), all.find(one), [&](const auto& other) { return std::get<0>(other) == port; });
  }

  static const char* type_of(bool port) { return port ? "port" : "memory"; }

  /// The channels and buffers that a thread block refers to.
  std::string reached(const PlanBlock& block, std::int64_t instance) const {
    Json channels = Json::array(), remote = Json::array();
    for (const bool port : {false, true}) {
      std::vector<std::int64_t> channel_ids, buffer_ids;
      for (const auto& [through, peer] : block.channels)
        if (through == port)
          channel_ids.push_back(instance * std::ssize(peers_[port]) +
                                std::distance(peers_[port].begin(), peers_[port].find(peer)));
      for (const auto& one : block.buffers)
        if (std::get<0>(one) == port) buffer_ids.push_back(std::distance(buffers_.begin(), buffers_.find(one)));
      if (!channel_ids.empty()) channels.push_back({{"channel_type", type_of(port)}, {"channel_ids", channel_ids}});
      if (!buffer_ids.empty())
        remote.push_back({{"access_channel_type", type_of(port)}, {"remote_buffer_ids", buffer_ids}});
    }
    return fmt::format("\"channels\": {}, \"remote_buffer_refs\": {}", channels.dump(), remote.dump());
  }

  std::string tables() const {
    Json channels = Json::array(), remote = Json::array(), semaphores = Json::array();
    for (const bool port : {false, true}) {
      std::vector<Rank> connected;
      for (std::int64_t i = 0; i < scale_.instances; ++i)
        connected.insert(connected.end(), peers_[port].begin(), peers_[port].end());
      if (!connected.empty()) channels.push_back({{"channel_type", type_of(port)}, {"connected_to", connected}});
    }
    for (const auto& [port, peer, type] : buffers_)
      remote.push_back(
          {{"rank", peer}, {"type", std::string(1, type)}, {"access_channel_types", Json::array({type_of(port)})}});
    for (std::int64_t i = 0; i < scale_.instances * static_cast<std::int64_t>(scale_.blocks - 1); ++i)
      semaphores.push_back({{"init_value", 0}});
    return fmt::format("\"channels\": {},\n  \"remote_buffers\": {},\n  \"semaphores\": {}", channels.dump(),
                       remote.dump(), semaphores.dump());
  }

  const std::vector<PlanBlock>& blocks_;
  const PlanScale& scale_;
  std::set<Rank> peers_[2];  ///< of memory channels, of port channels
  std::set<std::tuple<bool, Rank, char>> buffers_;
};

}  // namespace

std::int64_t write_mscclpp(const Written& w, const TextSink& sink) {
  check_plan(w.spec);
  const PlanCollective& kind = plan_collective_of(w.spec);
  PlanLayout layout = plan_layout(w, std::numeric_limits<Slot>::max());
  const PlanScale scale = scale_of(w, layout);
  const std::string name =
      fmt::format("{} on {}", w.choice.empty() ? std::string(kind.name) : w.choice, w.spec.topology->text());
  sink(
      fmt::format("{{\"name\": {}, \"collective\": \"{}\", \"protocol\": \"Simple\", \"inplace\": {},\n\"quadrille\": "
                  "{},\n\"gpus\": [\n",
                  Json(name).dump(), kind.name, kind.in_place, head_json(w).dump()));
  for (std::size_t r = 0; r < layout.ranks.size(); ++r)
    sink((r == 0 ? "" : ",\n") + PlanGpu(layout.ranks[r], scale).text(r, layout));
  sink(fmt::format(
      "],\n\"num_threads_per_block\": 1024, \"use_double_scratch_buffer\": false, \"buffer_alignment\": {}, "
      "\"min_message_size\": {}, \"max_message_size\": {}, \"reuse_resources\": false}}\n",
      plan_alignment, scale.least, scale.most));
  return layout.messages;
}

}  // namespace quadrille::interchange
