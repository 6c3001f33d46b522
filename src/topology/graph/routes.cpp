#include "topology/graph/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/text.hpp"

namespace quadrille::topology {

namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 30;

}  // namespace

Routes::Routes(const Network& network, const Arcs& arcs)
    : arcs_(arcs), routing_(network.routing), tables_(at(network.vertices)) {
  const bool shared = routing_ == Routing::shortest;
  for (Rank r = 0; r < network.ranks; ++r) root_.push_back(shared ? arcs.only_source(r) : static_cast<std::int32_t>(r));
  if (routing_ == Routing::updown) make_levels(network);
  if (!balances()) return;
  width_.assign(at(arcs.size()), 0);
  for (Link link = 0; link < arcs.size(); ++link)
    width_[at(arcs.bundle(link))] += static_cast<double>(network.wires[at(arcs.wire(link))].width);
}

Routes::~Routes() {
  for (const auto& table : tables_) delete table.load();
}

/// From the switch of largest degree, or from a host where there is no switch.
void Routes::make_levels(const Network& network) {
  if (std::any_of(network.wires.begin(), network.wires.end(), [](const Wire& w) { return !w.both_ways; }))
    throw Error(Error::Kind::argument, "routes updown: a link leads in one direction only; expected routes shortest");
  std::int64_t top = -1;
  const bool switches = network.ranks < network.vertices;
  for (std::int64_t v = switches ? network.ranks : 0; v < network.vertices; ++v) {
    const auto degree = [&](std::int64_t vertex) { return arcs_.leaving(vertex).count(); };
    if (top < 0 || degree(v) > degree(top) || (degree(v) == degree(top) && network.place(v) < network.place(top)))
      top = v;
  }
  const std::vector<std::int32_t> far = arcs_.distances_from(top);
  for (std::int64_t v = 0; v < network.vertices; ++v)
    level_.push_back((std::int64_t{far[at(v)]} << 32) + network.place(v));
}

bool Routes::up(Link link) const { return level_[at(arcs_.head(link))] < level_[at(arcs_.tail(link))]; }

Link Routes::next(Link last, Rank from, Rank to) const {
  const std::int64_t here = last < 0 ? from : arcs_.head(last);
  if (here == to) return -1;
  const std::int32_t root = root_[at(to)];
  Link first;
  if (here == root) {  // only where the table is another vertex' one
    const Link any = arcs_.entering(to).front();
    first = arcs_.bundle(any);
  } else {
    const bool down = routing_ == Routing::updown && last >= 0 && !up(last);
    first = table(root)[routing_ == Routing::updown ? 2 * at(here) + down : at(here)];
  }
  return first + to % arcs_.bundle_size(first);
}

const Routes::Table& Routes::table(std::int32_t root) const {
  std::atomic<const Table*>& place = tables_[at(root)];
  if (const Table* known = place.load(std::memory_order_acquire)) return *known;
  const bool all = balances();
  const std::int64_t bytes =
      (routing_ == Routing::updown ? 8 : 4) * arcs_.vertices() * (all ? std::ssize(root_) : std::int64_t{1});
  if ((all ? bytes : bytes_.fetch_add(bytes) + bytes) > most_bytes)
    throw Error(Error::Kind::budget,
                fmt::format("routes through {} nodes need tables of more than {}; expected fewer nodes, or a family "
                            "whose routes are computed, such as fattree, xgft or dragonfly",
                            base::format_count(arcs_.vertices()), base::format_bytes(most_bytes)));
  if (all) {
    std::call_once(balanced_, [this] { make_balanced(); });
    return *place.load(std::memory_order_acquire);
  }
  auto fresh = std::make_unique<Table>(routing_ == Routing::updown ? made_updown(root) : made(root));
  const Table* expected = nullptr;
  if (place.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  bytes_.fetch_sub(bytes);
  return *expected;
}

/// Links of a vertex are in the order of their heads' places, so the first that is nearer leads to the lowest. The
/// neighbours of the root need no search, which saves the most where all vertices are neighbours.
Routes::Table Routes::made(std::int32_t root) const {
  const std::vector<std::int32_t> far = arcs_.distances_to(root);
  Table next(far.size(), -1);
  for (const Link link : arcs_.entering(root))
    next[at(arcs_.tail(link))] = static_cast<std::int32_t>(arcs_.bundle(link));
  for (std::int64_t v = 0; v < arcs_.vertices(); ++v) {
    if (far[at(v)] <= 1) continue;
    Link link = arcs_.leaving(v).begin_;
    while (far[at(arcs_.head(link))] != far[at(v)] - 1) ++link;
    next[at(v)] = static_cast<std::int32_t>(link);
  }
  return next;
}

/// Switches are for others' messages, and ranks are not: of ways that are as short those past fewer ranks.
constexpr double past_a_rank = 1e10;

/// One destination after the other, each by the ways whose links are on the fewest routes to those before (Hoefler,
/// Schneider and Lumsdaine 2009).
void Routes::make_balanced() const {
  std::vector<double> routes(at(arcs_.size()), 0);  // over each link, in shares of its width
  std::vector<double> cost(at(arcs_.vertices())), passing(cost.size());
  std::vector<std::int32_t> order(cost.size());
  std::iota(order.begin(), order.end(), 0);
  for (const std::int32_t root : root_) {
    const std::vector<std::int32_t> far = arcs_.distances_to(root);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return far[at(a)] < far[at(b)]; });
    auto next = std::make_unique<Table>(cost.size(), -1);
    std::fill(cost.begin(), cost.end(), 0);
    for (const std::int32_t v : order) {
      if (far[at(v)] <= 0) continue;
      const Arcs::Range out = arcs_.leaving(v);
      double least = HUGE_VAL;
      for (Link link = out.begin_; link < out.end_; link += arcs_.bundle_size(link)) {
        const std::int64_t head = arcs_.head(link);
        const bool passes = head < std::ssize(root_) && head != root;
        const double here = cost[at(head)] + routes[at(link)] + (passes ? past_a_rank : 0);
        if (far[at(head)] != far[at(v)] - 1 || here >= least) continue;
        least = here;
        (*next)[at(v)] = static_cast<std::int32_t>(link);
      }
      cost[at(v)] = least;
    }
    std::fill(passing.begin(), passing.end(), 0);
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
      if (far[at(*v)] <= 0) continue;
      if (*v < std::ssize(root_)) ++passing[at(*v)];
      const auto link = (*next)[at(*v)];
      routes[at(link)] += passing[at(*v)] / width_[at(link)];
      passing[at(arcs_.head(link))] += passing[at(*v)];
    }
    tables_[at(root)].store(next.release(), std::memory_order_release);
  }
}

