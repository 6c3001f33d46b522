#include "simgrid_run.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <simgrid/s4u.hpp>
#include <stdexcept>

namespace quadrille::peers {

namespace {

namespace sg4 = simgrid::s4u;

/// What a rank does in one round.
struct Turn {
  std::vector<std::pair<std::size_t, std::uint64_t>> sends;  ///< mailbox, bytes
  std::vector<std::size_t> receives;                         ///< mailboxes
};

class Player {
 public:
  Player(const Spec& spec, const Machine& machine, const Schedule& schedule, Update update)
      : topology_(*spec.topology), half_(machine.duplex != Duplex::full), one_port_(machine.ports == Ports::one) {
    std::vector<std::string> words{"simgrid",
                                   "--log=root.thresh:critical",
                                   "--cfg=network/model:CM02",
                                   "--cfg=network/weight-S:0",
                                   "--cfg=network/bandwidth-factor:1",
                                   "--cfg=network/latency-factor:1",
                                   "--cfg=network/TCP-gamma:1e30",
                                   "--cfg=network/crosstraffic:0",
                                   "--cfg=maxmin/precision:1e-9",
                                   "--cfg=surf/precision:1e-12",
                                   "--cfg=contexts/stack-size:64",
                                   update == Update::full ? "--cfg=network/optim:Full" : "--cfg=network/optim:Lazy"};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    auto count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    engine_ = std::make_unique<sg4::Engine>(&count, arguments.data());
    zone_ = sg4::create_full_zone("network");
    bandwidth_ = 1 / machine.beta;
    for (Rank r = 0; r < topology_.nodes(); ++r) hosts_.push_back(zone_->create_host("r" + std::to_string(r), 1e9));
    start_up_ = machine.alpha;
    read(schedule);
    zone_->seal();
    for (std::size_t r = 0; r < hosts_.size(); ++r)
      sg4::Actor::create(hosts_[r]->get_name(), hosts_[r], [this, r] { act(r); });
  }
  void run() { engine_->run(); }

 private:
  void read(const Schedule& schedule) {
    turns_.resize(hosts_.size());
    Summary summary;
    for (Round t = 0; t < schedule.shape().rounds; ++t)
      for (Rank r = 0; r < topology_.nodes(); ++r) {
        Turn turn;
        for (const Summary::Message& m : summary.of(schedule, t, r)) {
          if (m.peer == r) continue;
          if (m.kind == Kind::send) turn.sends.emplace_back(mailbox(r, m.peer), m.bytes);
          if (m.kind == Kind::recv) turn.receives.push_back(mailbox(m.peer, r));
        }
        if (!turn.sends.empty() || !turn.receives.empty())
          turns_[static_cast<std::size_t>(r)].push_back(std::move(turn));
      }
  }

  /// One for each pair that talks; the route is made with it.
  std::size_t mailbox(Rank from, Rank to) {
    const auto [known, fresh] = pairs_.try_emplace({from, to}, boxes_.size());
    if (!fresh) return known->second;
    boxes_.push_back(sg4::Mailbox::by_name(std::to_string(from) + ">" + std::to_string(to)));
    // Each has a link of its own for its start-up. One that all share, of the policy FATPIPE, would do for Full, too;
    // with Lazy, when start-ups of messages that share nothing else end at one time, only some shares are worked out.
    std::vector<sg4::LinkInRoute> route{sg4::LinkInRoute(
        zone_->create_link("start-up" + boxes_.back()->get_name(), 1e30)->set_latency(start_up_)->seal())};
    if (one_port_) route.emplace_back(link((half_ ? "port" : "out") + std::to_string(from)));
    std::vector<Link> path;
    if (topology_.contended()) topology_.route(from, to, path);
    for (const Link l : path)
      route.emplace_back(link("l" + std::to_string(half_ ? std::min(l, topology_.reverse(l)) : l)));
    if (path.empty()) route.emplace_back(link(std::to_string(from) + "-" + std::to_string(to)));
    if (one_port_) route.emplace_back(link((half_ ? "port" : "in") + std::to_string(to)));
    zone_->add_route(hosts_[static_cast<std::size_t>(from)]->get_netpoint(),
                     hosts_[static_cast<std::size_t>(to)]->get_netpoint(), nullptr, nullptr, route, false);
    return known->second;
  }

  sg4::Link* link(const std::string& name) {
    sg4::Link*& known = links_[name];
    if (known == nullptr) known = zone_->create_link(name, bandwidth_)->set_latency(0)->seal();
    return known;
  }

  void act(std::size_t r) {
    // A mailbox with a receiver takes what is sent before it is asked for, as eager messages are.
    for (const Turn& turn : turns_[r])
      for (const std::size_t box : turn.receives) boxes_[box]->set_receiver(sg4::Actor::self());
    sg4::this_actor::yield();
    static int payload;
    std::vector<int*> taken;
    std::vector<sg4::CommPtr> open;
    for (const Turn& turn : turns_[r]) {
      open.clear();
      taken.resize(turn.receives.size());
      for (const auto& [box, bytes] : turn.sends) open.push_back(boxes_[box]->put_async(&payload, bytes));
      for (std::size_t i = 0; i < turn.receives.size(); ++i)
        open.push_back(boxes_[turn.receives[i]]->get_async<int>(&taken[i]));
      for (const sg4::CommPtr& comm : open) comm->wait();
    }
  }

  const Topology& topology_;
  bool half_, one_port_;
  std::unique_ptr<sg4::Engine> engine_;
  sg4::NetZone* zone_ = nullptr;
  double bandwidth_ = 0;
  double start_up_ = 0;
  std::vector<sg4::Host*> hosts_;
  std::vector<sg4::Mailbox*> boxes_;
  std::map<std::pair<Rank, Rank>, std::size_t> pairs_;
  std::map<std::string, sg4::Link*> links_;
  std::vector<std::vector<Turn>> turns_;  ///< of ranks
};

Played play_here(const Spec& spec, const Machine& machine, const Schedule& schedule, Update update) {
  Player player(spec, machine, schedule, update);
  const std::clock_t begin = std::clock();
  player.run();
  const double cpu = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {sg4::Engine::get_clock(), cpu, usage.ru_maxrss / 1024};
}

}  // namespace

Played play_simgrid(const Spec& spec, const Machine& machine, const Schedule& schedule, Update update) {
  std::fflush(nullptr);  // the child has a copy of what is not yet written
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    const Played played = play_here(spec, machine, schedule, update);
    const bool told = write(ends[1], &played, sizeof played) == static_cast<ssize_t>(sizeof played);
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  Played played;
  const bool heard = read(ends[0], &played, sizeof played) == static_cast<ssize_t>(sizeof played);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!heard) throw std::runtime_error("SimGrid ended without an answer");
  return played;
}

}  // namespace quadrille::peers
