// In which order ranks go through a schedule: what executors perform, and what simulations play.
#pragma once

namespace quadrille {

/// When a rank goes on to its next round.
enum class Order {
  lockstep,  ///< when the last message of the round has arrived anywhere; what prices count
  dataflow,  ///< when its own messages of the round have been sent and received, as the papers' programs do
  eager      ///< when it has received what the round brings; what it sends goes by itself, as soon as its bytes are
             ///< there and its link or port is free. Simulations of it keep all messages in memory
};

}  // namespace quadrille
