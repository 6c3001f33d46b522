// The experiments of Hambrusch, Khokhar & Liu 1995, section 5: s-to-p broadcasts on meshes of an Intel Paragon.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "papers/reproduce.hpp"
#include "quadrille/price.hpp"

namespace quadrille::papers {

Reproduction reproduce_hambrusch();

namespace hambrusch {

/// One point of a figure.
struct Run {
  std::string algorithm;  ///< the paper's name
  Rank rows, cols;
  std::string sources;  ///< a distribution
  Bytes bytes;
  // Spelled out for libraries whose strings have no three-way comparison.
  bool operator<(const Run& other) const {
    return std::tie(algorithm, rows, cols, sources, bytes) <
           std::tie(other.algorithm, other.rows, other.cols, other.sources, other.bytes);
  }
};

/// The same in both models: simulated, and round by round. In seconds.
struct Times {
  Seconds simulated = 0, lockstep = 0;
  Seconds of(std::size_t model) const { return model == 0 ? simulated : lockstep; }
};
constexpr std::size_t models = 2;

/// Rounds of a run: all of them, the first, the last, or what is between.
enum class Part { all, opening, closing, between };

/// Works runs out on a machine, each once: simulated with its constants, in lockstep with those fitted for that.
class Bench {
 public:
  explicit Bench(Machine machine);
  Times time(const Run& run, Part part = Part::all);
  /// Ranks that hold something before the first round and after each.
  static std::vector<Rank> holders(const Run& run);
  const Machine& machine() const { return simulated_; }
  const Machine& lockstep() const { return lockstep_; }
  bool consistent() const { return consistent_; }

 private:
  Machine simulated_, lockstep_;
  std::map<std::pair<Run, Part>, Times> known_;
  bool consistent_ = true;
};

/// A number that the paper prints, and how it comes about: the sum of parts of runs.
struct Printed {
  std::string figure, what;
  double ms;
  std::vector<std::pair<Run, Part>> parts;
};
const std::vector<Printed>& printed();
/// Square root of the mean squared relative error over all printed numbers.
double rms_error(Bench& bench, std::size_t model);

inline const std::vector<std::string> all_five{"2-Step", "Xor", "Br_Lin", "Br_xy_source", "Br_xy_dim"};
inline const std::vector<std::string> the_three{"Br_Lin", "Br_xy_source", "Br_xy_dim"};
inline const std::vector<Slot> figure_2_sources{1, 2, 3, 4, 5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100};
inline const std::vector<Bytes> figure_3_bytes{32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
inline const std::vector<std::pair<Rank, Rank>> figure_4_meshes{{2, 2}, {2, 4},  {4, 4},  {4, 8},
                                                                {8, 8}, {8, 16}, {16, 16}};
inline const std::vector<std::string> figure_5_patterns{"R", "C", "E", "DR", "B", "Cr"};
inline const std::vector<Slot> figure_6_sources{5, 10, 20, 40, 80};
inline const std::vector<std::pair<Rank, Rank>> figure_7_meshes{{4, 30}, {5, 24}, {6, 20}, {8, 15}, {10, 12}};
inline const std::vector<Slot> figure_7_sources{8, 15, 30};

Run figure_2(const std::string& algorithm, Slot sources);
Run figure_3(const std::string& algorithm, Bytes bytes);
Run figure_4(const std::string& algorithm, std::pair<Rank, Rank> mesh);
Run figure_5(const std::string& algorithm, const std::string& pattern);
Run figure_6(const std::string& algorithm, Slot sources);
Run figure_7(std::pair<Rank, Rank> mesh, Slot sources, bool row_major);

std::vector<Reproduction::Claim> claims(Bench& bench);

}  // namespace hambrusch

}  // namespace quadrille::papers
