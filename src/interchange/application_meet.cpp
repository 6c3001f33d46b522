#include "interchange/application_meet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quadrille::interchange {

using Type = Application::Type;

/// Sends are sorted by receiver, and receives are of one rank anyway: then only one rank's are looked at at a time.
void Meeting::meet() {
  sort();
  for (std::size_t r = 0; r < static_cast<std::size_t>(app_.ranks); ++r) {
    line_up(r);
    meet_at(r);
    const std::size_t sends = sends_to_[r + 1] - sends_to_[r], receives = receives_of_[r + 1] - receives_of_[r];
    if (sends < receives) refuse_missing(r);  // as all sends have met one
  }
}

void Meeting::sort() {
  const auto ranks = static_cast<std::size_t>(app_.ranks);
  sends_to_.assign(ranks + 1, 0), receives_of_.assign(ranks + 1, 0);
  for (const auto& op : app_.ops) {
    if (op.type == Type::send) ++sends_to_[op.peer + std::size_t{1}];
    if (op.type == Type::recv) ++receives_of_[op.rank + std::size_t{1}];
  }
  for (std::size_t r = 0; r < ranks; ++r) sends_to_[r + 1] += sends_to_[r], receives_of_[r + 1] += receives_of_[r];
  app_.messages = static_cast<std::int64_t>(sends_to_.back());
  sends_.resize(sends_to_.back()), receives_.resize(receives_of_.back());
  std::vector<std::size_t> send(sends_to_.begin(), sends_to_.end() - 1),
      receive(receives_of_.begin(), receives_of_.end() - 1);
  for (std::uint32_t i = 0; i < app_.ops.size(); ++i) {
    const Application::Op& op = app_.ops[i];
    if (op.type == Type::send) sends_[send[op.peer]++] = i;
    if (op.type == Type::recv) receives_[receive[op.rank]++] = i;
  }
}

/// The receives of a rank in their queues.
void Meeting::line_up(std::size_t r) {
  std::fill(queues_.begin(), queues_.end(), Queue{});
  used_ = 0;
  for (std::size_t n = receives_of_[r]; n < receives_of_[r + 1]; ++n) {
    const std::uint32_t op = receives_[n];
    Queue& waiting = queue(app_.ops[op].peer, std::exchange(app_.ops[op].partner, Application::none));
    if (waiting.first == Application::none)
      waiting.first = op;
    else
      app_.ops[waiting.last].partner = op;
    waiting.last = op;
  }
}

void Meeting::meet_at(std::size_t r) {
  constexpr std::size_t ahead = 16;  // sends of many ranks are anywhere in memory
  base::Table<Application::Op>& ops = app_.ops;
  for (std::size_t n = sends_to_[r]; n < sends_to_[r + 1]; ++n) {
    if (n + ahead < sends_.size()) __builtin_prefetch(&ops[sends_[n + ahead]], 1);
    const std::uint32_t op = sends_[n], tag = ops[op].partner;
    Queue& waiting = queue(ops[op].rank, tag);
    const std::uint32_t other = waiting.first;
    if (other == Application::none)
      refuse_(op, fmt::format("rank {} sends to {} with tag {}, and no receive meets that", ops[op].rank, r, tag));
    waiting.first = ops[other].partner;
    ops[op].partner = other, ops[other].partner = op;
    if (ops[other].amount < ops[op].amount)
      refuse_(other, fmt::format("rank {} receives {} bytes from {}, which sends {}", r, ops[other].amount,
                                 ops[op].rank, ops[op].amount));
  }
}

/// The first receive in the order of operations that has not met a message.
void Meeting::refuse_missing(std::size_t r) {
  const Queue* first = nullptr;
  for (const Queue& q : queues_)
    if (q.used && q.first != Application::none && (first == nullptr || q.first < first->first)) first = &q;
  if (first == nullptr) return;
  refuse_(first->first, fmt::format("rank {} receives from {} with tag {}, and nobody sends that", r, first->key >> 32,
                                    static_cast<std::uint32_t>(first->key)));
}

Meeting::Queue& Meeting::queue(std::uint32_t from, std::uint32_t tag) {
  const std::uint64_t key = std::uint64_t{from} << 32 | tag;
  Queue* found = &place(key);
  if (found->used) return *found;
  if (2 * ++used_ > queues_.size()) grow(), found = &place(key);
  found->used = true, found->key = key;
  return *found;
}

Meeting::Queue& Meeting::place(std::uint64_t key) {
  const std::size_t mask = queues_.size() - 1;
  std::size_t i = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 20) & mask;
  while (queues_[i].used && queues_[i].key != key) i = (i + 1) & mask;
  return queues_[i];
}

void Meeting::grow() {
  std::vector<Queue> before(2 * queues_.size());
  before.swap(queues_);
  for (const Queue& q : before)
    if (q.used) place(q.key) = q;
}

}  // namespace quadrille::interchange
