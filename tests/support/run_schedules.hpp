// What the tests of run share: schedules to run, some written out by hand, and errors to look at.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "settings.hpp"

namespace quadrille::testing {

inline Machine circuits() {
  Machine m;
  m.switching = Switching::circuit;
  return m;
}

inline SchedulePtr schedule_of(const Spec& spec, const std::string& choice) {
  return build(spec, circuits(), parse_choice(choice)).schedule;
}

/// Runs and returns the error; fails the test when there is none.
inline Error error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(Error::Kind::internal, "no error");
}

inline void expect_mentions(const Error& error, Error::Kind kind, const std::vector<std::string>& parts) {
  EXPECT_EQ(error.kind(), kind) << error.what();
  for (const std::string& part : parts)
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << "'" << part << "' is not in: " << error.what();
}

/// A schedule written out, by rounds.
class Written final : public Schedule {
 public:
  struct Entry {
    Round round;
    Rank from, to;
    Buffer source, target;
  };
  Written(Shape shape, std::vector<Entry> entries) : shape_(shape), entries_(std::move(entries)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto begin = std::lower_bound(entries_.begin(), entries_.end(), t,
                                        [](const Entry& e, Round round) { return e.round < round; });
    for (auto e = begin; e != entries_.end() && e->round == t; ++e) {
      if (e->from == r) out.send(e->to, e->source, contiguous(0, 1));
      if (e->to == r) out.recv(e->from, e->target, contiguous(0, 1));
    }
  }

 private:
  Shape shape_;
  std::vector<Entry> entries_;
};

}  // namespace quadrille::testing
