// The loop that plays an application. What a message is for is in its flight's round: the operation that sends it.
#pragma once

#include <algorithm>

#include "simulator/engine.hpp"
#include "simulator/replay.hpp"

namespace quadrille::simulator {

/// A rank has one processor: it computes, hands over messages and takes them, one after the other, in the order in
/// which it may. A send is over when its data has left; a receive when the message has come and is taken. With
/// overheads a message that is not buffered leaves when its receiver has asked for it.
template <class Net, bool detailed>
class Performance final : public Engine<Net, detailed> {
  using Base = Engine<Net, detailed>;
  using Application = interchange::Application;

 public:
  Performance(const Spec& spec, const Machine& machine, const Performed& performed, const SimulateOptions& options,
              Net net)
      : Base(spec, machine, performed, options, std::move(net)),
        app_(performed.application()),
        result_(performed.result()),
        send_(machine.overhead_send),
        receive_(machine.overhead_receive),
        eager_limit_(machine.has_overhead() ? machine.eager_limit : 0),
        asks_(machine.has_overhead()),
        states_(app_.ops.size(), 0),
        free_(static_cast<std::size_t>(app_.ranks), 0) {
    for (const std::uint32_t next : app_.next) ++states_[next & ~begun_bit];
    result_.ends.assign(static_cast<std::size_t>(app_.ranks), 0);
    result_.worked.assign(static_cast<std::size_t>(app_.ranks), 0);
  }

  Timeline run() {
    for (std::uint32_t op = 0; op < app_.ops.size(); ++op)
      if (states_[op] == 0) ready_.push_back(op);
    // In the order of the file where several can begin.
    std::reverse(ready_.begin(), ready_.end());
    go_on();
    while (!queue_.empty()) {
      const Event e = queue_.pop();
      look_ahead();
      now_ = queue_.time();
      if (now_ > this->deadline_) return this->ended(false);
      this->count_event();
      handle(e);
      go_on();
    }
    if (done_ < app_.ops.size()) stuck();
    now_ = last_;
    return this->ended(now_ <= this->deadline_);
  }

  void leaves(std::uint32_t f, Seconds time) {
    const Divided::End end = divided_.left(f, time);
    if (end.all && !buffers(divided_.bytes(f, flights_[f]))) over_at(flights_[f].round, end.time);
  }
  void arrives(std::uint32_t f, Seconds time) {
    if (time > now_) return queue_.push(time, {f, Base::reached});
    reached(f);
  }

 private:
  using Base::divided_, Base::flights_, Base::now_, Base::queue_, Base::net_;
  using Base::wake, Base::offered;
  static constexpr std::uint32_t begun_bit = Application::at_start;
  /// Of an operation: for how many it waits still; of a receive, whether its message waits for it to begin, whether it
  /// has begun, and whether its message is here.
  static constexpr std::uint32_t awaited = std::uint32_t{1} << 29, posted = std::uint32_t{1} << 30,
                                 here = std::uint32_t{1} << 31, waits = awaited - 1;

  /// Operations of many ranks are anywhere in memory: what events of the same time will look at is fetched before.
  [[gnu::always_inline]] void look_ahead() const {
    constexpr std::size_t far = 20, near = 8;
    const auto of_operation = [](const Event* e) { return e != nullptr && (e->what == wake || e->what == offered); };
    if (const Event* e = queue_.ahead(far); of_operation(e)) expect(e->who);
    if (const Event* e = queue_.ahead(near); of_operation(e)) __builtin_prefetch(app_.next.data() + app_.first[e->who]);
  }
  /// What is looked at of an operation, and of those that follow it.
  [[gnu::always_inline]] void expect(std::uint32_t op) const {
    __builtin_prefetch(&app_.ops[op]);
    __builtin_prefetch(&app_.first[op]);
    __builtin_prefetch(&states_[op], 1);
  }

  bool buffers(Bytes bytes) const { return bytes < eager_limit_; }

  /// wake: an operation is over; offered: a send is handed over; reached: a flight is at its receiver.
  void handle(const Event& e) {
    if (e.what == Base::wake) return over(e.who);
    if (e.what == Base::offered) return hand_over(e.who);
    if (e.what == Base::reached) return reached(e.who);
    net_.handle(*this, e);
  }

  void go_on() {
    while (!ready_.empty()) {
      const std::uint32_t op = ready_.back();
      ready_.pop_back();
      begin(op);
    }
  }

