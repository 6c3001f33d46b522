// GPUs that execute a plan of MSCCL++ on symbols, written from what its executor does: thread blocks run at random, and
// whatever two operations do to the same bytes must be in an order.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "plan_cells.hpp"

namespace quadrille::testing {

class PlanMachine {
 public:
  /// A chunk has so many units of the plan's alignment.
  PlanMachine(const nlohmann::json& plan, std::int64_t units) : plan_(plan), units_(units) {
    const auto& gpus = plan_.at("gpus");
    for (std::size_t r = 0; r < gpus.size(); ++r) {
      plan_require(gpus[r].at("id") == r, "a gpu's id is not its place");
      Gpu gpu;
      gpu.memory['i'].resize(gpus[r].at("input_chunks").get<std::size_t>() * width());
      gpu.memory['o'].resize(gpus[r].at("output_chunks").get<std::size_t>() * width());
      gpu.memory['s'].resize(gpus[r].at("scratch_chunks").get<std::size_t>() * width());
      for (const auto& s : gpus[r].at("semaphores")) plan_require(s.at("init_value") == 0, "a semaphore begins at 0");
      gpu.semaphores.resize(gpus[r].at("semaphores").size());
      plan_require(gpu.semaphores.size() <= 16, "more than 16 semaphores");
      connect(gpus[r], gpu);
      for (const auto& tb : gpus[r].at("threadblocks")) add_block(tb, r, gpu);
      gpus_.push_back(std::move(gpu));
    }
  }

  Symbols& at(std::size_t rank, char buffer, std::int64_t chunk, std::int64_t unit) {
    return gpus_.at(rank).memory.at(buffer).at(static_cast<std::size_t>(chunk * units_ + unit)).value;
  }

  /// Runs all to the end, each block as far as it happens to come.
  void run(std::mt19937& random) {
    for (Block& b : blocks_) b.clock.assign(blocks_.size(), 0);
    for (std::size_t idle = 0; idle < 4 * blocks_.size() + 64;) {
      Block& b = blocks_[random() % blocks_.size()];
      bool moved = false;
      for (auto steps = 1 + random() % 8; steps > 0 && step(b); --steps) moved = true;
      idle = moved ? 0 : idle + 1;
    }
    for (bool moved = true; moved;) {
      moved = false;
      for (Block& b : blocks_)
        while (step(b)) moved = true;
    }
    for (const Block& b : blocks_)
      plan_require(b.next == b.ops->size(),
                   fmt::format("block {} of gpu {} waits for ever at operation {}", b.id, b.gpu, b.next));
    for (const Gpu& gpu : gpus_) {
      for (const auto& [name, signals] : gpu.signals) plan_require(signals.empty(), "a signal is left over");
      for (const auto& releases : gpu.semaphores) plan_require(releases.empty(), "a release is left over");
    }
  }

 private:
  struct Gpu {
    std::map<char, std::vector<PlanCell>> memory;
    std::map<std::string, std::vector<std::size_t>> peers;  ///< of channels, by type
    std::map<std::pair<std::string, std::size_t>, std::deque<PlanClock>>
        signals;  ///< that came in, by type and channel
    std::vector<std::deque<PlanClock>> semaphores;
    std::vector<std::pair<std::size_t, PlanCell*>> in_flight = {};  ///< puts through a port that were not flushed
  };
  struct Block {
    std::size_t gpu = 0, id = 0, number = 0, next = 0;
    const nlohmann::json* ops = nullptr;
    std::map<std::string, std::vector<std::size_t>> channels = {};
    std::map<std::string, std::vector<std::pair<std::size_t, char>>> buffers = {};  ///< whose, which
    PlanClock clock = {};
    std::int64_t phase = 0;
    bool data = false, waited = false;  ///< in this phase
  };
  struct Run {
    std::vector<PlanCell>* memory;
    std::size_t first, count;
  };

  std::size_t width() const { return static_cast<std::size_t>(units_); }

  static void connect(const nlohmann::json& json, Gpu& gpu) {
    for (const auto& channel : json.at("channels"))
      for (const auto& peer : channel.at("connected_to")) gpu.peers[channel.at("channel_type")].push_back(peer);
  }

