// What the errata's tests play: schedules written out message by message, and what the verifier says of them.
#pragma once

#include "sound.hpp"

namespace quadrille::testing {

using What = Counterexample::Kind;

/// A schedule given as a list of messages: of each, the slots that are read and those that are written.
class Listed final : public Schedule {
 public:
  struct Place {
    Buffer buffer;
    Slot slot;
  };
  struct Message {
    Rank from, to;
    std::vector<Place> read, written;
  };
  Listed(Shape shape, std::vector<std::vector<Message>> rounds) : shape_(shape), rounds_(std::move(rounds)) {
    shape_.rounds = std::ssize(rounds_);
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (const Message& m : rounds_[static_cast<std::size_t>(t)]) {
      if (m.from == r)
        for (const Place& p : m.read) out.send(m.to, p.buffer, contiguous(p.slot, 1));
      if (m.to == r)
        for (const Place& p : m.written) out.recv(m.from, p.buffer, contiguous(p.slot, 1));
    }
  }

 private:
  Shape shape_;
  std::vector<std::vector<Message>> rounds_;
};
using Rounds = std::vector<std::vector<Listed::Message>>;

/// The first rounds of a schedule only.
class Shortened final : public Schedule {
 public:
  Shortened(SchedulePtr base, Round rounds) : base_(std::move(base)), shape_(base_->shape()) { shape_.rounds = rounds; }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override { base_->step(t, r, out); }

 private:
  SchedulePtr base_;
  Shape shape_;
};

inline const Machine lenient = test_machine(Ports::all, Duplex::full, Switching::circuit);

inline Counterexample refused(const Spec& spec, const Machine& machine, const Schedule& schedule,
                              const Claims& claims = {}) {
  const Proof proof = verify(spec, machine, schedule, claims);
  EXPECT_FALSE(proof.holds);
  return proof.counterexample.value_or(Counterexample{What::shape, -2, -2, "it holds"});
}

}  // namespace quadrille::testing
