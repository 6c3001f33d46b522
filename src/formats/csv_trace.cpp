// A watched run with one line a message, in the order of their arrivals, after a line of headings.
#include <iterator>

#include "formats/trace_text.hpp"

namespace quadrille::formats {

namespace {

/// Times are in seconds, with all their digits.
class CsvTrace final : public Observer {
 public:
  explicit CsvTrace(const TraceJob& job);
  void arrived(const Passage& m) override;
  void ended(Seconds makespan) override;

 private:
  Sink sink_;
  fmt::memory_buffer text_;
};

CsvTrace::CsvTrace(const TraceJob& job) : sink_(job.sink) {
  fmt::format_to(std::back_inserter(text_),
                 "from,to,round,bytes,links,asked_s,began_s,left_s,arrived_s,start_up_s,hops_s,wire_s,port_wait_s,"
                 "link_wait_s,peer_wait_s\n");
}

void CsvTrace::arrived(const Passage& m) {
  const TimeParts& p = m.until_arrived;
  fmt::format_to(std::back_inserter(text_), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", m.from, m.to, m.round,
                 m.bytes, m.links, m.asked, m.began, m.left, m.arrived, p.start_up, p.hops, p.wire, p.port, p.link,
                 p.peer);
  if (text_.size() > flush_bytes) hand_over(text_, sink_);
}

void CsvTrace::ended(Seconds) { hand_over(text_, sink_); }

}  // namespace

std::unique_ptr<Observer> csv_trace(const TraceJob& job) { return std::make_unique<CsvTrace>(job); }

}  // namespace quadrille::formats