  void add_block(const nlohmann::json& tb, std::size_t rank, const Gpu& gpu) {
    Block block{.gpu = rank, .id = tb.at("id"), .number = blocks_.size(), .ops = &tb.at("ops")};
    plan_require(blocks_.empty() || blocks_.back().gpu != rank ? block.id == 0 : block.id == blocks_.back().id + 1,
                 "a thread block's id is not its place");
    plan_require(block.ops->size() <= 64, "more than 64 operations");
    for (const auto& channel : tb.at("channels"))
      for (const auto& id : channel.at("channel_ids")) {
        plan_require(id < gpu.peers.at(channel.at("channel_type")).size(), "no such channel");
        block.channels[channel.at("channel_type")].push_back(id);
      }
    const auto& all = plan_.at("gpus")[rank].at("remote_buffers");
    for (const auto& refs : tb.at("remote_buffer_refs")) {
      const std::string type = refs.at("access_channel_type");
      for (const auto& id : refs.at("remote_buffer_ids")) {
        const auto& b = all.at(id.get<std::size_t>());
        plan_require(std::count(b.at("access_channel_types").begin(), b.at("access_channel_types").end(), type) == 1,
                     "a buffer is reached through another type of channel");
        block.buffers[type].push_back({b.at("rank"), b.at("type").get<std::string>().at(0)});
      }
    }
    for (const auto& [type, ids] : block.channels) plan_require(ids.size() <= 16, "more than 16 channels");
    for (const auto& [type, ids] : block.buffers) plan_require(ids.size() <= 16, "more than 16 buffers");
    blocks_.push_back(std::move(block));
  }

  /// The other end of a channel: as often as the peer was named before it, so often is this gpu before that.
  std::pair<std::size_t, std::size_t> other_end(std::size_t rank, const std::string& type, std::size_t channel) const {
    const auto& mine = gpus_[rank].peers.at(type);
    const std::size_t peer = mine.at(channel);
    auto before = std::count(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(channel), peer);
    const auto& theirs = gpus_.at(peer).peers.at(type);
    for (std::size_t k = 0; k < theirs.size(); ++k)
      if (theirs[k] == rank && before-- == 0) return {peer, k};
    throw PlanFault("a channel has no other end");
  }

  static void join(PlanClock& into, const PlanClock& other) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
  }

  /// False where the block is at its end, or has to wait.
  bool step(Block& b) {
    if (b.next == b.ops->size()) return false;
    const auto& op = (*b.ops)[b.next];
    const std::string name = op.at("name");
    if (name == "wait" && !take_signals(b, op)) return false;
    if (name == "sem_acquire" && !acquire(b, op)) return false;
    ++b.clock[b.number];
    if (name == "nop") ++b.phase, b.data = b.waited = false;
    if (name == "signal") signal(b, op);
    if (name == "sem_release") {
      plan_require(!b.data && !b.waited, "a release before the threads meet");
      for (const auto& id : op.at("semaphore_ids"))
        gpus_[b.gpu].semaphores.at(id.get<std::size_t>()).push_back(b.clock);
    }
    if (name == "flush") flush(b, op);
    if (name == "put" || name == "copy" || name == "re") move(b, op, name);
    plan_require(name == "nop" || name == "signal" || name == "wait" || name == "sem_release" ||
                     name == "sem_acquire" || name == "flush" || name == "put" || name == "copy" || name == "re",
                 "an operation " + name);
    ++b.next;
    return true;
  }

  static std::vector<std::size_t> channels_of(const Block& b, const nlohmann::json& op) {
    plan_require(op.at("channel_ids").size() <= 8, "more than 8 channels");
    std::vector<std::size_t> all;
    for (const auto& id : op.at("channel_ids")) all.push_back(b.channels.at(op.at("channel_type")).at(id));
    return all;
  }
  bool take_signals(Block& b, const nlohmann::json& op) {
    std::map<std::size_t, std::size_t> wanted;
    for (const std::size_t id : channels_of(b, op)) ++wanted[id];
    for (const auto& [id, times] : wanted)
      if (gpus_[b.gpu].signals[{op.at("channel_type"), id}].size() < times) return false;
    for (const std::size_t id : channels_of(b, op)) {
      auto& queue = gpus_[b.gpu].signals[{op.at("channel_type"), id}];
      join(b.clock, queue.front());
      queue.pop_front();
    }
    return b.waited = true;
  }
  bool acquire(Block& b, const nlohmann::json& op) {
    for (const auto& id : op.at("semaphore_ids"))
      if (gpus_[b.gpu].semaphores.at(id.get<std::size_t>()).empty()) return false;
    for (const auto& id : op.at("semaphore_ids")) {
      auto& queue = gpus_[b.gpu].semaphores.at(id.get<std::size_t>());
      join(b.clock, queue.front());
      queue.pop_front();
    }
    return b.waited = true;
  }
  void signal(Block& b, const nlohmann::json& op) {
    plan_require(!b.data && !b.waited, "a signal before the threads meet");
    for (const std::size_t id : channels_of(b, op)) {
      const auto [peer, channel] = other_end(b.gpu, op.at("channel_type"), id);
      gpus_[peer].signals[{op.at("channel_type"), channel}].push_back(b.clock);
    }
  }
  void flush(Block& b, const nlohmann::json& op) {
    plan_require(op.at("channel_type") == "port", "a flush of memory");
    for (const std::size_t id : channels_of(b, op))
      std::erase_if(gpus_[b.gpu].in_flight, [&](const auto& one) {
        if (one.first == id) note_read(b, *one.second);
        return one.first == id;
      });
    b.waited = true;
  }

