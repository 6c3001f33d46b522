// Messages that are divided among the ways of their pairs: one flight for each way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "simulator/flight.hpp"
#include "topology/division.hpp"

namespace quadrille::simulator {

/// To their ranks such flights are one message, which has left, or arrived, when the last of them has. Networks serve
/// each by itself, and observers are told of each. Nothing is kept where the topology has no such pairs.
class Divided {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// What is known of a message's end when one of its flights has left, or arrived.
  struct End {
    Seconds time;          ///< of the latest flight known so far
    std::uint32_t flight;  ///< that one
    bool all;              ///< it was the last one
  };

  explicit Divided(const Topology& topology) : topology_(topology), on_(topology.divides()) {}

  bool on() const { return on_; }
  /// The ways of a message to one rank; none: it is not divided.
  std::span<const Topology::Way> ways(std::uint32_t from, std::uint32_t to, Bytes bytes) const {
    return on_ && bytes > 0 ? topology_.divided(from, to) : std::span<const Topology::Way>();
  }
  /// A message of so many bytes: what comes to add() next are its flights. Returns their bytes.
  const std::vector<Bytes>& begin(std::span<const Topology::Way> ways, Bytes bytes) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(messages_.size()));
      messages_.emplace_back();
    }
    begun_ = free_.back();
    free_.pop_back();
    const auto flights = static_cast<std::uint32_t>(ways.size());
    messages_[begun_] = {.to_leave = flights, .to_arrive = flights};
    whole_ = bytes;
    topology::divide(ways, bytes, shares_);
    return shares_;
  }
  void add(std::uint32_t flight) { put(flight, {begun_, whole_}); }
  /// A flight that is a message by itself.
  void add_whole(std::uint32_t flight) {
    if (on_) put(flight, {none, 0});
  }
  /// The bytes of the flights of the message begun last.
  const std::vector<Bytes>& shares() const { return shares_; }

  bool is_part(std::uint32_t flight) const { return on_ && parts_[flight].message != none; }
  /// The bytes of the whole message.
  Bytes bytes(std::uint32_t f, const Flight& flight) const { return is_part(f) ? parts_[f].bytes : flight.bytes; }
  /// A flight is handed over to the network: whether it is the first one of its message.
  bool starts(std::uint32_t f) {
    if (!is_part(f)) return true;
    Message& m = messages_[parts_[f].message];
    return !std::exchange(m.started, true);
  }
  End left(std::uint32_t f, Seconds time) {
    if (!is_part(f)) return {time, f, true};
    Message& m = messages_[parts_[f].message];
    return end(m.left, m.to_leave, f, time);
  }
  /// Each has left before.
  End arrived(std::uint32_t f, Seconds time) {
    if (!is_part(f)) return {time, f, true};
    Message& m = messages_[parts_[f].message];
    const End found = end(m.arrived, m.to_arrive, f, time);
    if (found.all) free_.push_back(parts_[f].message);
    return found;
  }

 private:
  struct Latest {
    Seconds time = -1;
    std::uint32_t flight = none;
  };
  struct Message {
    std::uint32_t to_leave = 0, to_arrive = 0;  ///< flights that have not, as far as is known
    bool started = false;
    Latest left = {}, arrived = {};
  };
  struct Part {
    std::uint32_t message = none;
    Bytes bytes = 0;  ///< of the whole message
  };

  static End end(Latest& latest, std::uint32_t& left, std::uint32_t f, Seconds time) {
    if (time >= latest.time) latest = {time, f};
    return {latest.time, latest.flight, --left == 0};
  }
  void put(std::uint32_t flight, Part part) {
    if (flight >= parts_.size()) parts_.resize(flight + std::size_t{1});
    parts_[flight] = part;
  }

  const Topology& topology_;
  bool on_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_;  ///< messages that are over
  std::vector<Part> parts_;          ///< by flight
  std::vector<Bytes> shares_;
  std::uint32_t begun_ = none;
  Bytes whole_ = 0;
};

}  // namespace quadrille::simulator
