// The reference program's pieces: one reader per file format, and the tally they share.
#pragma once

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace quadrille::reference {

using Json = nlohmann::json;

/// Thrown for an entry about a machine or operation that is not built yet; the text is the kind it is listed under.
struct NotBuilt {
  std::string kind;
};

/// Counts entries and prints a line for each that fails.
class Tally {
 public:
  /// Runs one entry; `check` returns the complaints, empty when it passes.
  template <class Check>
  void entry(const std::string& id, Check check) {
    try {
      const std::string complaints = check();
      if (complaints.empty()) {
        ++passed_;
      } else {
        ++failed_;
        fmt::print("{}: {}\n", id, complaints);
      }
    } catch (const NotBuilt& missing) {
      ++skipped_[missing.kind];
    } catch (const std::exception& e) {
      ++failed_;
      fmt::print("{}: {}\n", id, e.what());
    }
  }
  void fail(const std::string& what) {
    ++failed_;
    fmt::print("{}\n", what);
  }
  int finish() const {
    int skipped = 0;
    for (const auto& [kind, n] : skipped_) skipped += n, fmt::print("skipped, not built yet: {} ({})\n", kind, n);
    fmt::print("{} passed, {} failed, {} skipped\n", passed_, failed_, skipped);
    return failed_ == 0 && passed_ > 0 ? 0 : 1;
  }

 private:
  int passed_ = 0, failed_ = 0;
  std::map<std::string, int> skipped_;
};

/// Collects "name: expected x, found y" for values that differ by more than `tolerance` (relative and absolute).
class Comparison {
 public:
  void equal(const std::string& name, const Json& expected, const Json& found);
  void near(const std::string& name, double expected, double found, double tolerance);
  const std::string& complaints() const { return complaints_; }

 private:
  void complain(const std::string& text) { complaints_ += (complaints_.empty() ? "" : "; ") + text; }
  std::string complaints_;
};

/// A number, or text "p" or "p/q".
double rational(const Json& value);

/// The tolerance of an areas entry: "exact", "abs 1e-6", "rel 0.05".
double tolerance(const Json& check, double expected);
/// One entry of area C of the areas format; returns the complaints.
std::string check_networks(const Json& check);

/// A list whose first element describes the fields: executions, optima, structures. [Saad & Schultz]
void check_saad_schultz(const Json& file, Tally& tally);
/// A list of the same form about reductions, and how it is told from the other.
bool is_about_reductions(const Json& file);
void check_reductions(const Json& file, Tally& tally);
/// A list of the same form about networks given as graphs.
bool is_about_graphs(const Json& file);
void check_graphs(const Json& file, Tally& tally);
/// An object with "checks": areas A (multiphase exchange), B (s-to-p broadcasting), C (networks).
void check_areas(const Json& file, Tally& tally);
/// One entry of area B; its complaints.
std::string check_multibcast(const Json& check);

}  // namespace quadrille::reference
