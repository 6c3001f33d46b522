// A watched run in Chrome's trace event format, which ui.perfetto.dev and chrome://tracing draw.
#include <iterator>

#include "formats/trace_text.hpp"

namespace quadrille::formats {

namespace {

double micro(Seconds time) { return 1e6 * time; }

/// Times are in microseconds. Process 1 has the ranks: what a rank waited for. Process 2 has the messages, by sender.
/// Process 3 has the links that were used. Messages may overlap and are asynchronous events; so are occupations where
/// links carry several messages at once.
class ChromeTrace final : public Observer {
 public:
  explicit ChromeTrace(const TraceJob& job);
  void occupied(const Occupation& x, const Passage& m) override;
  void arrived(const Passage& m) override;
  void stayed(const Stay& s) override;
  void ended(Seconds makespan) override;

 private:
  void name_link(Link link);
  template <class... T>
  void event(fmt::format_string<T...> format, T&&... values);

  const Topology& topology_;
  bool links_overlap_;
  Sink sink_;
  std::int64_t messages_ = 0, occupations_ = 0;
  std::vector<bool> named_;  ///< links; the medium last
  fmt::memory_buffer text_;
};

ChromeTrace::ChromeTrace(const TraceJob& job)
    : topology_(job.topology),
      links_overlap_(job.links_overlap),
      sink_(job.sink),
      named_(static_cast<std::size_t>(job.topology.links() + 1), false) {
  constexpr std::string_view processes[] = {"ranks", "messages", "links"};
  fmt::format_to(std::back_inserter(text_), R"({{"displayTimeUnit":"ns","traceEvents":[)");
  for (int i = 0; i < 3; ++i)
    fmt::format_to(std::back_inserter(text_), R"({}{{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}})",
                   i == 0 ? "\n" : ",\n", i + 1, processes[i]);
  for (int process = 1; process <= 2; ++process)
    for (Rank r = 0; r < job.topology.ranks(); ++r)
      event(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"rank {}"}}}})", process, r, r);
}

template <class... T>
void ChromeTrace::event(fmt::format_string<T...> format, T&&... values) {
  text_.push_back(',');
  text_.push_back('\n');
  fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
  if (text_.size() > flush_bytes) hand_over(text_, sink_);
}

void ChromeTrace::name_link(Link link) {
  const auto at = link < 0 ? named_.size() - 1 : static_cast<std::size_t>(link);
  if (named_[at]) return;
  named_[at] = true;
  event(R"({{"ph":"M","name":"thread_name","pid":3,"tid":{},"args":{{"name":"{}"}}}})", at,
        link < 0 ? "medium" : topology_.name(link));
}

void ChromeTrace::occupied(const Occupation& x, const Passage& m) {
  name_link(x.link);
  const auto at = x.link < 0 ? named_.size() - 1 : static_cast<std::size_t>(x.link);
  if (!links_overlap_)
    return event(
        R"({{"ph":"X","cat":"link","name":"{}->{}","pid":3,"tid":{},"ts":{},"dur":{},"args":{{"round":{},"bytes":{},"queued_us":{}}}}})",
        m.from, m.to, at, micro(x.begin), micro(x.end - x.begin), m.round, m.bytes, micro(x.queued()));
  const std::int64_t id = occupations_++;
  event(
      R"({{"ph":"b","cat":"link","id":{},"name":"{}->{}","pid":3,"tid":{},"ts":{},"args":{{"round":{},"bytes":{}}}}})",
      id, m.from, m.to, at, micro(x.begin), m.round, m.bytes);
  event(R"({{"ph":"e","cat":"link","id":{},"name":"{}->{}","pid":3,"tid":{},"ts":{}}})", id, m.from, m.to, at,
        micro(x.end));
}

void ChromeTrace::arrived(const Passage& m) {
  const std::int64_t id = messages_++;
  event(
      R"({{"ph":"b","cat":"message","id":{},"name":"{}->{}","pid":2,"tid":{},"ts":{},"args":{{"round":{},"bytes":{},"began_us":{},"left_us":{},"queued_us":{}}}}})",
      id, m.from, m.to, m.from, micro(m.asked), m.round, m.bytes, micro(m.began), micro(m.left),
      micro(m.until_arrived.contention()));
  event(R"({{"ph":"e","cat":"message","id":{},"name":"{}->{}","pid":2,"tid":{},"ts":{}}})", id, m.from, m.to, m.from,
        micro(m.arrived));
}

void ChromeTrace::stayed(const Stay& s) {
  const Seconds begin =
      s.why == Stay::Why::copied || s.why == Stay::Why::combined || s.why == Stay::Why::skew ? s.begin : s.sent;
  if (!(s.end > begin)) return;
  event(R"({{"ph":"X","cat":"rank","name":"{}","pid":1,"tid":{},"ts":{},"dur":{},"args":{{"round":{}}}}})",
        words_of(s.why).words, s.rank, micro(begin), micro(s.end - begin), s.round);
}

void ChromeTrace::ended(Seconds) {
  fmt::format_to(std::back_inserter(text_), "\n]}}\n");
  hand_over(text_, sink_);
}

}  // namespace

std::unique_ptr<Observer> chrome_trace(const TraceJob& job) { return std::make_unique<ChromeTrace>(job); }

}  // namespace quadrille::formats
