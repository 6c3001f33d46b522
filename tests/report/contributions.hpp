// Who has combined which contributions, read from a report's schedule by the rules of docs/reference/report.md.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/json.hpp"
#include "report_names.hpp"

namespace quadrille::report_test {

using Ranks = std::set<std::int64_t>;
using Part = std::pair<std::int64_t, std::int64_t>;  // piece, block
struct Value {
  bool in_order = false;
  Ranks ranks;
};
using Values = std::multimap<Part, Value>;  // a message may carry several values of one part

/// What every rank has combined of every part, after every round.
class Combined : public Names {
 public:
  explicit Combined(const Json& json) : Names(json) {
    std::vector<Values> now(static_cast<std::size_t>(nodes_));
    runs(s_["initial"], [&](auto r, auto item) { now[static_cast<std::size_t>(r)] = values(item, r, 0); });
    after_.push_back(now);
    std::vector<std::int64_t> made(now.size(), 0);
    for (std::size_t t = 0; t < s_["made"].size(); ++t) {
      runs(s_["made"][t], [&](auto r, auto item) { made[static_cast<std::size_t>(r)] = item; });
      for (std::size_t r = 0; r < now.size(); ++r)
        for (const auto& [part, value] : values(made[r], static_cast<std::int64_t>(r), static_cast<std::int64_t>(t))) {
          now[r].erase(part);
          now[r].emplace(part, value);
        }
      after_.push_back(now);
    }
  }
  /// After so many rounds.
  const Value& at(std::size_t rounds, std::size_t rank, Part part = {0, 0}) const {
    static const Value none;
    const auto found = after_[rounds][rank].find(part);
    return found == after_[rounds][rank].end() ? none : found->second;
  }
  Ranks ranks(std::size_t rounds, std::size_t rank, Part part = {0, 0}) const { return at(rounds, rank, part).ranks; }

  /// An empty text when every rank makes only of what it had or got, and ends with what it must have.
  std::string play() const {
    std::vector<std::map<Part, Ranks>> known(static_cast<std::size_t>(nodes_));  // had or got, whatever it is
    for (std::size_t r = 0; r < known.size() && static_cast<std::int64_t>(r) < p_; ++r)
      for (std::int64_t piece = 0; piece < s_["pieces"]; ++piece)
        for (std::int64_t block = 0; block < s_["blocks"]["count"]; ++block)
          known[r][{piece, block}] = {static_cast<std::int64_t>(r)};
    std::vector<std::int64_t> actions(known.size(), 0);
    for (std::size_t t = 0; t < s_["steps"].size(); ++t) {
      runs(s_["steps"][t], [&](auto r, auto action) { actions[static_cast<std::size_t>(r)] = action; });
      const auto before = known;
      for (std::size_t r = 0; r < known.size(); ++r) {
        const Json& action = s_["actions"][static_cast<std::size_t>(actions[r])];
        for (std::size_t k = 0; k < action.size(); k += 3) {
          const auto from = static_cast<std::int64_t>(r);
          for (const auto& [part, value] : values(action[k + 2], from, static_cast<std::int64_t>(t))) {
            if (value.ranks.empty()) return "rank " + std::to_string(r) + " sends nothing";
            if (!subset(value.ranks, before[r].at(part)))
              return "rank " + std::to_string(r) + " sends what it never got";
            known[static_cast<std::size_t>(rank(action[k], from))][part].insert(value.ranks.begin(), value.ranks.end());
          }
        }
      }
      for (std::size_t r = 0; r < known.size(); ++r)
        for (const auto& [part, value] : after_[t + 1][r])
          if (!subset(value.ranks, known[r][part])) return "rank " + std::to_string(r) + " has what it never got";
    }
    std::string missing;
    runs(s_["wanted"], [&](auto r, auto item) {
      for (const auto& [part, value] : values(item, r, 0))
        if (ranks(after_.size() - 1, static_cast<std::size_t>(r), part) != value.ranks)
          missing = "rank " + std::to_string(r) + " lacks a contribution";
    });
    return missing;
  }

  std::int64_t wanted(std::int64_t rank) const {
    std::int64_t n = 0;
    runs(s_["wanted"], [&](auto r, auto item) {
      if (r == rank) n = static_cast<std::int64_t>(values(item, r, 0).size());
    });
    return n;
  }

 private:
  static bool subset(const Ranks& a, const Ranks& b) { return std::includes(b.begin(), b.end(), a.begin(), a.end()); }

  Value set(std::int64_t number, std::int64_t from) const {
    const Json& list = s_["sets"][static_cast<std::size_t>(number)];
    Value value;
    if (list.empty()) return value;
    value.in_order = list[0] == 1;
    for (std::size_t i = 1; i < list.size(); i += 3)
      for (std::int64_t n = 0; n < list[i + 1]; ++n)
        value.ranks.insert(rank(list[i].get<std::int64_t>() + n * list[i + 2].get<std::int64_t>(), from));
    return value;
  }
  Values values(std::int64_t item, std::int64_t from, std::int64_t round) const {
    Values all;
    const Json& list = s_["items"][static_cast<std::size_t>(item)];
    const std::int64_t moved = s_["pieces_move"].get<bool>() ? round : 0;
    for (std::size_t i = 0; i < list.size();) {
      const std::int64_t first = list[i], pieces = list[i + 1], runs = list[i + 3];
      const Value value = set(list[i + 2], from);
      i += 4;
      for (std::int64_t k = 0; k < runs; ++k, i += 3)
        for (std::int64_t n = 0; n < list[i + 1].get<std::int64_t>(); ++n)
          for (std::int64_t p = 0; p < pieces; ++p)
            all.emplace(
                Part{first + moved + p, block(list[i].get<std::int64_t>() + n * list[i + 2].get<std::int64_t>(), from)},
                value);
    }
    return all;
  }

  std::vector<std::vector<Values>> after_;
};

}  // namespace quadrille::report_test
