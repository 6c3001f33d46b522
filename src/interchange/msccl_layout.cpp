#include "interchange/msccl_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interchange/msccl_rank.hpp"

namespace quadrille::interchange {

namespace {

constexpr char letters[] = {'i', 'o', 's'};

/// Where slots are in MSCCL's buffers, whose chunks are all of one size.
class ChunkPlaces {
 public:
  explicit ChunkPlaces(const Written& w) : w_(w), shape_(w.schedule.shape()), pieces_(shape_.cut.pieces()) {
    const Bytes size = shape_.cut.size(0);
    for (Slot piece = 0; piece < pieces_; ++piece) check_size(shape_.cut.size(piece), size);
    if (!shape_.offsets) return;
    for (Slot label = 0; label < shape_.out; ++label)
      check_size(shape_.block_offset(Buffer::out, label + 1) - shape_.block_offset(Buffer::out, label),
                 shape_.cut.bytes);
  }
  Chunk of(Buffer buffer, Slot slot, Rank r) const {
    if (buffer == Buffer::tmp) return {'s', slot};
    const Slot blocks = shape_.blocks(buffer), piece = slot / blocks;
    Slot block = w_.schedule.block(buffer, slot % blocks, piece);
    if (w_.spec.collective == Collective::reduce_scatter && buffer == Buffer::out) block -= r;  // its own block alone
    return {letters[static_cast<std::size_t>(buffer)], block * pieces_ + piece};
  }
  Slot pieces() const { return pieces_; }

 private:
  static void check_size(Bytes size, Bytes first) {
    if (size == first) return;
    refuse_msccl(
        fmt::format("buffers are cut in equal chunks, and the schedule has pieces of {} and {} bytes; expected "
                    "a size that its pieces divide",
                    first, size));
  }
  const Written& w_;
  const Shape& shape_;
  Slot pieces_;
};

bool follows(const Chunk& before, Slot count, const Chunk& next) {
  return before.buffer == next.buffer && before.at + count == next.at;
}

/// Puts messages into thread blocks, round after round.
class MscclPlacing {
 public:
  explicit MscclPlacing(const Written& w) : w_(w), places_(w), ranks_(static_cast<std::size_t>(w.spec.ranks())) {}

  void lay_out() {
    own_blocks();
    const Round rounds = w_.schedule.shape().rounds;
    for (Round t = 0; t < rounds; ++t) {
      for (Rank r = 0; r < w_.spec.ranks(); ++r) send_all(t, r);
      for (MscclRank& rank : ranks_) rank.end_round();
    }
  }
  MscclLayout take() {
    MscclLayout layout{
        .ranks = {}, .in = chunks('i'), .out = chunks('o'), .scratch = chunks('s'), .messages = messages_};
    for (MscclRank& one : ranks_) {
      for (const ThreadBlock& b : one.blocks) layout.channels = std::max(layout.channels, b.channel + 1);
      layout.ranks.push_back(std::move(one.blocks));
    }
    return layout;
  }

 private:
  Slot chunks(char buffer) const {
    const Shape& s = w_.schedule.shape();
    const Collective c = w_.spec.collective;
    if (buffer == 's') return s.slots(Buffer::tmp);
    if (c == Collective::bcast) return places_.pieces();
    if (c == Collective::allgather && buffer == 'i') return places_.pieces();
    if (c == Collective::gather && buffer == 'i') return places_.pieces();
    if (c == Collective::scatter && buffer == 'o') return places_.pieces();
    if (c == Collective::reduce_scatter && buffer == 'o') return places_.pieces() * s.out / w_.spec.ranks();
    return s.blocks(buffer == 'i' ? Buffer::in : Buffer::out) * places_.pieces();
  }

  MscclRank& rank(Rank r) { return ranks_[static_cast<std::size_t>(r)]; }

