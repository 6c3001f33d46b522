// What every watched simulation must tell: each message once, in time, with parts that add up.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "quadrille/audit.hpp"
#include "quadrille/timeline.hpp"

namespace quadrille::testing {

/// Checks what every run must tell, whatever it plays.
class Checker final : public Observer {
 public:
  void asked(const Passage& m) override {
    EXPECT_TRUE(under_way_.emplace(m.id, 0).second) << "two messages of one name";
    EXPECT_GE(m.asked, now_);
    now_ = m.asked;
    ++asked_;
  }
  void occupied(const Occupation& x, const Passage& m) override {
    EXPECT_TRUE(under_way_.contains(m.id));
    EXPECT_LE(x.came, x.begin);
    EXPECT_LE(x.begin, x.end);
    EXPECT_LE(m.asked, x.came);
    ++crossed_;
  }
  void left(const Passage& m) override {
    EXPECT_EQ(++under_way_.at(m.id), 1) << "left twice";
    EXPECT_GE(m.left, now_);  // told as soon as it is known
    EXPECT_LE(m.asked, m.began);
    EXPECT_LE(m.began, m.left);
    EXPECT_NEAR(m.until_left.total(), m.left - m.asked, 1e-9 * m.left);
  }
  void arrived(const Passage& m) override {
    EXPECT_EQ(under_way_.at(m.id), 1) << "arrived and never left";
    under_way_.erase(m.id);
    expect_now(m.arrived);
    EXPECT_LE(m.came, m.arrived);
    EXPECT_NEAR(m.until_arrived.total(), m.arrived - m.asked, 1e-9 * m.arrived);
    links_ += m.links;
    contention_ += m.until_arrived.contention();
  }
  void stayed(const Stay& s) override {
    EXPECT_LE(s.begin, s.sent);
    EXPECT_LE(s.sent, s.end);
    expect_now(s.end);
  }
  void ended(Seconds makespan) override {
    EXPECT_LE(now_, makespan);
    EXPECT_TRUE(under_way_.empty());
  }
  void compare(const Timeline& t) const {
    EXPECT_EQ(asked_, t.messages);
    EXPECT_NEAR(contention_, t.queued, 1e-9 * (t.makespan + t.queued));
  }
  std::int64_t crossed_ = 0, links_ = 0;

 private:
  void expect_now(Seconds time) {
    EXPECT_GE(time, now_);
    now_ = time;
  }
  std::map<std::uint32_t, int> under_way_;
  Seconds now_ = 0;
  std::int64_t asked_ = 0;
  double contention_ = 0;
};

inline void expect_chain(const Audit& audit) {
  EXPECT_NEAR(audit.critical.total(), audit.makespan, 1e-9 * audit.makespan);
  ASSERT_TRUE(audit.path_kept);
  Seconds now = 0;
  TimeParts parts;
  for (const Audit::Step& step : audit.path) {
    EXPECT_DOUBLE_EQ(step.begin, now);
    EXPECT_NEAR(step.parts.total(), step.end - step.begin, 1e-9 * audit.makespan);
    now = step.end;
    parts += step.parts;
  }
  EXPECT_EQ(now, audit.makespan);
  EXPECT_NEAR(parts.link, audit.critical.link, 1e-9 * audit.makespan);
}

inline void expect_equal(const TimeParts& a, const TimeParts& b) {
  EXPECT_EQ(a.start_up, b.start_up);
  EXPECT_EQ(a.overhead, b.overhead);
  EXPECT_EQ(a.hops, b.hops);
  EXPECT_EQ(a.wire, b.wire);
  EXPECT_EQ(a.port, b.port);
  EXPECT_EQ(a.link, b.link);
  EXPECT_EQ(a.peer, b.peer);
  EXPECT_EQ(a.copy, b.copy);
  EXPECT_EQ(a.barrier, b.barrier);
  EXPECT_EQ(a.skew, b.skew);
}

inline void expect_equal(const Audit::Step& a, const Audit::Step& b) {
  EXPECT_EQ(a.why, b.why);
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.to, b.to);
  EXPECT_EQ(a.round, b.round);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.begin, b.begin);
  EXPECT_EQ(a.end, b.end);
  expect_equal(a.parts, b.parts);
}

