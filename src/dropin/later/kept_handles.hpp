// Operators and types of the program's own that calls under way still need. MPI lets a program free them before: then
// they are freed when the last such call has ended. Copies would not do: of operators MPI makes none, and an operator
// may ask which type it is called with.
#pragma once

#include <mpi.h>

#include <atomic>
#include <map>
#include <mutex>

namespace quadrille::dropin {

struct Operators {
  using Handle = MPI_Op;
  static int free(Handle* handle) { return PMPI_Op_free(handle); }
  static Handle none() { return MPI_OP_NULL; }
};
struct Types {
  using Handle = MPI_Datatype;
  static int free(Handle* handle) { return PMPI_Type_free(handle); }
  static Handle none() { return MPI_DATATYPE_NULL; }
};

/// Used by several threads at once.
template <class Of>
class KeptHandles {
 public:
  using Handle = typename Of::Handle;
  static KeptHandles& get() {
    static KeptHandles* const all = new KeptHandles;  // never destroyed, as the session
    return *all;
  }
  /// Until release(), for each time.
  void keep(Handle handle) {
    const std::scoped_lock lock(mutex_);
    ++uses_[handle].calls;
    any_ = true;
  }
  void release(Handle handle) {
    {
      const std::scoped_lock lock(mutex_);
      const auto at = uses_.find(handle);
      if (--at->second.calls > 0) return;
      const bool freed = at->second.freed;
      uses_.erase(at);
      any_ = !uses_.empty();
      if (!freed) return;
    }
    Of::free(&handle);
  }
  /// The program frees it. An MPI error code.
  int free(Handle* handle) {
    if (any_.load(std::memory_order_relaxed) && handle != nullptr && freed_later(*handle)) {
      *handle = Of::none();
      return MPI_SUCCESS;
    }
    return Of::free(handle);
  }

 private:
  struct Use {
    int calls = 0;
    bool freed = false;
  };
  bool freed_later(Handle handle) {
    const std::scoped_lock lock(mutex_);
    const auto at = uses_.find(handle);
    return at != uses_.end() && (at->second.freed = true);
  }

  std::mutex mutex_;
  std::map<Handle, Use> uses_;
  std::atomic<bool> any_{false};
};

}  // namespace quadrille::dropin
