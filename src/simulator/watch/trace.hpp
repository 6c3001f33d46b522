// A watched run as text for other programs, written while it happens.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <vector>

#include "quadrille/timeline.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::simulator {

/// Takes text piece by piece, some hundred kilobytes at a time.
using Sink = std::function<void(std::string_view)>;

/// One line a message, in the order of their arrivals, after a line of headings; times in seconds, with all their
/// digits.
class CsvTrace final : public Observer {
 public:
  explicit CsvTrace(Sink sink);
  void arrived(const Passage& m) override;
  void ended(Seconds makespan) override;

 private:
  Sink sink_;
  fmt::memory_buffer text_;
};

/// Chrome's trace event format, which ui.perfetto.dev and chrome://tracing draw; times in microseconds. Process 1 has
/// the ranks: what a rank waited for; process 2 the messages, by sender; process 3 the links that were used. Messages
/// may overlap and are asynchronous events; so are occupations where links carry several messages at once.
class ChromeTrace final : public Observer {
 public:
  ChromeTrace(const Topology& topology, bool links_overlap, Sink sink);
  void occupied(const Occupation& x, const Passage& m) override;
  void arrived(const Passage& m) override;
  void stayed(const Stay& s) override;
  void ended(Seconds makespan) override;

 private:
  void name_link(Link link);
  template <class... T>
  void event(fmt::format_string<T...> format, T&&... values);

  const Topology& topology_;
  bool links_overlap_;
  Sink sink_;
  std::int64_t messages_ = 0, occupations_ = 0;
  std::vector<bool> named_;  ///< links; the medium last
  fmt::memory_buffer text_;
};

}  // namespace quadrille::simulator