/// To the last bit, but for what ranks received: that is added up message by message in another order.
inline void expect_equal(const Audit& a, const Audit& b) {
  EXPECT_EQ(a.makespan, b.makespan);
  expect_equal(a.critical, b.critical);
  ASSERT_EQ(a.path.size(), b.path.size());
  for (std::size_t i = 0; i < a.path.size(); ++i) expect_equal(a.path[i], b.path[i]);
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_EQ(a.links[i].busy, b.links[i].busy);
    EXPECT_EQ(a.links[i].queued, b.links[i].queued);
    EXPECT_EQ(a.links[i].messages, b.links[i].messages);
  }
  ASSERT_EQ(a.ranks.size(), b.ranks.size());
  for (std::size_t i = 0; i < a.ranks.size(); ++i) {
    EXPECT_EQ(a.ranks[i].waiting, b.ranks[i].waiting);
    EXPECT_EQ(a.ranks[i].sending, b.ranks[i].sending);
    EXPECT_NEAR(a.ranks[i].receiving, b.ranks[i].receiving, 1e-12 * (a.ranks[i].receiving + a.makespan));
  }
  ASSERT_EQ(a.rounds.size(), b.rounds.size());
  for (std::size_t i = 0; i < a.rounds.size(); ++i) {
    EXPECT_EQ(a.rounds[i].first, b.rounds[i].first);
    EXPECT_EQ(a.rounds[i].asked, b.rounds[i].asked);
    EXPECT_EQ(a.rounds[i].arrived, b.rounds[i].arrived);
    EXPECT_EQ(a.rounds[i].messages, b.rounds[i].messages);
    EXPECT_EQ(a.rounds[i].queued, b.rounds[i].queued);
  }
  EXPECT_EQ(a.busiest, b.busiest);
  EXPECT_EQ(a.busiest_port, b.busiest_port);
  EXPECT_EQ(a.busiest_link_time, b.busiest_link_time);
  EXPECT_EQ(a.busiest_port_time, b.busiest_port_time);
}

/// Plays it alone, watched by all, and by an auditor by itself, which is another way; false when circuits wait for each
/// other in a circle.
inline bool watch_checked(const Spec& spec, const Machine& machine, const Schedule& schedule, SimulateOptions options) {
  Checker checker;
  Auditor auditor(spec, machine, schedule);
  Observers both;
  both.add(checker), both.add(auditor);
  Timeline alone;
  try {
    alone = simulate(spec, machine, schedule, options);
  } catch (const Error& e) {
    EXPECT_EQ(options.network, Network::circuit) << e.what();
    return false;
  }
  options.observer = &both;
  const Timeline seen = simulate(spec, machine, schedule, options);
  EXPECT_EQ(alone.makespan, seen.makespan);
  EXPECT_EQ(alone.messages, seen.messages);
  EXPECT_EQ(alone.hops, seen.hops);
  EXPECT_EQ(alone.queued, seen.queued);
  checker.compare(seen);
  expect_chain(auditor.audit());
  EXPECT_EQ(auditor.audit().makespan, seen.makespan);
  Auditor by_itself(spec, machine, schedule);
  options.observer = &by_itself;
  const Timeline audited = simulate(spec, machine, schedule, options);
  EXPECT_EQ(alone.makespan, audited.makespan);
  EXPECT_EQ(alone.queued, audited.queued);
  EXPECT_EQ(alone.hops, audited.hops);
  expect_equal(auditor.audit(), by_itself.audit());
  return true;
}

}  // namespace quadrille::testing
