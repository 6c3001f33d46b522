// Time-independent traces of SMPI: "0 isend 3 7 1024 6" is rank 0's message to 3 with tag 7, of 1024 elements of
// type 6.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "formats/table.hpp"
#include "program/program.hpp"
#include "quadrille/export.hpp"

namespace quadrille {

namespace {

constexpr int byte_type = 6;                   // MPI_BYTE in SMPI's own numbering
constexpr Bytes most_memory = Bytes{1} << 32;  // of one rank's program
constexpr Bytes buffered = Bytes{16} << 10;    // shorter messages leave before somebody asks for them

/// One rank's lines, as its program is performed.
class ProgramTrace {
 public:
  /// `by_rounds`: sends are offered in the order in which the program has them.
  ProgramTrace(const program::Program& program, bool by_rounds, std::string& text)
      : program_(program), by_rounds_(by_rounds), text_(text) {}

  void append() {
    post(0);
    send(0);
    std::size_t received = 0;
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      const program::Step& step = program_.steps[i];
      if (step.barrier) line("{} barrier\n", program_.rank);
      settle(step.settle);
      post(i);
      received = wait(received, step.receives);
      settle(step.sent);
      post(i + 1);
      send(i + 1);
    }
    if (settled_ < program_.sends.size()) line("{} waitall\n", program_.rank);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<const Values&...> format, const Values&... values) {
    fmt::format_to(std::back_inserter(text_), format, values...);
  }
  void begin(std::string_view action, const program::Message& m) {
    line("{} {} {} {} {} {}\n", program_.rank, action, m.peer, m.round, m.bytes, byte_type);
  }
  void settle(std::size_t sends) {
    for (; settled_ < sends; ++settled_)
      line("{0} wait {0} {1} {2}\n", program_.rank, program_.sends[settled_].peer, program_.sends[settled_].round);
  }
  /// A rank takes messages as they come. One `wait` after the other would hold it to the order of the list.
  std::size_t wait(std::size_t from, std::size_t to) {
    if (to - from > 1 && posted_ == to) {
      line("{} waitall\n", program_.rank);
      if (by_rounds_ || sent_ == program_.sends.size()) settled_ = sent_;
      return to;
    }
    for (; from < to; ++from)
      line("{0} wait {1} {0} {2}\n", program_.rank, program_.receives[from].peer, program_.receives[from].round);
    return to;
  }
  /// Up to which receives are posted before the next step waits. Where it waits for several short messages it can do so
  /// for all at once only while no others are posted, and these would gain nothing.
  std::size_t worth_posting(std::size_t done) const {
    const std::size_t all = program_.receives.size();
    if (done >= program_.steps.size()) return all;
    const std::size_t from = done == 0 ? 0 : program_.steps[done - 1].receives, to = program_.steps[done].receives;
    for (std::size_t i = from; i < to; ++i)
      if (program_.receives[i].bytes >= buffered) return all;
    return to - from > 1 ? to : all;
  }
  /// The next receives whose places are free when `done` steps are over.
  void post(std::size_t done) {
    for (const std::size_t end = worth_posting(done); posted_ < end; ++posted_) {
      const program::Message& m = program_.receives[posted_];
      if (m.after > done || m.settle > settled_) return;
      begin("irecv", m);
    }
  }
  void send(std::size_t done) {
    for (const std::size_t n : program_.offered(done)) begin("isend", program_.sends[n]), ++sent_;
  }

  const program::Program& program_;
  const bool by_rounds_;
  std::string& text_;
  std::size_t posted_ = 0, sent_ = 0, settled_ = 0;
};

}  // namespace

std::int64_t write_smpi_trace(const Spec& spec, const Schedule& schedule,
                              const std::function<void(std::string_view)>& write, Order order) {
  if (spec.topology->nodes() != spec.ranks())
    throw Error(
        Error::Kind::illegal,
        fmt::format("on {} messages go through a memory, and traces of SMPI have ranks only; expected a network "
                    "of ranks",
                    spec.topology->text()));
  program::Compiler compiler(spec, schedule);
  std::int64_t messages = 0;
  std::string text;
  for (Rank r = 0; r < spec.ranks(); ++r) {
    const program::Program program = compiler.compile(r, true, most_memory, order);
    text += fmt::format("{} init\n", r);
    ProgramTrace(program, order == Order::dataflow, text).append();
    text += fmt::format("{} finalize\n", r);
    messages += std::ssize(program.sends);
    if (text.size() >= formats::flush_bytes) write(text), text.clear();
  }
  write(text);
  return messages;
}

namespace formats {

std::int64_t smpi_schedule(const ScheduleJob& job, const Sink& sink) {
  return write_smpi_trace(job.spec, job.schedule, sink, job.order);
}

}  // namespace formats

}  // namespace quadrille
