// A watched run in Paje's format, which pj_dump, ViTE and scripts for them read: definitions, then events by time.
#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "formats/trace_text.hpp"

namespace quadrille::formats {

namespace {

/// The events that follow, by number, with the fields that each of them has.
constexpr std::string_view paje_definitions =
    R"(%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 1
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeDefineStateType 2
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineLinkType 3
% Alias string
% Type string
% StartContainerType string
% EndContainerType string
% Name string
%EndEventDef
%EventDef PajeDefineEntityValue 4
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeCreateContainer 5
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeDestroyContainer 6
% Time date
% Type string
% Name string
%EndEventDef
%EventDef PajePushState 7
% Time date
% Type string
% Container string
% Value string
%EndEventDef
%EventDef PajePopState 8
% Time date
% Type string
% Container string
%EndEventDef
%EventDef PajeStartLink 9
% Time date
% Type string
% Container string
% Value string
% StartContainer string
% Key string
%EndEventDef
%EventDef PajeEndLink 10
% Time date
% Type string
% Container string
% Value string
% EndContainer string
% Key string
%EndEventDef
%EventDef PajeSetVariable 11
% Time date
% Type string
% Container string
% Value double
%EndEventDef
%EventDef PajeAddVariable 12
% Time date
% Type string
% Container string
% Value double
%EndEventDef
%EventDef PajeSubVariable 13
% Time date
% Type string
% Container string
% Value double
%EndEventDef
0 network 0 network
0 rank network rank
0 link network link
1 load link messages "0.2 0.4 0.8"
2 state rank state
3 message network rank rank message
4 waits state waits "0.8 0.8 0.8"
4 copies state copies "0.9 0.6 0.2"
4 combines state combines "0.6 0.3 0.7"
4 barrier state "waits at a barrier" "0.5 0.5 0.5"
4 skew state "has not begun" "1.0 1.0 1.0"
)";

/// Times are in seconds. A container for each rank, whose states are what it waits for; one for each link that was
/// used, with the number of messages on it; and each message as an arrow from when it began until it arrived, whose
/// value is its bytes. Readers want events by time, which is not when they become known: they are kept until the end.
class PajeTrace final : public Observer {
 public:
  explicit PajeTrace(const TraceJob& job) : topology_(job.topology), sink_(job.sink) {}
  void occupied(const Occupation& x, const Passage&) override {
    if (!(x.end > x.begin)) return;
    keep(Kind::takes, x.begin, x.link);
    keep(Kind::leaves, x.end, x.link);
    links_.push_back(x.link);
    if (links_.size() > 4096 + 2 * known_) forget_doubles();
  }
  void arrived(const Passage& m) override {
    const std::int64_t key = messages_++;
    keep(Kind::starts, m.began, m.from, key, m.bytes);
    keep(Kind::arrives, m.arrived, m.to, key, m.bytes);
  }
  void stayed(const Stay& s) override {
    const bool whole = s.why == Stay::Why::copied || s.why == Stay::Why::combined || s.why == Stay::Why::skew;
    const Seconds begin = whole ? s.begin : s.sent;
    if (!(s.end > begin)) return;
    keep(Kind::pushes, begin, s.rank);
    events_.back().why = s.why;
    keep(Kind::pops, s.end, s.rank);
  }
  void ended(Seconds makespan) override;

 private:
  /// In the order in which those of one moment stand: what ends comes before what begins, but an arrow begins first.
  enum class Kind : std::uint8_t { pops, leaves, takes, pushes, starts, arrives };
  struct Event {
    Seconds time = 0;
    Kind kind = Kind::pops;
    Stay::Why why = Stay::Why::sent;
    std::int64_t place = 0;  ///< rank or link
    std::int64_t key = 0;    ///< of a message
    Bytes bytes = 0;

    auto order() const { return std::tuple(time, kind, place, key); }
  };
  void keep(Kind kind, Seconds time, std::int64_t place, std::int64_t key = 0, Bytes bytes = 0) {
    events_.push_back({time, kind, Stay::Why::sent, place, key, bytes});
  }
  void forget_doubles() {
    std::sort(links_.begin(), links_.end());
    links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
    known_ = links_.size();
  }
  void append(const Event& e);
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
    if (text_.size() > flush_bytes) hand_over(text_, sink_);
  }

  const Topology& topology_;
  Sink sink_;
  std::vector<Event> events_;
  std::vector<Link> links_;  ///< that were used
  std::size_t known_ = 0;
  std::int64_t messages_ = 0;
  fmt::memory_buffer text_;
};

void PajeTrace::append(const Event& e) {
  switch (e.kind) {
    case Kind::pops:
      return line("8 {:.12f} state r{}\n", e.time, e.place);
    case Kind::leaves:
      return line("13 {:.12f} load l{} 1\n", e.time, e.place + 1);
    case Kind::takes:
      return line("12 {:.12f} load l{} 1\n", e.time, e.place + 1);
    case Kind::pushes:
      return line("7 {:.12f} state r{} {}\n", e.time, e.place, words_of(e.why).name);
    case Kind::starts:
      return line("9 {:.12f} message net {} r{} m{}\n", e.time, e.bytes, e.place, e.key);
    case Kind::arrives:
      return line("10 {:.12f} message net {} r{} m{}\n", e.time, e.bytes, e.place, e.key);
  }
}

void PajeTrace::ended(Seconds makespan) {
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.order() < b.order(); });
  forget_doubles();
  line("{}5 0 net network 0 \"{}\"\n", paje_definitions, topology_.text());
  for (Rank r = 0; r < topology_.nodes(); ++r)
    line("5 0 r{} rank net \"{}\"\n", r, r < topology_.ranks() ? fmt::format("rank {}", r) : "memory");
  for (const Link link : links_) {
    line("5 0 l{} link net \"{}\"\n", link + 1, link < 0 ? "medium" : topology_.name(link));
    line("11 0 load l{} 0\n", link + 1);
  }
  Seconds end = makespan;
  for (const Event& e : events_) append(e), end = std::max(end, e.time);
  for (const Link link : links_) line("6 {:.12f} link l{}\n", end, link + 1);
  for (Rank r = 0; r < topology_.nodes(); ++r) line("6 {:.12f} rank r{}\n", end, r);
  line("6 {:.12f} network net\n", end);
  hand_over(text_, sink_);
  events_ = {};
}

}  // namespace

std::unique_ptr<Observer> paje_trace(const TraceJob& job) { return std::make_unique<PajeTrace>(job); }

}  // namespace quadrille::formats
