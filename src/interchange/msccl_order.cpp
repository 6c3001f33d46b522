#include "interchange/msccl_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "interchange/ranking.hpp"

namespace quadrille::interchange {

namespace {

/// Chunks that a step reads and writes.
struct StepUses {
  std::vector<std::pair<Chunk, Slot>> reads, writes;
};

StepUses uses_of(const ReadStep& s) {
  StepUses uses;
  if (s.nothing()) return uses;
  if (s.combines || !s.receives) uses.reads.push_back({s.from, s.count});
  if (s.copies && s.combines) uses.reads.push_back({s.to, s.count});
  if (s.receives || s.copies) uses.writes.push_back({s.to, s.count});
  if (s.receives && s.sends) uses.reads.push_back({s.to, s.count});
  return uses;
}

bool overlap(const std::vector<std::pair<Chunk, Slot>>& a, const std::vector<std::pair<Chunk, Slot>>& b) {
  for (const auto& [one, count] : a)
    for (const auto& [other, others] : b)
      if (one.buffer == other.buffer && one.at < other.at + others && other.at < one.at + count) return true;
  return false;
}

bool conflict(const StepUses& a, const StepUses& b) {
  return overlap(a.writes, b.writes) || overlap(a.writes, b.reads) || overlap(a.reads, b.writes);
}

/// One rank's steps, taken in an order in which each comes after what it waits for.
class RankOrder {
 public:
  RankOrder(const std::vector<ReadBlock>& blocks, std::string_view file) : blocks_(blocks), file_(file) {}

  void check() {
    done_.assign(blocks_.size(), 0);
    known_.resize(blocks_.size());
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        while (done_[b] < blocks_[b].steps.size() && ready(blocks_[b].steps[done_[b]])) {
          take(b, blocks_[b].steps[done_[b]]);
          ++done_[b];
          moved = true;
        }
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (done_[b] < blocks_[b].steps.size())
        refuse_line(file_, blocks_[b].steps[done_[b]].line,
                    "this step waits for one that waits for it; expected an order");
  }

 private:
  struct Known {
    std::vector<std::size_t> steps;  ///< of each block, how many are surely done
  };
  struct Use {
    const ReadStep* step;
    bool writes;
  };

  bool ready(const ReadStep& s) const {
    return s.wait_block < 0 || done_[static_cast<std::size_t>(s.wait_block)] > static_cast<std::size_t>(s.wait_step);
  }

  void take(std::size_t b, const ReadStep& s) {
    Known now = known_[b].empty() ? Known{std::vector<std::size_t>(blocks_.size(), 0)} : known_[b].back();
    if (s.wait_block >= 0) {
      const auto other = static_cast<std::size_t>(s.wait_block), at = static_cast<std::size_t>(s.wait_step);
      for (std::size_t i = 0; i < now.steps.size(); ++i)
        now.steps[i] = std::max(now.steps[i], known_[other][at].steps[i]);
    }
    const StepUses uses = uses_of(s);
    for (const auto& [chunk, count] : uses.reads) look(s, chunk, count, false, now);
    for (const auto& [chunk, count] : uses.writes) look(s, chunk, count, true, now);
    now.steps[b] = s.step + 1;
    known_[b].push_back(std::move(now));
  }

  void look(const ReadStep& s, const Chunk& chunk, Slot count, bool writes, const Known& now) {
    for (Slot i = 0; i < count; ++i) {
      std::vector<Use>& uses = uses_[{chunk.buffer, chunk.at + i}];
      for (const Use& use : uses)
        if ((writes || use.writes) && use.step != &s) require_order(*use.step, s, now);
      if (writes) uses.clear();
      uses.push_back({&s, writes});
    }
  }

  void require_order(const ReadStep& before, const ReadStep& s, const Known& now) const {
    if (before.block != s.block && now.steps[before.block] <= before.step)
      refuse_line(file_, s.line,
                  fmt::format("this step and that of line {} touch the same chunk, and none waits for the other; "
                              "expected depid and deps, or steps of type nop that wait",
                              before.line));
    if (s.round < 0) return;
    const Round last = before.send_round >= 0 ? before.send_round : before.round;
    if (last >= s.round)
      refuse_line(file_, s.line,
                  fmt::format("round {} of this step is not after round {} of line {}, for which it waits", s.round,
                              last, before.line));
  }

