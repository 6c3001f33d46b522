// Numbers of a validation and what they say: no MPI here, and nothing is measured.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/topology.hpp"
#include "quadrille/tune.hpp"

namespace quadrille::validate {

double median(std::vector<double> values);  ///< 0 of none; of an even number the mean of the middle two

/// One way to perform one request, measured beside the others in turns.
struct Row {
  std::string network, mpi, collective;
  Bytes bytes = 0;
  std::string way;        ///< "native", or an algorithm with its parameters
  Seconds predicted = 0;  ///< 0 for native: it predicts nothing
  Seconds measured = 0, least = 0, most = 0;
  int repetitions = 0;
  bool chosen = false;  ///< the planner's best

  double error() const { return predicted / measured - 1; }
};

std::string csv_heading();
std::string to_csv(const Row& row);
/// Throws Error(format) naming the line.
Row parse_csv(std::string_view line);

/// All rows of one request.
struct Cell {
  std::string collective;
  Bytes bytes = 0;
  const Row* native = nullptr;
  const Row* choice = nullptr;
  const Row* best = nullptr;                                            ///< fastest of the plans that were measured
  double ratio() const { return native->measured / choice->measured; }  ///< above 1: the plan is faster than native
  double regret() const { return choice->measured / best->measured; }
};
/// Requests in order of first appearance; only those with a native row and a chosen one.
std::vector<Cell> cells(const std::vector<Row>& rows);

struct Summary {
  double median_error = 0, ninth_decile = 0;  ///< of |predicted / measured - 1| where bytes count
  int predictions = 0;
  double mean_regret = 1;                  ///< geometric
  double least_ratio = 0, mean_ratio = 0;  ///< native / chosen: least, geometric mean
};
/// Predictions count from 64 KiB on, of an alltoall from 16 KiB: below, start-ups of a busy machine are measured.
Summary summarise(const std::vector<Row>& rows);

/// How fast links of some kinds are, width for width, compared with those that no entry names.
using Speeds = std::vector<std::pair<std::string, double>>;
/// "level1=2"; throws Error(argument).
std::pair<std::string, double> parse_speed(std::string_view text);

/// With whom a rank exchanges while constants are measured: whoever is a wire away both ways, and where some rank has
/// nobody or all have everybody so, the two beside. On nodes with several ranks the first of each stands for its node.
/// If a is b's neighbour, b is a's. Throws Error(argument) where there is one node.
std::vector<Rank> neighbours_of(const Topology& topology, Rank rank);

/// The machine of a network whose links differ: `fitted` between rank 0 and its first neighbour, as if that were one
/// link of width 1; `inside`: what sample_inside() found.
Machine on_links(Machine fitted, const Topology& topology, const std::vector<Samples::Point>& inside,
                 const Speeds& speeds);

}  // namespace quadrille::validate
