#include "report/combining.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille::report {

namespace {

using verifier::Expression;
using verifier::no_expression;

constexpr std::int64_t most_visits = std::int64_t{1} << 24;     // less than a second
constexpr std::size_t most_expressions = std::size_t{1} << 20;  // each takes some hundred bytes

/// Labels of the vector are named after ranks where there is one for each.
BlockNames labels(const Spec& spec, const Shape& shape) {
  return {shape.in == spec.ranks() && shape.in > 1 ? BlockKind::owner : BlockKind::plain, shape.in};
}

}  // namespace

Combining::Combining(const Spec& spec, const Schedule& schedule, const Naming& naming, Dictionary& items,
                     Dictionary& sets, bool pieces_move)
    : spec_(spec),
      schedule_(schedule),
      naming_(naming),
      items_(items),
      sets_(sets),
      pieces_move_(pieces_move),
      out_slots_(schedule.shape().slots(Buffer::out)),
      slots_(out_slots_ + schedule.shape().slots(Buffer::tmp)),
      parts_(schedule.shape().slots(Buffer::in)),
      blocks_(labels(spec, schedule.shape())),
      meter_(most_visits, "too much to show"),
      execution_(spec_, schedule_, meter_),
      part_of_(static_cast<std::size_t>(spec.topology->nodes() * slots_), -1),
      best_(static_cast<std::size_t>(spec.topology->nodes() * parts_), no_expression) {
  sets_.number({});
  for (Rank r = 0; r < spec.ranks(); ++r)
    for (std::int64_t p = 0; p < parts_; ++p) best_[static_cast<std::size_t>(r * parts_ + p)] = best(r, p);
}

bool Combining::run(const std::function<void(Round)>& observe) {
  const auto wrong = execution_.run([&](Round done) {
    if (execution_.expressions().size() > most_expressions) meter_.spend(most_visits);
    observe(done - 1);
  });
  return !wrong && execution_.expressions().exact();
}

Combining::Value Combining::at(Rank r, std::int64_t place) const {
  return place < out_slots_ ? execution_.held(r, Buffer::out, place)
                            : execution_.held(r, Buffer::tmp, place - out_slots_);
}

/// The most that a rank has combined of a part: of what its memory holds the largest set that its result may contain,
/// or of all where it gets no result of that part.
Expression Combining::best(Rank r, std::int64_t part) const {
  const verifier::Expressions& all = execution_.expressions();
  const Contributions wanted = wanted_contributions(spec_, r, part % blocks_.count);
  Expression most = no_expression;
  const auto offer = [&](Expression e) {
    if (e == no_expression || (!wanted.none() && !all.within(e, wanted))) return;
    if (most == no_expression || all.count(e) > all.count(most)) most = e;
  };
  const auto found = places_.find(r * parts_ + part);
  if (found != places_.end())
    for (const std::int32_t place : found->second) offer(at(r, place).expression);
  if (r < spec_.ranks()) offer(static_cast<Expression>(r));
  return most;
}

/// Notes what a place of a rank's memory holds now.
void Combining::moved(Rank r, Buffer buffer, Slot slot, std::vector<std::int64_t>& touched) {
  const std::size_t at = place(r, buffer, slot);
  const std::int64_t first = r * parts_;
  const auto here = static_cast<std::int32_t>(at - static_cast<std::size_t>(r * slots_));
  const Value value = execution_.held(r, buffer, slot);
  const std::int64_t now = value.expression == no_expression ? -1 : part(value), before = part_of_[at];
  if (before >= 0) touched.push_back(before);
  if (now >= 0) touched.push_back(now);
  if (now == before) return;
  if (before >= 0) std::erase(places_[first + before], here);
  if (now >= 0) places_[first + now].push_back(here);
  part_of_[at] = now;
}

std::int64_t Combining::made(Round t, Rank r) {
  std::vector<std::int64_t> touched;
  for (const Transfer& x : collected_.all(schedule_, t, r))
    if (x.kind == Kind::recv) for_each_slot(x.slots, [&](Slot s) { moved(r, x.buffer, s, touched); });
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  Parts parts;
  for (const std::int64_t p : touched) {
    Expression& told = best_[static_cast<std::size_t>(r * parts_ + p)];
    const Expression now = best(r, p);
    if (now == told) continue;
    told = now;
    add(parts, r, p, set(now, r));
  }
  return number(parts, pieces_move_ ? t : 0);
}

std::int64_t Combining::carried(Round t, Rank from, Rank to) {
  Parts parts;
  for (const Transfer& x : collected_.one(schedule_, t, from, Kind::send, to))
    for_each_slot(x.slots, [&](Slot s) {
      const Value value = execution_.held(from, x.buffer, s);
      add(parts, from, part(value), set(value.expression, from));
    });
  return number(parts, pieces_move_ ? t : 0);
}

