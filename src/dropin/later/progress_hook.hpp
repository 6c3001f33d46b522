// How calls of MPI that wait, whichever they are, come here: whoever looks for news of messages, looks at what the
// drop-in has under way, too.
#pragma once

namespace quadrille::dropin {

/// Open MPI has a list of functions that it calls whenever it looks for news, to which its own non-blocking collectives
/// belong; what is added to it is called from all of MPI's calls in every language. MPICH has such a list, too, but for
/// itself alone. It looks for news by a function of UCX, though, and this library is found first where that is asked
/// for by name.
class ProgressHook {
 public:
  using Advance = int (*)();  ///< returns how many things have happened; -1: nothing is under way

  /// Local, after MPI has been started. `advance` is called within MPI's calls from now on. False, and it never is,
  /// where this MPI has no such way, or is locked by the thread that looks for news.
  static bool open(Advance advance);
  /// Before MPI is ended.
  static void close();
};

}  // namespace quadrille::dropin