  std::int64_t share_offset(std::int64_t units, std::int64_t index, std::int64_t shares) const {
    plan_require(units >= shares, "fewer units than shares");
    const std::int64_t least = units / shares, rest = units % shares;
    return index * least + (index % units < rest ? index % units : rest);
  }
  Run run_of(const Block& b, const nlohmann::json& op, const nlohmann::json& ref) {
    std::size_t rank = b.gpu;
    char buffer = 0;
    if (ref.contains("type"))
      buffer = ref.at("type").get<std::string>().at(0);
    else
      std::tie(rank, buffer) = b.buffers.at(op.at("channel_type")).at(ref.at("buffer_id").get<std::size_t>());
    std::int64_t share = 0, shares = 1;
    if (op.contains("tbg_info")) share = op["tbg_info"].at("tb_id"), shares = op["tbg_info"].at("tbg_size");
    const std::int64_t units = ref.at("size").get<std::int64_t>() * units_;
    const std::int64_t first = share_offset(units, share, shares), end = share_offset(units, share + 1, shares);
    std::vector<PlanCell>& memory = gpus_.at(rank).memory.at(buffer);
    const std::int64_t at = ref.at("index").get<std::int64_t>() * units_;
    plan_require(at + units <= static_cast<std::int64_t>(memory.size()), "behind the end of a buffer");
    return {&memory, static_cast<std::size_t>(at + first), static_cast<std::size_t>(end - first)};
  }

  void move(Block& b, const nlohmann::json& op, const std::string& name) {
    plan_require(!b.waited, "data before the threads meet");
    b.data = true;
    const auto &sources = op.at("src_buff"), &targets = op.at("dst_buff");
    if (name == "re") {
      plan_require(sources.size() == 2 && targets.size() == 1, "a reduction of two");
      const Run one = run_of(b, op, sources[0]), other = run_of(b, op, sources[1]), to = run_of(b, op, targets[0]);
      plan_require(one.count == to.count && other.count == to.count, "lengths differ");
      for (std::size_t i = 0; i < to.count; ++i) {
        Symbols sum = read(b, one, i);
        const Symbols& more = read(b, other, i);
        plan_require(!sum.empty() && !more.empty(), "a reduction of what nobody has written");
        sum.insert(sum.end(), more.begin(), more.end());
        std::sort(sum.begin(), sum.end());
        write(b, to, i, sum);
      }
      return;
    }
    plan_require(sources.size() == targets.size() && sources.size() <= 8, "as many sources as targets");
    for (std::size_t k = 0; k < sources.size(); ++k) {
      plan_require(sources[k].at("type") == sources[0].at("type"), "sources of one operation are in one buffer");
      const Run from = run_of(b, op, sources[k]), to = run_of(b, op, targets[k]);
      plan_require(from.count == to.count, "lengths differ");
      for (std::size_t i = 0; i < to.count; ++i) {
        write(b, to, i, read(b, from, i));
        if (name == "put" && op.at("channel_type") == "port")
          gpus_[b.gpu].in_flight.push_back({channels_of(b, op).at(k), &(*from.memory)[from.first + i]});
      }
    }
  }

  bool ordered(const Block& b, const PlanAccess& before) const {
    if (before.block == b.number) return before.phase != b.phase || before.time == b.clock[b.number];
    return before.time <= b.clock[before.block];
  }
  void note_read(const Block& b, PlanCell& cell) {
    for (PlanAccess& one : cell.read)
      if (one.block == b.number) return void(one = {b.number, b.clock[b.number], b.phase});
    cell.read.push_back({b.number, b.clock[b.number], b.phase});
  }
  const Symbols& read(Block& b, const Run& run, std::size_t i) {
    PlanCell& cell = (*run.memory)[run.first + i];
    plan_require(!cell.ever_written || ordered(b, cell.written), "a read that nothing orders behind a write");
    note_read(b, cell);
    return cell.value;
  }
  void write(Block& b, const Run& run, std::size_t i, const Symbols& value) {
    PlanCell& cell = (*run.memory)[run.first + i];
    plan_require(!cell.ever_written || ordered(b, cell.written), "a write that nothing orders behind a write");
    for (const PlanAccess& one : cell.read) plan_require(ordered(b, one), "a write that nothing orders behind a read");
    for (const Gpu& gpu : gpus_)
      for (const auto& [channel, source] : gpu.in_flight)
        plan_require(source != &cell, "a write to what a port still reads");
    cell.value = value;
    cell.written = {b.number, b.clock[b.number], b.phase};
    cell.ever_written = true;
    cell.read.clear();
  }

  nlohmann::json plan_;
  std::int64_t units_;
  std::vector<Gpu> gpus_;
  std::vector<Block> blocks_;
};

}  // namespace quadrille::testing
