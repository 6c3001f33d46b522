// A schedule of your own, outside Quadrille's tree: written as a function, then proven, counted beside the bound,
// simulated and run with every byte compared. An all-gather in which rank r sends its block to rank r + 1 in the first
// round, to rank r + 2 in the second, and so on.
#include <iostream>

#include "quadrille/price.hpp"
#include "quadrille/run.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/verify.hpp"

namespace {

using namespace quadrille;

class Around final : public Schedule {
 public:
  Around(Rank ranks, Bytes bytes, bool forgets_the_last = false)
      : shape_{.ranks = ranks, .rounds = ranks - (forgets_the_last ? 2 : 1), .in = 1, .out = ranks, .cut = {bytes}} {}
  const Shape& shape() const override { return shape_; }
  /// Own blocks are in place in `out` before the schedule starts; block i of `out` is the one of rank i.
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, to = (r + t + 1) % p, from = (r + p - t - 1) % p;
    out.send(to, Buffer::out, contiguous(r, 1));
    out.recv(from, Buffer::out, contiguous(from, 1));
  }

 private:
  Shape shape_;
};

/// What the schedule promises beyond doing its work; what it does not claim is not checked.
constexpr Claims claims{.once = true, .contention_free = false, .exact = false, .port_free = true};

}  // namespace

int main() {
  const Spec spec = checked(
      {.collective = Collective::allgather, .topology = parse_topology("crossbar:8"), .bytes = Bytes{64} << 10});
  const Machine machine = load_machine("localhost");
  const Around schedule(spec.ranks(), spec.bytes);
  const Proof proof = verify(spec, machine, schedule, claims);
  std::cout << "proven     " << (proof.holds ? "yes" : proof.counterexample->text) << "\n";
  if (!proof.holds) return 1;
  const Seconds price = seconds(count(spec, machine, schedule).cost, machine, *spec.topology);
  const Seconds limit = lower_bound(spec, machine).time;
  std::cout << "counted    " << price * 1e6 << " us; no schedule takes less than " << limit * 1e6 << " us\n"
            << "simulated  " << simulate(spec, machine, schedule).makespan * 1e6 << " us\n"
            << "run        " << run_threads(spec, schedule, {.repetitions = 3}).median * 1e6
            << " us between threads, every byte compared\n";

  const Proof wrong = verify(spec, machine, Around(spec.ranks(), spec.bytes, true), claims);
  std::cout << "one round less: " << (wrong.holds ? "proven?" : wrong.counterexample->text) << "\n";
  return wrong.holds ? 1 : 0;
}
