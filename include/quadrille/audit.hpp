// Where the time of a simulated run goes: loads of links and ports, ranks that wait, and the chain of messages that the
// run's length is made of.
#pragma once

#include <memory>
#include <vector>

#include "quadrille/simulate.hpp"
#include "quadrille/timeline.hpp"

namespace quadrille::simulator {
class Ledger;
}

namespace quadrille {

struct Audit {
  struct LinkLoad {
    Seconds busy = 0, queued = 0;  ///< it carried messages; messages waited for it, added up
    std::int64_t messages = 0;
  };
  struct RankLoad {
    Seconds waiting = 0;                 ///< its own messages had left, others' had not come; or at barriers
    Seconds sending = 0, receiving = 0;  ///< its port was busy with that
  };
  /// What the run's length is made of, one after the other: each begins when the one before it ends.
  struct Step {
    Stay::Why why = Stay::Why::sent;
    Rank rank = 0;            ///< that waited; all did at a barrier and at the end of a lockstep round
    Rank from = -1, to = -1;  ///< of the message, if it is one
    Round round = 0;
    Bytes bytes = 0;
    Seconds begin = 0, end = 0;
    TimeParts parts = {};  ///< of end - begin
  };
  struct RoundSpan {
    Round first = 0;                 ///< the first of a few rounds that are one entry
    Seconds asked = 0, arrived = 0;  ///< the first, the last
    std::int64_t messages = 0;
    Seconds queued = 0;  ///< added up
  };

  Seconds makespan = 0;
  TimeParts critical;             ///< of the chain; total() is the makespan
  std::vector<Step> path;         ///< the chain, from the start to the end
  bool path_kept = true;          ///< false: it took too much memory; `critical` is right nevertheless
  std::vector<LinkLoad> links;    ///< by link; last, after all links: the shared medium. Empty when nothing was crossed
  std::vector<RankLoad> ranks;    ///< by node
  std::vector<RoundSpan> rounds;  ///< those with messages
  Link busiest = -1;              ///< the link that was busy longest; links.size() - 1 of a medium; -1: none was used
  Rank busiest_port = -1;         ///< on machines with one port: whose port was busy longest
  /// On half-duplex wires and ports: both directions added; of a port no more than the makespan.
  Seconds busiest_link_time = 0, busiest_port_time = 0;
};

/// Keeps O(ranks + links) of what it is told, whatever the number of messages; and the chains of messages by which
/// ranks were released, as long as they are less than `records`.
class Auditor final : public Observer {
 public:
  Auditor(const Spec& spec, const Machine& machine, const Schedule& schedule,
          std::size_t records = std::size_t{1} << 20);
  ~Auditor() override;
  void asked(const Passage&) override;
  void occupied(const Occupation&, const Passage&) override;
  void left(const Passage&) override;
  void arrived(const Passage&) override;
  void stayed(const Stay&) override;
  void ended(Seconds makespan) override;
  /// After the run.
  const Audit& audit() const;
  /// The same, and nothing is left here: a large network has a hundred megabytes of links.
  Audit take();

  /// Where all that is kept: the simulator writes there itself when nobody else watches.
  simulator::Ledger& ledger() { return *ledger_; }

 private:
  std::unique_ptr<simulator::Ledger> ledger_;
};

}  // namespace quadrille
