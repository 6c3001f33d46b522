// Communicators for programs: each plans with the topology and the machine that its options name.
#include <fmt/format.h>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "mpi/hosts.hpp"
#include "mpi/job.hpp"
#include "mpi/state.hpp"

namespace quadrille::mpi {

namespace {

/// One line that is equal where the requests are.
std::string words(const Spec& s, const std::string& algorithm) { return to_text(s) + ", by " + algorithm; }

void check_nodes(const Topology& t, int ranks) {
  if (t.nodes() == ranks) return;
  const Rank relays = t.nodes() - t.ranks();
  throw Error(
      Error::Kind::argument,
      fmt::format("{} has {} ranks{}, and there are {} MPI processes; start {} of them, or name another topology",
                  t.text(), t.ranks(),
                  relays > 0 ? fmt::format(" and {} more node, which needs a process too", relays) : "", ranks,
                  t.nodes()));
}

/// The choice, or the planner's.
Choice choose(const Spec& spec, const Machine& machine, const std::string& algorithm) {
  if (!algorithm.empty()) return parse_choice(algorithm);
  const Plan best = plan(spec, machine, to_perform(machine));
  if (!best.possible())
    throw Error(Error::Kind::illegal,
                fmt::format("no algorithm for {} on {}{}", to_string(spec.collective), spec.topology->text(),
                            best.refused.empty() ? "" : "; " + best.refused.front().reason));
  return {best.best().algorithm, best.best().params};
}

}  // namespace

Spec communicator::state::found(Spec spec) const {
  return settings.topology.empty() ? on_crossbar_if_refused(std::move(spec), placement) : spec;
}

Built communicator::state::built(const Spec& spec, const std::string& choice) const {
  const Spec on = on_nodes(spec, placement);
  Built made = build(on, machine, choose(on, machine, choice));
  made.schedule = for_ranks(std::move(made.schedule), spec, placement);
  return made;
}

program::Program communicator::state::compiled(const Spec& spec, const Built& built) const {
  const Order order = order_to_perform(on_nodes(spec, placement), machine, built.choice).order;
  return program::Compiler(spec, *built.schedule).compile(peers.rank(), true, settings.memory, order);
}

int communicator::state::take_tags(Round rounds) {
  const Round last = peers.largest_tag();
  if (rounds > last)
    throw Error(
        Error::Kind::budget,
        fmt::format("a schedule of {} rounds is too long for this MPI, which tells {} messages apart; use larger "
                    "packets",
                    rounds, last));
  if (next_tag_ > last - rounds) next_tag_ = 0;
  const int first = next_tag_;
  next_tag_ += static_cast<int>(rounds);
  return first;
}

void communicator::state::progress() {
  std::erase_if(active_, [](Execution* execution) { return execution->advance(); });
}

void communicator::state::agree(const std::function<std::string()>& prepare) {
  const int before = next_tag_;
  try {
    peers.agree(prepare);
  } catch (...) {
    next_tag_ = before;
    throw;
  }
}

namespace {

/// Whether the ranks of a host have a core each. Each may be kept to one or some, so all of theirs are counted. Only
/// where all ranks are here: others may have the same cores.
void settle_waiting(MPI_Comm host, int together, const Peers& peers) {
  int all = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  if (peers.ranks() < all) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallreduce(MPI_IN_PLACE, &set, sizeof set, MPI_BYTE, MPI_BOR, host, &request), "who has which cores");
  wait_until([&] {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "who has which cores");
    return done != 0;
  });
  looks_before_yielding = CPU_COUNT(&set) >= together ? looks_on_own_core : looks_on_shared_core;
}

}  // namespace