  Seconds busy(std::uint32_t rank, Seconds duration) { return free_[rank] = std::max(free_[rank], now_) + duration; }

  void begin(std::uint32_t op) {
    const Application::Op& o = app_.ops[op];
    if (o.type == Application::Type::work) {
      const Seconds time = static_cast<double>(o.amount) * 1e-9;
      tell(op, begun_bit);
      if (o.amount == 0) return over(op);
      result_.worked[o.rank] += time;
      return queue_.push(busy(o.rank, time), {op, Base::wake});
    }
    if (o.type == Application::Type::send) {
      if (send_ > 0) return queue_.push(busy(o.rank, send_), {op, Base::offered});
      return hand_over(op);
    }
    tell(op, begun_bit);
    states_[op] |= posted;
    if ((states_[op] & here) != 0) return take(op, app_.ops[o.partner].amount);
    if ((states_[op] & awaited) == 0) return;
    states_[op] ^= awaited;
    leave(o.partner);
  }

  void hand_over(std::uint32_t op) {
    const Application::Op& o = app_.ops[op];
    tell(op, begun_bit);
    if (asks_ && !buffers(o.amount) && (states_[o.partner] & posted) == 0)
      states_[o.partner] |= awaited;
    else
      leave(op);
  }
  void leave(std::uint32_t op) {
    const Application::Op& o = app_.ops[op];
    sent_.clear();
    if (!divided_.on() || !this->divide(o.rank, o.peer, op, o.amount, sent_))
      sent_.push_back(this->take_whole(o.amount, o.rank, o.peer, op));
    this->timeline_.messages += std::ssize(sent_);
    expect(o.partner);
    if (buffers(o.amount)) over(op);
    this->start(*this, sent_);
  }

  void reached(std::uint32_t f) {
    const std::uint32_t receive = app_.ops[flights_[f].round].partner;
    const Bytes bytes = divided_.bytes(f, flights_[f]);
    flights_.give_back(f);
    if (!divided_.arrived(f, now_).all) return;
    states_[receive] |= here;
    if ((states_[receive] & posted) != 0) take(receive, bytes);
  }
  /// A message of so many bytes; a long one goes straight to its place.
  void take(std::uint32_t op, Bytes bytes) {
    if (receive_ > 0 && buffers(bytes)) return queue_.push(busy(app_.ops[op].rank, receive_), {op, Base::wake});
    over(op);
  }

  /// Where nobody waits for it, nobody need be woken.
  void over_at(std::uint32_t op, Seconds time) {
    if (time > now_ && app_.first[op] != app_.first[op + 1]) return queue_.push(time, {op, Base::wake});
    if (time > now_) this->count_event();
    note_end(op, time);
    if (time <= now_) tell(op, 0);
  }
  void over(std::uint32_t op) {
    note_end(op, now_);
    tell(op, 0);
  }
  void note_end(std::uint32_t op, Seconds time) {
    ++done_;
    last_ = std::max(last_, time);
    Seconds& end = result_.ends[app_.ops[op].rank];
    end = std::max(end, time);
  }
  void tell(std::uint32_t op, std::uint32_t what) {
    for (std::uint32_t i = app_.first[op + 1]; i-- > app_.first[op];)
      if (const std::uint32_t next = app_.next[i]; (next & begun_bit) == what)
        if ((--states_[next & ~begun_bit] & waits) == 0) ready_.push_back(next & ~begun_bit);
  }

  [[noreturn]] void stuck() {
    this->refuse_circular_waits(*this);
    for (std::uint32_t op = 0; op < app_.ops.size(); ++op)
      if ((states_[op] & waits) > 0 || (app_.ops[op].type == Application::Type::recv && states_[op] != (posted | here)))
        throw Error(Error::Kind::illegal,
                    fmt::format("rank {} waits for ever: operations wait for each other", app_.ops[op].rank));
    throw Error(Error::Kind::internal, "the simulation ended early");
  }

  const Application& app_;
  Replayed& result_;
  Seconds send_, receive_;
  Bytes eager_limit_;
  bool asks_;
  base::Table<std::uint32_t> states_;
  std::vector<Seconds> free_;         ///< of ranks: their processors
  std::vector<std::uint32_t> ready_;  ///< the latest is begun first
  std::vector<std::uint32_t> sent_;   ///< flights of the message in hand
  std::size_t done_ = 0;
  Seconds last_ = 0;
};

}  // namespace quadrille::simulator