std::int64_t Combining::initial(Rank r) {
  Parts parts;
  for (std::int64_t p = 0; p < parts_; ++p)
    if (const Expression e = best_[static_cast<std::size_t>(r * parts_ + p)]; e != no_expression)
      add(parts, r, p, set(e, r));
  return number(parts, 0);
}

std::int64_t Combining::wanted(Rank r) {
  Parts parts;
  if (r >= spec_.ranks() || quadrille::blocks(spec_, Buffer::out, r) == 0) return number(parts, 0);
  Contributions last;
  std::int64_t number_of_last = 0;
  for (Slot s = 0; s < out_slots_; ++s) {
    const Slot label = s % schedule_.shape().out, piece = s / schedule_.shape().out;
    const Slot block = schedule_.block(Buffer::out, label, piece);
    const Contributions wanted = wanted_contributions(spec_, r, block);
    if (wanted.none() || schedule_.bytes(Buffer::out, contiguous(s, 1)) == 0) continue;
    if (wanted != last) {
      std::vector<std::int64_t> names;
      for (Rank c = wanted.first; c < wanted.end; ++c) names.push_back(naming_.name(c, r));
      number_of_last = set(spec_.operands == Operands::ordered, names);
      last = wanted;
    }
    add(parts, r, piece * blocks_.count + block, number_of_last);
  }
  return number(parts, 0);
}

std::int64_t Combining::set(Expression e, Rank from) {
  if (e == no_expression) return 0;
  const verifier::Expressions& all = execution_.expressions();
  std::vector<std::pair<Rank, Rank>> runs;
  all.each_run(e, [&](Rank first, Rank end) { runs.emplace_back(first, end); });
  if (const auto steps = steps_of(runs, from))
    return sets_.number({all.in_order(e) ? 1 : 0, steps->first, steps->second, 1});
  meter_.spend(all.count(e));
  std::vector<std::int64_t> names;
  names.reserve(static_cast<std::size_t>(all.count(e)));
  for (const auto& [first, end] : runs)
    for (Rank r = first; r < end; ++r) names.push_back(naming_.name(r, from));
  return set(all.in_order(e), names);
}

/// The name of the first and how many there are, where they are one run of names that can be told without each of them.
std::optional<std::pair<std::int64_t, std::int64_t>> Combining::steps_of(const std::vector<std::pair<Rank, Rank>>& runs,
                                                                         Rank from) const {
  auto [first, end] = runs.front();
  const Rank ranks = spec_.ranks();
  if (end - first == ranks && naming_.kind() != Naming::Kind::mesh) return std::pair{std::int64_t{0}, ranks};
  if (naming_.kind() == Naming::Kind::exclusive && runs.size() == 1) {
    const Rank size = end - first;  // ranks that differ in the last bits only do so under other names, too
    if (!base::is_power_of_two(size) || first % size != 0) return {};
    return std::pair{naming_.name(first, from) / size * size, size};
  }
  if (naming_.kind() != Naming::Kind::rotate || runs.size() > 2) return {};
  if (runs.size() == 2) {  // around the end
    if (first != 0 || runs.back().second != ranks) return {};
    first = runs.back().first, end += ranks;
  }
  if (end - first == ranks) return std::pair{std::int64_t{0}, ranks};
  const std::int64_t name = naming_.name(first, from);
  if (name + end - first > ranks) return {};  // two runs of names
  return std::pair{name, end - first};
}

std::int64_t Combining::set(bool in_order, std::vector<std::int64_t>& names) {
  std::vector<Item> items;
  items.reserve(names.size());
  for (const std::int64_t name : names) items.push_back({0, name});
  Numbers list = packed(items);
  list.erase(list.begin(), list.begin() + std::min<std::ptrdiff_t>(3, std::ssize(list)));
  list.insert(list.begin(), in_order ? 1 : 0);
  return sets_.number(list);
}

void Combining::add(Parts& parts, Rank from, std::int64_t part, std::int64_t set) const {
  const std::int64_t block = block_name(naming_, blocks_, part % blocks_.count, spec_.ranks(), from);
  parts[set].push_back({part / blocks_.count, block});
}

std::int64_t Combining::number(Parts& parts, Slot moved) {
  std::vector<std::int64_t> order;
  for (const auto& [set, items] : parts) order.push_back(set);
  std::sort(order.begin(), order.end());
  Numbers all;
  for (const std::int64_t set : order) {
    std::vector<Item>& items = parts[set];
    for (Item& i : items) i.piece -= moved;
    const Numbers groups = packed(items);
    for (std::size_t i = 0; i < groups.size();) {
      const auto end = i + 3 + 3 * static_cast<std::size_t>(groups[i + 2]);
      all.insert(all.end(), {groups[i], groups[i + 1], set, groups[i + 2]});
      all.insert(all.end(), groups.begin() + static_cast<std::ptrdiff_t>(i) + 3,
                 groups.begin() + static_cast<std::ptrdiff_t>(end));
      i = end;
    }
  }
  return items_.number(all);
}

}  // namespace quadrille::report