  const std::vector<ReadBlock>& blocks_;
  std::string_view file_;
  std::vector<std::size_t> done_;
  std::vector<std::vector<Known>> known_;  ///< by block and step
  std::map<Chunk, std::vector<Use>> uses_;
};

/// Numbers of a step's operations: its receive, and its send where it has both.
struct Operations {
  std::size_t first = 0, last = 0;
};

class Rounds {
 public:
  explicit Rounds(const ReadBlocks& ranks) {
    for (const std::vector<ReadBlock>& blocks : ranks) {
      numbers_.emplace_back();
      for (const ReadBlock& block : blocks) {
        numbers_.back().emplace_back();
        for (const ReadStep& s : block.steps) {
          const std::size_t first = count_++, last = s.receives && s.sends ? count_++ : first;
          numbers_.back().back().push_back({first, last});
          if (first != last) order_.push_back({first, last, 1});
        }
      }
    }
    for (std::size_t r = 0; r < ranks.size(); ++r) order_of_rank(ranks[r], numbers_[r]);
    order_of_messages(ranks);
  }

  bool give(ReadBlocks& ranks) const {
    const auto rounds = earliest_rounds(count_, order_);
    if (!rounds) return false;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      for (std::size_t b = 0; b < ranks[r].size(); ++b)
        for (std::size_t s = 0; s < ranks[r][b].steps.size(); ++s) {
          const Operations& o = numbers_[r][b][s];
          ranks[r][b].steps[s].round = (*rounds)[o.first];
          if (o.first != o.last) ranks[r][b].steps[s].send_round = (*rounds)[o.last];
        }
    return true;
  }

 private:
  using Numbers = std::vector<std::vector<Operations>>;

  void order_of_rank(const std::vector<ReadBlock>& blocks, const Numbers& numbers) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      std::vector<StepUses> uses;
      for (std::size_t s = 0; s < blocks[b].steps.size(); ++s) {
        const ReadStep& step = blocks[b].steps[s];
        uses.push_back(uses_of(step));
        for (std::size_t before = 0; before < s; ++before) {
          const ReadStep& other = blocks[b].steps[before];
          // Sends of a block go one after the other, and so do receives; a send and a receive go together.
          const bool alike = (step.sends && other.sends) || (step.receives && other.receives) || step.copies;
          const Round gap = alike || conflict(uses[before], uses[s]) ? 1 : 0;
          if (before + 1 == s || gap == 1) order_.push_back({numbers[b][before].last, numbers[b][s].first, gap});
        }
        if (step.wait_block >= 0)
          order_.push_back(
              {numbers[static_cast<std::size_t>(step.wait_block)][static_cast<std::size_t>(step.wait_step)].last,
               numbers[b][s].first, 1});
      }
    }
  }

  /// A message is in one round at both ends.
  void order_of_messages(const ReadBlocks& ranks) {
    using PairAndTag = std::tuple<Rank, Rank, std::int64_t>;
    std::map<PairAndTag, std::vector<std::size_t>> sends, receives;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      for (std::size_t b = 0; b < ranks[r].size(); ++b)
        for (std::size_t s = 0; s < ranks[r][b].steps.size(); ++s) {
          const ReadBlock& block = ranks[r][b];
          const auto rank = static_cast<Rank>(r);
          const Operations& o = numbers_[r][b][s];
          if (block.steps[s].sends) sends[{rank, block.send, block.channel}].push_back(o.last);
          if (block.steps[s].receives) receives[{block.recv, rank, block.channel}].push_back(o.first);
        }
    for (const auto& [way, list] : sends) {
      const std::vector<std::size_t>& others = receives[way];
      for (std::size_t i = 0; i < std::min(list.size(), others.size()); ++i) {
        order_.push_back({list[i], others[i], 0});
        order_.push_back({others[i], list[i], 0});
      }
    }
  }

  std::size_t count_ = 0;
  std::vector<Numbers> numbers_;
  std::vector<Precedes> order_;
};

}  // namespace

void check_order(const ReadBlocks& ranks, std::string_view file) {
  for (const std::vector<ReadBlock>& blocks : ranks) RankOrder(blocks, file).check();
}

void give_rounds(ReadBlocks& ranks, std::string_view file) {
  if (Rounds(ranks).give(ranks)) return;
  throw Error(Error::Kind::format,
              fmt::format("{}: steps wait for each other in a circle; expected an order in which all come to an end",
                          base::quoted(file, 200)));
}

}  // namespace quadrille::interchange
