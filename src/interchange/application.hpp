// Whole applications from traces: what every rank computes and sends, how long it computes, and what waits for what.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/huge_pages.hpp"
#include "quadrille/base.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::interchange {

/// Operations by number, those of a rank one after the other.
struct Application {
  enum class Type : std::uint32_t { send, recv, work };
  struct Op {
    std::uint32_t rank;
    std::uint32_t peer;   ///< of work: unused
    std::int64_t amount;  ///< bytes; of work nanoseconds
    Type type;
    std::uint32_t partner = none;  ///< of a send the receive that it meets, and the other way about
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// Who goes on after an operation: when it is over, or, with the highest bit, when it has begun.
  static constexpr std::uint32_t at_start = std::uint32_t{1} << 31;

  Rank ranks = 0;
  std::int64_t messages = 0;
  base::Table<Op> ops;
  base::Table<std::uint32_t> first;  ///< of every operation in `next`, and at last the end
  base::Table<std::uint32_t> next;   ///< those that wait for it
};

constexpr std::size_t most_application_bytes = std::size_t{8} << 30;
constexpr std::int64_t most_operations = std::int64_t{1} << 28;

/// A collective that all ranks of an application call.
struct CalledCollective {
  Collective collective = Collective::bcast;
  Rank ranks = 0, root = 0;
  Bytes bytes = 0, element = 1;    ///< as a Spec has them
  std::vector<Bytes> counts = {};  ///< of each rank, where blocks of a multibcast or a reduce_scatter differ
};
/// The schedule that performs it, on as many ranks.
using ScheduleOf = std::function<SchedulePtr(const CalledCollective& call)>;

struct ReadApplication {
  /// Seconds of a floating-point operation, of which SMPI's traces count.
  double per_flop = 1e-9;
  /// For collectives in SMPI's traces; empty: they are refused.
  ScheduleOf schedule_of = {};
};
/// GOAL, or a trace of SMPI, which the text itself tells apart. The n-th message between two ranks with a tag meets the
/// n-th receive. Throws Error(format) with the line for what neither allows, for messages that nobody receives, and for
/// receives of what nobody sends.
Application read_application(std::string_view text, const std::string& name, const ReadApplication& how = {});

/// Puts an application together.
class ApplicationBuilder {
 public:
  /// In which line an operation stands.
  using LineOf = std::function<std::int64_t(std::uint32_t op)>;
  /// `bytes` of text: room for what such a text usually says. `line_of`, if any, is asked when an operation is refused;
  /// else lines are remembered.
  explicit ApplicationBuilder(std::string file, std::size_t bytes = 0, LineOf line_of = {})
      : file_(std::move(file)), line_of_(std::move(line_of)) {
    const std::size_t about = bytes / 32;
    app_.ops.reserve(about), app_.first.reserve(about), app_.next.reserve(about);
  }

  std::uint32_t add(const Application::Op& op, std::int64_t tag, std::int64_t line) {
    if (std::ssize(app_.ops) >= most_operations || tag < 0 || tag >= Application::none) refuse_operation(tag, line);
    app_.ops.push_back(op);
    app_.ops.back().partner = static_cast<std::uint32_t>(tag);  // until it has one
    if (!line_of_) lines_.push_back(static_cast<std::uint32_t>(line));
    return size() - 1;
  }
  /// `later` waits until `earlier` is over, or has begun.
  void order(std::uint32_t earlier, std::uint32_t later, bool begun) {
    edges_.push_back({earlier | (begun ? Application::at_start : 0), later});
  }
  /// No operation there is will be ordered any more: what has been said of them is kept in less memory.
  void settle();
  std::uint32_t size() const { return static_cast<std::uint32_t>(app_.ops.size()); }
  [[noreturn]] void refuse(std::int64_t line, const std::string& why) const;
  /// Meets messages with receives.
  Application finish(Rank ranks);

 private:
  struct Edge {
    std::uint32_t earlier, later;
  };
  [[noreturn]] void refuse_operation(std::int64_t tag, std::int64_t line) const;

  std::string file_;
  LineOf line_of_;
  Application app_;
  std::uint32_t settled_ = 0;  ///< operations
  std::vector<std::uint32_t> lines_;
  std::vector<Edge> edges_;          ///< of operations that are not settled
  std::vector<std::uint32_t> ends_;  ///< while they are settled: where the next one that waits for each goes
};

Application read_goal_application(std::string_view text, const std::string& name);
Application read_smpi_application(std::string_view text, const std::string& name, const ReadApplication& how);

}  // namespace quadrille::interchange
