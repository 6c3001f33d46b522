// Memory of this process that other processes of its host can read where it lies. No MPI is needed for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "quadrille/base.hpp"

namespace quadrille::mpi {

/// How a sender tells the receiver of a message where it is. The sender writes `place`, then `ready`; the receiver
/// reads both and writes `taken`. Runs are counted from 1, alike at both ends.
struct alignas(64) Notice {
  std::atomic<std::uint64_t> ready;  ///< the sender's run whose bytes are there
  std::atomic<std::int64_t> place;   ///< of the bytes, in the sender's arena; -1: they follow as a message
  std::atomic<std::uint64_t> taken;  ///< the run whose bytes the receiver has
};

/// An object in memory without a name in any file system, so nothing of it outlives the processes that use it. It has a
/// part for notices, which neighbours write to, and one for data, which they can only read. It is sparse: what was
/// never touched, and what was given back, takes no memory.
class Arena {
 public:
  /// This process's, made at the first call; never destroyed, as programs may free memory late.
  static Arena& get();

  /// Whether the kernel gave one. Not where a process may only have so much address space.
  bool exists() const { return data_ != nullptr; }
  /// What neighbours need to find it; zeros where there is none.
  struct Identity {
    std::int64_t host = 0;  ///< equal for processes that may share memory: kernel and namespaces
    std::int64_t process = 0, descriptor = 0, bytes = 0;
    std::int64_t token = 0;  ///< stands in the object itself, too
  };
  const Identity& identity() const { return identity_; }

  /// Memory in its data part, 64 bytes or whole pages aligned; null when there is no room. From any thread.
  std::byte* allocate(Bytes bytes);
  /// False when nothing that allocate() gave starts there.
  bool free(const void* memory);
  /// Where bytes lie in the data part; -1 when not all of them do.
  std::int64_t place(const void* memory, Bytes bytes) const;
  bool holds(const void* memory) const { return place(memory, 1) >= 0; }
  /// Notices, all zero; null when there are no more.
  Notice* allocate_notices(std::size_t count);
  void free_notices(Notice* notices);
  std::int64_t place(const Notice* notice) const { return notice - notices_; }

  Bytes used() const { return used_.load(std::memory_order_relaxed); }  ///< now
  Bytes most() const { return most_.load(std::memory_order_relaxed); }  ///< at any time

 private:
  /// Free and taken stretches of something.
  class Ledger {
   public:
    explicit Ledger(std::int64_t length) : free_{{0, length}} {}
    std::int64_t take(std::int64_t length, std::int64_t alignment);  ///< -1: no room
    std::int64_t give_back(std::int64_t start);                      ///< its length; 0: nothing was taken there

   private:
    std::map<std::int64_t, std::int64_t> free_, taken_;  ///< length by start
  };

  Arena();

  Identity identity_;
  Notice* notices_ = nullptr;
  std::byte* data_ = nullptr;
  Bytes data_bytes_ = 0;
  std::mutex mutex_;
  Ledger data_ledger_{0}, notice_ledger_{0};
  std::atomic<Bytes> used_{0}, most_{0};
};

/// Memory in the arena, or where that has no room, in this process alone.
struct Elsewhere {
  void operator()(std::byte* memory) const {
    if (!Arena::get().free(memory)) delete[] memory;
  }
};
using Room = std::unique_ptr<std::byte[], Elsewhere>;
Room make_room(Bytes bytes, bool in_arena);

/// Another process's arena, mapped here. Stays as long as this process.
struct Window {
  Notice* notices = nullptr;
  const std::byte* data = nullptr;
};
/// Null where the kernel forbids it or something else lies there.
const Window* window(const Arena::Identity& identity);

}  // namespace quadrille::mpi