  /// Own blocks, which are in place here before a schedule begins, are copied there.
  void own_blocks() {
    const Collective c = w_.spec.collective;
    if (c != Collective::alltoall && c != Collective::gather && c != Collective::scatter) return;
    for (Rank r = 0; r < w_.spec.ranks(); ++r) {
      if (c != Collective::alltoall && r != w_.spec.root) continue;
      const Slot pieces = places_.pieces(), from = c == Collective::gather ? 0 : r,
                 to = c == Collective::scatter ? 0 : r;
      add_runs({.from = {'i', from * pieces}, .to = {'o', to * pieces}, .count = pieces}, -1, r, r);
    }
    for (MscclRank& one : ranks_) one.end_round();
  }

  void send_all(Round t, Rank r) {
    const std::vector<Transfer> all = collected_.all(w_.schedule, t, r);
    std::vector<Rank> peers;
    for (const Transfer& x : all)
      if (x.kind == Kind::send && std::find(peers.begin(), peers.end(), x.peer) == peers.end()) peers.push_back(x.peer);
    for (const Rank peer : peers) {
      std::vector<Chunk> from;
      for (const Transfer& x : all)
        if (x.kind == Kind::send && x.peer == peer)
          for_each_slot(x.slots, [&](Slot slot) { from.push_back(places_.of(x.buffer, slot, r)); });
      messages_ += peer != r;
      message(t, r, peer, from);
    }
  }

  /// Splits a message into runs that are in a row at both ends.
  void message(Round t, Rank r, Rank peer, const std::vector<Chunk>& from) {
    std::vector<ChunkRun> runs;
    std::size_t k = 0;
    for (const Transfer& x : collected_.one(w_.schedule, t, peer, Kind::recv, r)) {
      if (x.combine.again) refuse_msccl("a chunk that comes in once is stored once; expected another algorithm");
      for (Slot i = 0; i < x.slots.size && k < from.size(); ++i, ++k) {
        const ChunkRun one{.from = from[k],
                           .to = places_.of(x.buffer, x.slots[i], peer),
                           .with = x.combine.combines() ? places_.of(x.combine.buffer, x.operand()[i], peer) : Chunk{},
                           .incoming = x.combine.incoming};
        if (!runs.empty() && joins(runs.back(), one))
          ++runs.back().count;
        else
          runs.push_back(one);
      }
    }
    for (const ChunkRun& run : runs) add_runs(run, t, r, peer);
  }
  static bool joins(const ChunkRun& run, const ChunkRun& next) {
    return run.count < msccl_count && run.incoming == next.incoming && follows(run.from, run.count, next.from) &&
           follows(run.to, run.count, next.to) &&
           (run.incoming == Combine::Incoming::stored || follows(run.with, run.count, next.with));
  }

  void add_runs(ChunkRun run, Round t, Rank r, Rank peer) {
    while (run.count > 0) {
      ChunkRun part = run;
      part.count = std::min(run.count, Slot{msccl_count});
      add_run(part, t, r, peer);
      run.from.at += part.count, run.to.at += part.count, run.with.at += part.count, run.count -= part.count;
    }
  }

  using Waits = std::map<std::size_t, std::size_t>;

  void add_run(const ChunkRun& run, Round t, Rank r, Rank peer) {
    const bool combines = run.incoming != Combine::Incoming::stored;
    if (rank(peer).written_now(run.to, run.count))
      refuse_msccl(
          "messages of one round that are combined into one chunk are not in an order there; expected an "
          "algorithm that combines one at a time");
    Waits before_send, before_recv;
    rank(r).wait_for(run.from, run.count, false, before_send);
    Waits& at_peer = r == peer ? before_send : before_recv;
    rank(peer).wait_for(run.to, run.count, true, at_peer);
    if (combines) rank(peer).wait_for(run.with, run.count, false, at_peer);
    if (r == peer) {
      if (combines && run.with != run.to)
        refuse_msccl("a rank's own chunks are combined in place only; expected another algorithm");
      const std::size_t block = open(r, -1, -1, 0, before_send.size());
      const StepAt at = add_step(r, block, combines ? "re" : "cpy", run, t, before_send);
      rank(r).touch(run.from, run.count, false, at);
      rank(r).touch(run.to, run.count, true, at);
      return;
    }
    const std::int64_t channel = channel_for(r, peer, before_send.size(), before_recv.size());
    const std::size_t sender = open(r, peer, -1, channel, before_send.size());
    const std::size_t receiver = open(peer, -1, r, channel, before_recv.size());
    rank(r).touch(run.from, run.count, false, add_step(r, sender, "s", run, t, before_send));
    const StepAt at = add_step(peer, receiver, combines ? "rrc" : "r", run, t, before_recv);
    rank(peer).touch(run.to, run.count, true, at);
    if (combines) rank(peer).touch(run.with, run.count, false, at);
  }

