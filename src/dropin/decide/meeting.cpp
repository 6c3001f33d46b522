#include "dropin/decide/meeting.hpp"

#include <algorithm>
#include <bit>

namespace quadrille::dropin {

namespace {

/// Of each the largest is found. What all must say alike is there with both signs: the largest of both are each other's
/// negative only where all are equal.
enum Place : std::size_t {
  no_room,
  number_place,
  found_place,
  found_negative,
  kept_place,
  kept_negative,
  call_place,
  call_negative,
  native_time_place,
  calls_place,
  spent_place,
  since_begin_place,
  opening_cost_place,
  places
};

std::int64_t hash_of_text(const std::string& text) {
  return text.empty() ? 0 : static_cast<std::int64_t>(std::hash<std::string>()(text) >> 2 | 1);
}

}  // namespace

std::int64_t ordered_bits(double number) { return std::bit_cast<std::int64_t>(std::max(number, 0.0)); }
double from_ordered_bits(std::int64_t bits) { return std::bit_cast<double>(bits); }

std::vector<std::int64_t> Statement::numbers() const {
  std::vector<std::int64_t> said(places, 0);
  said[no_room] = room ? 0 : 1;
  said[number_place] = number;
  said[found_place] = hash_of_text(found);
  said[kept_place] = kept;
  said[call_place] = whole_hash(call);
  for (const std::size_t alike : {found_place, kept_place, call_place}) said[alike + 1] = -said[alike];
  said[native_time_place] = ordered_bits(native_time);
  said[calls_place] = std::max<std::int64_t>(calls, 1);
  said[spent_place] = ordered_bits(spent);
  said[since_begin_place] = ordered_bits(since_begin);
  said[opening_cost_place] = ordered_bits(opening_cost);
  return said;
}

Meeting::Meeting(const std::vector<std::int64_t>& largest, const Budget& budget) {
  const auto all_alike = [&](std::size_t place) { return largest[place] == -largest[place + 1]; };
  const auto seconds = [&](std::size_t place) { return from_ordered_bits(largest[place]); };
  const Seconds native = seconds(native_time_place), next = seconds(opening_cost_place);
  same_call = all_alike(call_place);
  room = largest[no_room] == 0;
  number = largest[number_place];
  kept = all_alike(kept_place) ? largest[kept_place] : 0;
  same_found = largest[found_place] != 0 && all_alike(found_place);
  affordable = budget.in_time(seconds(spent_place) + next, seconds(since_begin_place)) && budget.worth_it(next, native);
  patience = budget.patience(next / Budget::agreements, seconds(since_begin_place));
  native_call = native / static_cast<double>(largest[calls_place]);
}

}  // namespace quadrille::dropin
