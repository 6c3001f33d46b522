// The operations of a GOAL file, and what its comments say.
#pragma once

#include <string>
#include <vector>

#include "interchange/ranking.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::interchange {

constexpr std::int64_t most_goal_bytes = std::int64_t{1} << 37;  ///< of a message: no sum of them passes 2^62

struct GoalOp {
  enum class Type { send, recv, calc };
  Type type = Type::calc;
  Rank rank = 0, peer = 0;
  Bytes bytes = 0;
  std::int64_t tag = 0, line = 0;
};

struct GoalText {
  Rank ranks = 0;
  std::vector<GoalOp> ops = {};
  std::vector<Precedes> order = {};
  std::string head = {};  ///< JSON after "// quadrille"
  struct Said {
    Rank rank;
    Round round;
    std::string transfer;
    std::int64_t line;
  };
  std::vector<Said> said = {};  ///< "// 3 {...}"
};

/// Throws Error(format) with the line for what GOAL does not allow, and for times of computing.
GoalText parse_goal(const std::string& text, const std::string& file);

}  // namespace quadrille::interchange
