// What every rank sends and when it may: the compiled programs of all ranks, in short.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "program/program.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::simulator {

/// A schedule as an executor performs it: each send may go once the steps are done that its bytes come from. Laid out
/// in memory as a whole.
class Script {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// A receiver of a bundle.
  struct Member {
    std::uint32_t peer = 0;
    std::uint32_t reused = none;  ///< number of the send, if its rank waits for its end before it writes where it read
    std::uint32_t flight = none;  ///< once it was offered
    std::uint32_t way = 0;        ///< of those among which its message is divided
  };
  /// Messages that leave as one, as Part::Bundle; otherwise one message, or what of it leaves through one channel:
  /// where it is divided, the bundles of a message follow one another, each with its ways as members.
  struct Bundle {
    std::uint32_t first = 0, count = 0;  ///< members
    std::uint32_t round = 0;
    std::uint32_t after = 0;      ///< steps of its rank that must be done
    std::uint32_t channel = 0;    ///< what it leaves through, one bundle after the other
    std::uint32_t next = none;    ///< once it was offered: what leaves after it
    Bytes bytes = 0, packed = 0;  ///< of the whole message
  };
  /// What a rank does in a round besides sending: it waits until the first `settle` sends that are reused have left
  /// and all messages for it have come, then copies and combines.
  struct Step {
    std::uint32_t round = 0, receives = 0;
    std::uint32_t settle = 0;
    bool barrier = false;  ///< all ranks wait for each other first
    Bytes copied = 0, combined = 0;
  };
  /// Of one rank, the ends of the next are the starts of it.
  struct Part {
    std::size_t steps = 0, bundles = 0;
    std::uint32_t reused = 0;
  };

  /// Throws Error(budget) when it does not fit in a gigabyte, or more than 2^30 slots would have to be looked at.
  /// `progress`, if any: as of SimulateOptions, with the messages laid out so far.
  Script(const Spec& spec, const Machine& machine, const Schedule& schedule,
         const std::function<void(Seconds now, std::int64_t messages)>& progress);

  std::span<const Step> steps(std::uint32_t r) const {
    return std::span(steps_).subspan(parts_[r].steps, parts_[r + 1].steps - parts_[r].steps);
  }
  /// In the order in which they may go.
  std::size_t first_bundle(std::uint32_t r) const { return parts_[r].bundles; }
  std::size_t end_bundle(std::uint32_t r) const { return parts_[r + 1].bundles; }
  Bundle& bundle(std::size_t b) { return bundles_[b]; }
  std::span<Member> members(const Bundle& b) { return std::span(members_).subspan(b.first, b.count); }
  /// Sends that are reused are numbered rank by rank, in the order of rounds.
  std::uint32_t first_reused(std::uint32_t r) const { return parts_[r].reused; }
  std::uint32_t reused() const { return parts_.back().reused; }
  std::uint32_t channels() const { return channels_; }

 private:
  class Writer;

  std::vector<Part> parts_ = std::vector<Part>(1);
  std::vector<Step> steps_;
  std::vector<Bundle> bundles_;
  std::vector<Member> members_;
  std::uint32_t channels_ = 0;
};

}  // namespace quadrille::simulator
