// Pieces of memory that lists are made of, which go from one list to the other: none keeps memory that it does not use.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

namespace quadrille::simulator {

/// A Chunk has a pointer `next`, which is the pool's while nobody has the chunk.
template <class Chunk>
class ChunkPool {
 public:
  Chunk* take() {
    if (unused_ == nullptr) make_more();
    Chunk* chunk = unused_;
    unused_ = chunk->next;
    chunk->next = nullptr;
    return chunk;
  }
  void give_back(Chunk* chunk) {
    chunk->next = unused_;
    unused_ = chunk;
  }
  /// The memory of a chunk, which may not be there.
  [[gnu::always_inline]] static void expect(const Chunk* chunk) {
    for (std::size_t line = 0; line < sizeof(Chunk) / 64 && chunk != nullptr; ++line)
      __builtin_prefetch(reinterpret_cast<const char*>(chunk) + 64 * line);
  }

 private:
  [[gnu::noinline]] void make_more() {
    const std::size_t count = std::clamp<std::size_t>(made_ / 8, 4, 1024);
    made_ += count;
    Chunk* fresh = all_.emplace_back(new Chunk[count]).get();
    for (std::size_t i = 0; i < count; ++i) give_back(&fresh[i]);
  }

  Chunk* unused_ = nullptr;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<Chunk[]>> all_;
};

}  // namespace quadrille::simulator
