#include "mpi/neighbours.hpp"

namespace quadrille::mpi {

Neighbours::Neighbours(const Peers& peers, bool willing, Bytes least)
    : windows_(static_cast<std::size_t>(peers.ranks())), least_(least) {
  const Arena::Identity none, mine = willing ? Arena::get().identity() : none;
  const std::vector<std::int64_t> all =
      peers.gather_to_all({mine.host, mine.process, mine.descriptor, mine.bytes, mine.token});
  bool good = mine.token != 0;
  for (int r = 0; good && r < peers.ranks(); ++r) {
    const std::int64_t* const its = all.data() + 5 * r;
    if (r == peers.rank() || its[0] != mine.host) continue;
    const Window* const found = mpi::window({its[0], its[1], its[2], its[3], its[4]});
    windows_[static_cast<std::size_t>(r)] = found;
    good = found != nullptr;
  }
  // A rank that is unwilling says nothing of its host, so it holds up nobody.
  const std::vector<std::int64_t> goods = peers.gather_to_all({good ? 1 : 0});
  for (int r = 0; r < peers.ranks(); ++r)
    good = good && (all[static_cast<std::size_t>(5 * r)] != mine.host || goods[static_cast<std::size_t>(r)] != 0);
  for (const Window*& w : windows_) {
    if (!good) w = nullptr;
    if (w != nullptr) ++count_;
  }
}

}  // namespace quadrille::mpi
