// Time-independent traces of SMPI: "0 isend 3 7 1024 6" is rank 0's message to 3 with tag 7, of 1024 elements of
// type 6.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "quadrille/export.hpp"

namespace quadrille {

namespace {

constexpr int byte_type = 6;  // MPI_BYTE in SMPI's own numbering
constexpr std::size_t enough = 1 << 16;

/// One rank's lines.
class RankTrace {
 public:
  RankTrace(const Schedule& schedule, Rank rank) : schedule_(schedule), rank_(rank) {}

  void append_round(Round t, std::string& text) {
    const std::vector<Summary::Message>& all = summary_.of(schedule_, t, rank_);
    // Receives first: a long message begins once its receiver has asked for it.
    const bool any = append(all, Kind::recv, "irecv", t, text) | append(all, Kind::send, "isend", t, text);
    if (any) fmt::format_to(std::back_inserter(text), "{} waitall\n", rank_);
    if (schedule_.barrier(t)) fmt::format_to(std::back_inserter(text), "{} barrier\n", rank_);
  }
  std::int64_t sent() const { return sent_; }

 private:
  bool append(const std::vector<Summary::Message>& all, Kind kind, std::string_view action, Round t,
              std::string& text) {
    bool any = false;
    for (const Summary::Message& m : all) {
      if (m.peer == rank_ || m.kind != kind) continue;
      fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {}\n", rank_, action, m.peer, t, m.bytes, byte_type);
      sent_ += kind == Kind::send ? 1 : 0;
      any = true;
    }
    return any;
  }

  const Schedule& schedule_;
  Rank rank_;
  Summary summary_;
  std::int64_t sent_ = 0;
};

}  // namespace

std::int64_t write_smpi_trace(const Spec& spec, const Schedule& schedule,
                              const std::function<void(std::string_view)>& write) {
  if (spec.topology->nodes() != spec.ranks())
    throw Error(
        Error::Kind::illegal,
        fmt::format("on {} messages go through a memory, and traces of SMPI have ranks only; expected a network "
                    "of ranks",
                    spec.topology->text()));
  std::int64_t messages = 0;
  std::string text;
  bool barriers = false;
  for (Round t = 0; t < schedule.shape().rounds && !barriers; ++t) barriers = schedule.barrier(t);
  for (Rank r = 0; r < spec.ranks(); ++r) {
    RankTrace trace(schedule, r);
    const Rounds active = barriers ? Rounds{0, schedule.shape().rounds} : schedule.active(r);
    text += fmt::format("{} init\n", r);
    for (Round t = active.first; t < active.end; ++t) {
      trace.append_round(t, text);
      if (text.size() >= enough) write(text), text.clear();
    }
    text += fmt::format("{} finalize\n", r);
    messages += trace.sent();
  }
  write(text);
  return messages;
}

}  // namespace quadrille