/// A search backwards over vertices with and without leave to go up.
Routes::Table Routes::made_updown(std::int32_t root) const {
  std::vector<std::int32_t> far(2 * at(arcs_.vertices()), -1), queue{2 * root, 2 * root + 1};
  far[2 * at(root)] = far[2 * at(root) + 1] = 0;
  const auto reach = [&](std::int64_t state, std::int32_t distance) {
    if (far[at(state)] >= 0) return;
    far[at(state)] = distance;
    queue.push_back(static_cast<std::int32_t>(state));
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const bool down = queue[i] % 2 != 0;
    for (const Link link : arcs_.entering(queue[i] / 2)) {
      if (up(link) == down) continue;  // behind a link up one may go up, behind one down no more
      reach(2 * std::int64_t{arcs_.tail(link)}, far[at(queue[i])] + 1);
      if (down) reach(2 * std::int64_t{arcs_.tail(link)} + 1, far[at(queue[i])] + 1);
    }
  }
  Table next(far.size(), -1);
  for (std::size_t state = 0; state < far.size(); ++state) {
    if (far[state] <= 0) continue;
    const Arcs::Range out = arcs_.leaving(static_cast<std::int64_t>(state / 2));
    for (Link link = out.begin_; link < out.end_ && next[state] < 0; ++link) {
      if (state % 2 != 0 && up(link)) continue;
      const std::int32_t rest = far[2 * at(arcs_.head(link)) + (up(link) ? 0 : 1)];
      if (rest == far[state] - 1) next[state] = static_cast<std::int32_t>(link);
    }
  }
  return next;
}

std::vector<std::int32_t> Routes::lengths_from(Rank from) const {
  if (routing_ != Routing::updown) return arcs_.distances_from(from);
  std::vector<std::int32_t> far(2 * at(arcs_.vertices()), -1), queue{static_cast<std::int32_t>(2 * from)};
  far[2 * at(from)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Arcs::Range out = arcs_.leaving(queue[i] / 2);
    for (Link link = out.begin_; link < out.end_; ++link) {
      if (queue[i] % 2 != 0 && up(link)) continue;
      const std::int64_t state = 2 * std::int64_t{arcs_.head(link)} + (up(link) ? 0 : 1);
      if (far[at(state)] >= 0) continue;
      far[at(state)] = far[at(queue[i])] + 1;
      queue.push_back(static_cast<std::int32_t>(state));
    }
  }
  std::vector<std::int32_t> lengths(at(arcs_.vertices()), -1);
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    const std::int32_t a = far[2 * v], b = far[2 * v + 1];
    lengths[v] = a < 0 ? b : b < 0 ? a : std::min(a, b);
  }
  return lengths;
}

}  // namespace quadrille::topology