  /// The pair's latest channel, or where one of its ends is full the next one on which both have room.
  std::int64_t channel_for(Rank r, Rank peer, std::size_t before_send, std::size_t before_recv) {
    const auto latest = channels_.emplace(std::pair(r, peer), 0).first;
    for (std::int64_t c = latest->second; c < msccl_channels; ++c) {
      if (has_room(r, peer, -1, c, before_send) && has_room(peer, -1, r, c, before_recv)) return latest->second = c;
    }
    refuse_msccl(
        fmt::format("{} channels of {} thread blocks a rank, with {} steps each, are too few for the messages "
                    "from {} to {}; expected fewer ranks, or packets",
                    msccl_channels, msccl_blocks, msccl_steps, r, peer));
  }
  bool has_room(Rank r, Rank send, Rank recv, std::int64_t channel, std::size_t waits) {
    std::int64_t on_channel = 0;
    for (const ThreadBlock& b : rank(r).blocks) {
      if (b.channel != channel) continue;
      ++on_channel;
      if (b.send == send && b.recv == recv)
        return b.steps.size() + std::max<std::size_t>(1, waits) <= static_cast<std::size_t>(msccl_steps);
    }
    return on_channel < msccl_blocks;
  }
  /// The thread block for these peers on the channel; of local steps the first that has room.
  std::size_t open(Rank r, Rank send, Rank recv, std::int64_t channel, std::size_t waits) {
    if (send < 0 && recv < 0)
      while (!has_room(r, -1, -1, channel, waits)) ++channel;
    if (channel >= msccl_channels) refuse_msccl("too many local copies; expected fewer packets");
    std::vector<ThreadBlock>& blocks = rank(r).blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (blocks[i].send == send && blocks[i].recv == recv && blocks[i].channel == channel) return i;
    blocks.push_back({send, recv, channel});
    return blocks.size() - 1;
  }

  /// A step waits for one other; more of them are waited for by steps before it that do nothing.
  StepAt add_step(Rank r, std::size_t block, std::string_view type, const ChunkRun& run, Round t, const Waits& waits) {
    std::vector<ThreadBlock>& blocks = rank(r).blocks;
    std::vector<MscclStep>& steps = blocks[block].steps;
    MscclStep step{.type = type, .run = run, .round = t};
    for (const auto& [other, at] : waits) {
      if (other == block) continue;
      if (step.block >= 0)
        steps.push_back({.type = "nop", .run = {}, .round = t, .block = step.block, .step = step.step});
      step.block = static_cast<std::int64_t>(other);
      step.step = static_cast<std::int64_t>(at);
      blocks[other].steps[at].waited_for = true;
    }
    steps.push_back(step);
    return {block, steps.size() - 1};
  }

  const Written& w_;
  ChunkPlaces places_;
  std::vector<MscclRank> ranks_;
  std::map<std::pair<Rank, Rank>, std::int64_t> channels_;
  Collected collected_;
  std::int64_t messages_ = 0;
};

}  // namespace

void refuse_msccl(const std::string& why) { throw Error(Error::Kind::illegal, fmt::format("MSCCL's XML: {}", why)); }

MscclLayout msccl_layout(const Written& written) {
  MscclPlacing placing(written);
  placing.lay_out();
  return placing.take();
}

}  // namespace quadrille::interchange
