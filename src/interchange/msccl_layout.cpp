#include "interchange/msccl_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interchange/msccl_rank.hpp"

namespace quadrille::interchange {

namespace {

/// Puts messages into thread blocks, round after round.
class MscclPlacing {
 public:
  explicit MscclPlacing(const Written& w)
      : w_(w), places_(w, "MSCCL's XML"), ranks_(static_cast<std::size_t>(w.spec.ranks())) {}

  void lay_out() {
    own_blocks();
    const Round rounds = w_.schedule.shape().rounds;
    for (Round t = 0; t < rounds; ++t) {
      for (Rank r = 0; r < w_.spec.ranks(); ++r) send_all(t, r);
      for (MscclRank& rank : ranks_) rank.end_round();
    }
  }
  MscclLayout take() {
    MscclLayout layout{.ranks = {},
                       .in = places_.chunks('i'),
                       .out = places_.chunks('o'),
                       .scratch = places_.chunks('s'),
                       .messages = messages_};
    for (MscclRank& one : ranks_) {
      for (const ThreadBlock& b : one.blocks) layout.channels = std::max(layout.channels, b.channel + 1);
      layout.ranks.push_back(std::move(one.blocks));
    }
    return layout;
  }

 private:
  MscclRank& rank(Rank r) { return ranks_[static_cast<std::size_t>(r)]; }

  /// Own blocks, which are in place here before a schedule begins, are copied there.
  void own_blocks() {
    for (Rank r = 0; r < w_.spec.ranks(); ++r)
      if (const auto run = places_.own(r)) add_runs(*run, -1, r, r);
    for (MscclRank& one : ranks_) one.end_round();
  }

  void send_all(Round t, Rank r) {
    for (const Rank peer : receivers_of(collected_.all(w_.schedule, t, r))) {
      messages_ += peer != r;
      for (const ChunkRun& run : places_.message(t, r, peer, msccl_count)) {
        if (run.again) refuse_msccl("a chunk that comes in once is stored once; expected another algorithm");
        add_runs(run, t, r, peer);
      }
    }
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
