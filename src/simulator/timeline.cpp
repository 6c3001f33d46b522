#include "quadrille/timeline.hpp"

namespace quadrille {

TimeParts& TimeParts::operator+=(const TimeParts& o) {
  start_up += o.start_up, overhead += o.overhead, hops += o.hops, wire += o.wire, port += o.port, link += o.link;
  peer += o.peer, copy += o.copy, barrier += o.barrier, skew += o.skew;
  return *this;
}

}  // namespace quadrille
