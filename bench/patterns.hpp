// Traffic of any size for benchmarks: who sends to whom in which round, without blocks that anybody could check.
#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::bench {

/// Every rank sends one message of equal size a round.
class Pattern final : public Schedule {
 public:
  enum class Kind {
    dissemination,  ///< to the rank 2^t farther, in round t of log2 P
    doubling,       ///< with the rank whose number differs in bit t
    exchange,       ///< with rank r xor (t + 1), P - 1 rounds
    ring            ///< to the next rank, P - 1 rounds
  };
  Pattern(Kind kind, Rank ranks, Bytes bytes) : kind_(kind) {
    const bool logarithmic = kind == Kind::dissemination || kind == Kind::doubling;
    shape_ = {
        .ranks = ranks, .rounds = logarithmic ? base::log2_ceil(ranks) : ranks - 1, .in = 1, .out = 1, .cut = {bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    out.send(peer(t, r, 1), Buffer::in, contiguous(0, 1));
    out.recv(peer(t, r, -1), Buffer::out, contiguous(0, 1));
  }
  Symmetry symmetry() const override {
    return {.group = kind_ == Kind::dissemination || kind_ == Kind::ring ? Group::rotate : Group::xor_all};
  }

 private:
  Rank peer(Round t, Rank r, int way) const {
    switch (kind_) {
      case Kind::dissemination:
        return base::wrap(r + way * base::bit(static_cast<int>(t)), shape_.ranks);
      case Kind::doubling:
        return r ^ base::bit(static_cast<int>(t));
      case Kind::exchange:
        return r ^ (t + 1);
      case Kind::ring:
        break;
    }
    return base::wrap(r + way, shape_.ranks);
  }

  Kind kind_;
  Shape shape_;
};

/// Every rank sends `fan` messages a round, of 1 to 64 times `bytes`, along random permutations: no two alike.
class Scattered final : public Schedule {
 public:
  Scattered(Rank ranks, Round rounds, int fan, Bytes bytes) : fan_(fan) {
    shape_ = {.ranks = ranks, .rounds = rounds, .in = 64 * fan, .out = 64 * fan, .cut = {bytes}};
    for (Round i = 0; i < rounds * fan; ++i) add_permutation(static_cast<std::uint64_t>(i));
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (int k = 0; k < fan_; ++k) {
      const auto i = static_cast<std::size_t>(t * fan_ + k);
      const Rank to = to_[i][static_cast<std::size_t>(r)], from = from_[i][static_cast<std::size_t>(r)];
      if (to != r) out.send(to, Buffer::in, contiguous(64 * k, size(i, r)));
      if (from != r) out.recv(from, Buffer::out, contiguous(64 * k, size(i, from)));
    }
  }

 private:
  static std::uint64_t mixed(std::uint64_t x) {  // splitmix64
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  static Slot size(std::size_t i, Rank from) {
    return 1 + static_cast<Slot>(mixed(mixed(i) + static_cast<std::uint64_t>(from)) % 64);
  }
  void add_permutation(std::uint64_t i) {
    std::vector<Rank> to(static_cast<std::size_t>(shape_.ranks)), from(to.size());
    std::iota(to.begin(), to.end(), Rank{0});
    for (std::size_t left = to.size(); left > 1; --left) std::swap(to[left - 1], to[mixed(mixed(i + 1) + left) % left]);
    for (std::size_t r = 0; r < to.size(); ++r) from[static_cast<std::size_t>(to[r])] = static_cast<Rank>(r);
    to_.push_back(std::move(to)), from_.push_back(std::move(from));
  }

  int fan_;
  Shape shape_;
  std::vector<std::vector<Rank>> to_, from_;  ///< of round and message
};

/// "dissemination", "doubling", "exchange", "ring", "scattered:ROUNDSxFAN", or null.
inline SchedulePtr pattern(const std::string& name, Rank ranks, Bytes bytes) {
  if (name == "dissemination") return std::make_shared<Pattern>(Pattern::Kind::dissemination, ranks, bytes);
  if (name == "doubling") return std::make_shared<Pattern>(Pattern::Kind::doubling, ranks, bytes);
  if (name == "exchange") return std::make_shared<Pattern>(Pattern::Kind::exchange, ranks, bytes);
  if (name == "ring") return std::make_shared<Pattern>(Pattern::Kind::ring, ranks, bytes);
  if (!name.starts_with("scattered:")) return nullptr;
  const auto x = name.find('x');
  return std::make_shared<Scattered>(ranks, std::stol(name.substr(10)), std::stoi(name.substr(x + 1)), bytes);
}

}  // namespace quadrille::bench
