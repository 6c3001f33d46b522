#include "executor/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "executor/contents.hpp"

namespace quadrille::executor {

namespace {

constexpr Slot nobodys = -2;  ///< a name that no block has: the contents of tmp before it is written

void write(std::byte* to, Bytes bytes, const Contents& contents, std::uint64_t flip) {
  each_word(contents, bytes, [&](Bytes at, std::uint64_t word, std::size_t n) {
    word ^= flip;
    std::memcpy(to + at, &word, n);
    return true;
  });
}

/// Where the bytes first differ from the contents; `bytes` when nowhere.
Bytes difference(const std::byte* found, Bytes bytes, const Contents& contents) {
  Bytes first = bytes;
  each_word(contents, bytes, [&](Bytes at, std::uint64_t word, std::size_t n) {
    if (std::memcmp(found + at, &word, n) == 0) return true;
    const auto* const expected = reinterpret_cast<const std::byte*>(&word);
    first = at + (std::mismatch(expected, expected + n, found + at).first - expected);
    return false;
  });
  return first;
}

}  // namespace

RankData::RankData(const Spec& spec, Rank rank, const std::array<Bytes, 3>& size, std::uint64_t seed,
                   const Reference* reference)
    : spec_(spec), rank_(rank), size_(size), seed_(seed), reference_(reference) {
  for (std::size_t b = 0; b < size.size(); ++b) try {
      buffers_[b].reset(new (alignment) std::byte[static_cast<std::size_t>(size[b])]);
    } catch (const std::bad_alloc&) {
      throw Error(Error::Kind::budget,
                  fmt::format("no memory for {} B of rank {}; use smaller blocks or fewer ranks", size[b], rank));
    }
}

program::Bases RankData::bases() const { return {buffers_[0].get(), buffers_[1].get(), buffers_[2].get()}; }

void RankData::fill() {
  if (reference_ != nullptr) return fill_reduction();
  for (const Buffer b : {Buffer::in, Buffer::out})
    for (Slot i = 0; i < blocks(spec_, b, rank_); ++i) {
      const Bytes first = block_offset(spec_, i), bytes = block_offset(spec_, i + 1) - first;
      std::byte* const to = buffers_[static_cast<std::size_t>(b)].get() + first;
      const Slot held = held_before(spec_, b, rank_, i);
      if (held != no_block)
        write(to, bytes, Contents(seed_, held), 0);
      else
        write(to, bytes, Contents(seed_, wanted_after(spec_, rank_, i)), ~std::uint64_t{0});
    }
  write(buffers_[static_cast<std::size_t>(Buffer::tmp)].get(), size_[2], Contents(seed_, nobodys), 0);
}

/// Calls use(begin, bytes) for all chunks of so many bytes.
template <class Use>
void each_chunk(Bytes bytes, Use use) {
  for (Bytes at = 0; at < bytes; at += Reference::chunk)
    use(at, static_cast<std::size_t>(std::min(Reference::chunk, bytes - at)));
}

void RankData::fill_reduction() {
  each_chunk(size_[0], [&](Bytes at, std::size_t n) {
    reference_->contribution(rank_, at, {buffer(Buffer::in) + at, n});
  });
  each_chunk(size_[1], [&](Bytes at, std::size_t n) {
    const std::span<std::byte> out(buffer(Buffer::out) + at, n);
    reference_->result(rank_, at, out);
    for (std::byte& b : out) b = ~b;
  });
  write(buffer(Buffer::tmp), size_[2], Contents(seed_, nobodys), 0);
}

void RankData::take_own() {
  if (!combines(spec_) || size_[1] == 0 || wanted_contributions(spec_, rank_, rank_) != Contributions{rank_, rank_ + 1})
    return;
  std::memcpy(buffer(Buffer::out), buffer(Buffer::in) + buffer_start(spec_, Buffer::out, rank_),
              static_cast<std::size_t>(size_[1]));
}

Bytes RankData::check_reduction() const {
  std::array<std::byte, Reference::chunk> right;
  each_chunk(size_[1], [&](Bytes at, std::size_t n) {
    reference_->result(rank_, at, std::span(right).first(n));
    const std::byte* const found = buffer(Buffer::out) + at;
    const auto first = std::mismatch(found, found + n, right.begin());
    if (first.first != found + n) report_result(at + (first.first - found), *first.second);
  });
  return size_[1];
}

Bytes RankData::check() const {
  if (reference_ != nullptr) return check_reduction();
  const std::byte* const out = buffers_[static_cast<std::size_t>(Buffer::out)].get();
  const Slot count = blocks(spec_, Buffer::out, rank_);
  for (Slot i = 0; i < count; ++i) {
    const Bytes first = block_offset(spec_, i), bytes = block_offset(spec_, i + 1) - first;
    const Bytes at = difference(out + first, bytes, Contents(seed_, wanted_after(spec_, rank_, i)));
    if (at < bytes) report(i, at);
  }
  return buffer_bytes(spec_, Buffer::out, rank_);
}

void RankData::report(Slot index, Bytes byte) const {
  const Slot wanted = wanted_after(spec_, rank_, index);
  const std::uint64_t word = Contents(seed_, wanted).word(byte / word_bytes);
  std::array<std::uint8_t, word_bytes> expected;
  std::memcpy(expected.data(), &word, word_bytes);
  const auto right = expected[static_cast<std::size_t>(byte % word_bytes)];
  const std::byte* const out = buffers_[static_cast<std::size_t>(Buffer::out)].get();
  const auto found = std::to_integer<unsigned>(out[block_offset(spec_, index) + byte]);
  throw Error(Error::Kind::transport,
              fmt::format("rank {}, {} at index {} of out, byte {}: expected {:#04x}, found {:#04x}{}", rank_,
                          describe_block(spec_, wanted), index, byte, right, found,
                          found == (right ^ 0xffU) ? " (as it was before the run: probably never received)" : ""));
}

void RankData::report_result(Bytes byte, std::byte right) const {
  const Contributions of = wanted_contributions(spec_, rank_, rank_);
  const std::byte found = buffer(Buffer::out)[byte];
  throw Error(
      Error::Kind::transport,
      fmt::format("rank {}, byte {} of out: what ranks {} .. {} contribute makes {:#04x}, found {:#04x}{}", rank_, byte,
                  of.first, of.end - 1, std::to_integer<unsigned>(right), std::to_integer<unsigned>(found),
                  found == ~right ? " (as it was before the run: probably never combined)" : ""));
}

}  // namespace quadrille::executor