Bytes usual_segment(const Peers& peers) {
  constexpr Bytes below_handshakes = 14 << 10;
  MPI_Comm host = MPI_COMM_NULL;
  int together = 1;
  check(MPI_Comm_split_type(peers.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "who is on this host");
  MPI_Comm_size(host, &together);
  settle_waiting(host, together, peers);
  MPI_Comm_free(&host);
  std::vector<std::int64_t> least{together};
  peers.reduce_to_all(least, MPI_MIN);
  return least.front() < peers.ranks() ? below_handshakes : 0;
}

communicator::communicator(MPI_Comm comm, const options& options) : state_(std::make_shared<state>(comm)) {
  state& s = *state_;
  const Bytes usual = usual_segment(s.peers);
  const topology::Hosts hosts = hosts_of(s.peers);
  s.peers.agree([&] {
    s.settings = options;
    if (options.segment < -1 || options.memory < 0)
      throw Error(Error::Kind::argument, "segment and memory: expected 0 bytes or more; segment -1: the usual one");
    if (options.segment < 0) s.settings.segment = usual;
    if (s.peers.ranks() < 2)
      throw Error(Error::Kind::argument, "the communicator has a single rank, and nothing to send; expected 2 or more");
    s.placement = options.topology.empty() ? parse_placement(hosts.network()) : load_placement(options.topology);
    check_nodes(*s.topology(), s.peers.ranks());
    s.machine = load_machine(options.machine.empty() ? "localhost" : options.machine);
    return fmt::format("{}{}, messages in pieces of {} B{}, on {}", s.placement.text(),
                       s.placement.hosts.empty() ? "" : " on " + base::join(s.placement.hosts, ","), s.settings.segment,
                       options.shared ? "" : ", sharing no memory",
                       options.machine.empty()
                           ? "the machine at hand"
                           : fmt::format("a machine '{}' of {}", s.machine.name, to_text(s.machine)));
  });
  if (options.machine.empty()) s.machine = measured_job(s.peers, hosts);
  if (options.shared) s.neighbours = std::make_unique<const Neighbours>(s.peers);
  if (s.placement.hosts.empty()) return;
  // The same, or the same error, on all ranks.
  s.placement = resolved(std::move(s.placement), hosts_of_ranks(s.peers));
}

Rank communicator::rank() const { return state_->peers.rank(); }
Rank communicator::ranks() const { return state_->peers.ranks(); }
Bytes communicator::segment() const { return state_->settings.segment; }
const TopologyPtr& communicator::topology() const { return state_->topology(); }
const Machine& communicator::machine() const { return state_->machine; }
Rank communicator::neighbours() const { return state_->neighbours ? state_->neighbours->count() : 0; }

void* communicator::allocate(Bytes bytes) const {
  if (bytes < 0) throw Error(Error::Kind::argument, "memory to allocate: expected 0 bytes or more");
  try {
    return make_room(bytes, neighbours() > 0).release();
  } catch (const std::bad_alloc&) {
    throw Error(Error::Kind::budget, fmt::format("no memory for {} B", bytes));
  }
}

void communicator::release(void* memory) const { Room(static_cast<std::byte*>(memory)).reset(); }

plan_handle communicator::init(Collective collective, Bytes bytes, Rank root, std::string_view algorithm) const {
  return init({.collective = collective, .topology = state_->topology(), .bytes = bytes, .root = root}, algorithm);
}

plan_handle communicator::init(Spec spec, std::string_view algorithm) const {
  return init(
      [&](const TopologyPtr& topology) {
        if (!spec.topology) spec.topology = topology;
        return spec;
      },
      algorithm);
}

plan_handle communicator::init(Collective collective, Bytes count, const reduction& by, Rank root,
                               std::string_view algorithm) const {
  plan_handle made = init(
      [&](const TopologyPtr& topology) {
        const ReductionFacts facts = facts_of(by.op, by.type);
        if (facts.element == 0 || !dense(by.type))
          throw Error(Error::Kind::argument,
                      fmt::format("{}: expected an operator and a committed type without gaps that MPI lets it take",
                                  to_string(collective)));
        return Spec{.collective = collective,
                    .topology = topology,
                    .bytes = base::checked_multiply(count, facts.element, "the vector"),
                    .root = root,
                    .operands = facts.commutes ? Operands::commutative : Operands::ordered,
                    .element = facts.element};
      },
      algorithm);
  made.combine_by(by);
  return made;
}

plan_handle communicator::init(const std::function<Spec(const TopologyPtr&)>& asked, std::string_view algorithm) const {
  std::unique_ptr<plan_handle::state> made;
  state_->agree([&] {
    const Spec spec = state_->found(checked(asked(state_->topology())));
    check_nodes(*spec.topology, state_->peers.ranks());
    const Built built = state_->built(spec, std::string(algorithm));
    program::Program program = state_->compiled(spec, built);
    const int tag = state_->take_tags(built.schedule->shape().rounds);
    made = std::make_unique<plan_handle::state>(state_, spec, built, std::move(program), tag);
    return words(spec, made->algorithm);
  });
  made->execution.connect();
  return plan_handle(std::move(made));
}

void communicator::change_network(const std::string& topology) {
  state& s = *state_;
  Placement placement;
  s.peers.agree([&] {
    placement = load_placement(topology);
    check_nodes(*placement.topology, s.peers.ranks());
    return fmt::format("from now on the network {}{}", placement.text(),
                       placement.hosts.empty() ? "" : " on " + base::join(placement.hosts, ","));
  });
  if (!placement.hosts.empty()) placement = resolved(std::move(placement), hosts_of_ranks(s.peers));
  s.placement = std::move(placement);
  s.settings.topology = topology;
}

}  // namespace quadrille::mpi
