#include "quadrille/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/text.hpp"
#include "collective/traits.hpp"
#include "planner/clock.hpp"
#include "planner/estimate.hpp"
#include "sweeps/row.hpp"

namespace quadrille {

std::optional<double> SweepRow::ratio() const {
  const auto time = known();
  if (!time) return {};
  if (bound > 0) return *time / bound;
  return *time > 0 ? std::optional<double>{} : 1;
}

namespace {

/// "phases=3,3".
std::string params_text(const Algorithm& algorithm, const Params& params) {
  const std::string text = to_text(algorithm, params);
  return text.size() == algorithm.name.size() ? "" : text.substr(algorithm.name.size() + 1);
}

/// The rows of one point while they are made.
class SweepPoint {
 public:
  SweepPoint(const SweepQuestion& question, const Spec& spec)
      : question_(question),
        plan_(quadrille::plan(spec, question.machine, {.proof = question.proof, .algorithms = question.algorithms})),
        limit_(question.effort == Effort::estimate ? plan_.bound.time
                                                   : limit(plan_.spec, question.machine, network()).time) {}

  /// None when `stop` came true on the way.
  std::vector<SweepRow> rows(const std::atomic<bool>* stop) {
    for (const Choice& choice : question_.choices) {
      if (stop != nullptr && *stop) return {};
      made_.push_back(row_of(choice));
    }
    while (Made* best = fastest()) {
      best->row.best = stands(*best);
      if (best->row.best) break;
      *best = row_of(best->choice);  // with the next parameters, if there are others
    }
    std::vector<SweepRow> rows;
    for (Made& m : made_) rows.push_back(std::move(m.row));
    return rows;
  }

 private:
  struct Made {
    Choice choice;  ///< as asked
    SweepRow row;
    Candidate candidate = {};  ///< the choice as it would run, where it can
  };
  struct Failed {
    const Algorithm* algorithm;
    Params params;
    bool wrong;
    std::string note;
  };

  const Failed* failed(const Algorithm* algorithm, const Params& params) const {
    for (const Failed& f : failed_)
      if (f.algorithm == algorithm && (f.wrong || f.params == params)) return &f;
    return nullptr;
  }

  /// The choice as it would run at this point, or why it cannot.
  std::optional<Candidate> cheapest(const Choice& choice, std::string& why_not) const {
    if (choice.params.values().empty()) {
      for (const Candidate& c : plan_.candidates) {
        if (c.algorithm != choice.algorithm) continue;
        const Failed* const f = failed(c.algorithm, c.params);
        if (f == nullptr) return c;
        why_not = f->note;
      }
      for (const Refusal& r : plan_.refused)
        if (r.algorithm == choice.algorithm) why_not = r.reason;
      for (const Mistake& m : plan_.mistakes)
        if (m.algorithm == choice.algorithm) why_not = std::string(sweeps::is_wrong) + m.why;
      return {};
    }
    try {
      const Built built = build(plan_.spec, plan_.machine, choice);
      if (const Failed* const f = failed(choice.algorithm, built.choice.params)) return why_not = f->note, std::nullopt;
      return Candidate{choice.algorithm, built.choice.params, built.formula,
                       seconds(built.formula, plan_.machine, *plan_.spec.topology), built.claims.exact};
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::illegal && error.kind() != Error::Kind::budget) throw;
      why_not = error.what();
      return {};
    }
  }

  Made row_of(const Choice& choice) const {
    Made made{choice,
              {.topology = plan_.spec.topology->text(),
               .ranks = plan_.spec.ranks(),
               .bytes = plan_.spec.bytes,
               .algorithm = std::string(choice.algorithm->name),
               .bound = limit_}};
    SweepRow& row = made.row;
    const std::optional<Candidate> c = cheapest(choice, row.note);
    if (!c) return made;
    made.candidate = *c;
    row.params = params_text(*c->algorithm, c->params);
    row.price = c->time;
    if (question_.effort == Effort::estimate) return made;
    const SimulateOptions options{.order = order(), .network = network()};
    std::int64_t messages = question_.messages;
    const Timing timing = planner::timed(plan_.spec, plan_.machine, {c->algorithm, c->params}, options,
                                         question_.order.has_value(), messages);
    if (timing.how == Timing::How::timed) row.simulated = timing.time;
    if (timing.how == Timing::How::too_large) row.note = "not simulated: " + timing.why;
    if (timing.how == Timing::How::impossible) row.note = timing.why, row.price.reset();
    return made;
  }

  /// Equals are in the order of plans.
  Made* fastest() {
    const auto rank = [](const Made& m) { return std::pair(*m.row.known(), planner::order_of_equals(m.candidate)); };
    Made* best = nullptr;
    for (Made& m : made_)
      if (m.row.known() && (best == nullptr || rank(m) < rank(*best))) best = &m;
    return best;
  }

  Order order() const { return question_.order.value_or(usual_order(question_.machine)); }
  Network network() const { return question_.network.value_or(usual_network(question_.machine, *plan_.spec.topology)); }

  /// Whether the proof does not fail. What it says otherwise is remembered.
  bool stands(Made& made) {
    if (question_.proof == 0) return true;
    const Assurance found = assure(plan_.spec, plan_.machine, {made.choice.algorithm, made.candidate.params},
                                   question_.proof, order(), network());
    if (found.fails()) {
      const bool wrong = found.how == Assurance::How::wrong;
      failed_.push_back({made.choice.algorithm, made.candidate.params, wrong,
                         wrong ? std::string(sweeps::is_wrong) + found.why : "may come to a stop: " + found.why});
      return false;
    }
    if (found.how == Assurance::How::too_large)
      made.row.note += fmt::format("{}{}more than {} visits", made.row.note.empty() ? "" : "; ", sweeps::not_proven,
                                   base::format_count(question_.proof));
    return true;
  }

  const SweepQuestion& question_;
  Plan plan_;
  Seconds limit_;  ///< of what rows say: prices, or simulated times
  std::vector<Made> made_;
  std::vector<Failed> failed_;
};

std::vector<SweepRow> rows_of(const SweepQuestion& question, std::size_t point, const std::atomic<bool>* stop) {
  return SweepPoint(question, question.points.at(point)).rows(stop);
}

/// Points that threads take one after the other, and their rows until it is their turn to be used.
class Crew {
 public:
  Crew(const SweepQuestion& question, std::size_t first, const std::atomic<bool>* stop)
      : question_(question), next_(first), rows_(question.points.size()), stop_(stop) {}

  void work() {
    while (work_once()) {
    }
  }
  /// One point; false when there is no other to go on with.
  bool work_once() {
    if (stopped()) return false;
    const std::size_t point = next_++;
    if (point >= rows_.size()) return false;
    std::optional<std::vector<SweepRow>> rows;
    try {
      rows = rows_of(question_, point, stop_);
    } catch (...) {
      const std::lock_guard guard(lock_);
      if (!failed_) failed_ = std::current_exception();
    }
    const std::lock_guard guard(lock_);
    if (rows && rows->size() == question_.choices.size()) rows_[point] = std::move(rows);
    changed_.notify_one();
    return !failed_;
  }
  void leave() {
    const std::lock_guard guard(lock_);
    ++left_;
    changed_.notify_one();
  }

  /// The rows of the point; none when nobody will bring them any more.
  std::optional<std::vector<SweepRow>> wait(std::size_t point, int threads) {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [&] { return rows_[point] || failed_ || left_ == threads; });
    if (!rows_[point]) return {};
    return std::exchange(rows_[point], std::nullopt);
  }
  void end() {
    const std::lock_guard guard(lock_);
    next_ = rows_.size();
  }
  void rethrow() {
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  bool stopped() const { return stop_ != nullptr && *stop_; }

  const SweepQuestion& question_;
  std::atomic<std::size_t> next_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<std::optional<std::vector<SweepRow>>> rows_;
  std::exception_ptr failed_;
  int left_ = 0;
  const std::atomic<bool>* stop_;
};

/// Threads that are joined whatever happens.
class SweepThreads {
 public:
  SweepThreads() = default;
  SweepThreads(const SweepThreads&) = delete;
  SweepThreads& operator=(const SweepThreads&) = delete;
  ~SweepThreads() { join(); }

  /// As many as wanted, or as the system gives; a web page has none. How many there are.
  int start(int wanted, Crew& crew) {
    try {
      while (std::ssize(all_) < wanted)
        all_.emplace_back([&crew] {
          crew.work();
          crew.leave();
        });
    } catch (const std::system_error&) {  // those that are there do the work
    }
    return static_cast<int>(all_.size());
  }
  void join() {
    for (std::thread& thread : all_) thread.join();
    all_.clear();
  }

 private:
  std::vector<std::thread> all_;
};

}  // namespace

std::vector<SweepRow> sweep_point(const SweepQuestion& question, std::size_t point) {
  return rows_of(question, point, nullptr);
}

std::size_t sweep(const SweepQuestion& question, std::size_t first, int threads,
                  const std::function<void(std::vector<SweepRow>)>& use, const std::atomic<bool>* stop) {
  Crew crew(question, first, stop);
  /// Whatever ends the loop below, no thread goes on to another point.
  struct AtEnd {
    Crew& crew;
    ~AtEnd() { crew.end(); }
  };
  SweepThreads all;
  const AtEnd at_end{crew};
  const int helping = threads == 1 ? 0 : all.start(threads, crew);
  std::size_t used = 0;
  for (std::size_t point = first; point < question.points.size(); ++point, ++used) {
    if (helping == 0) crew.work_once();
    auto rows = crew.wait(point, helping);
    if (!rows) break;
    use(*std::move(rows));
  }
  crew.end();
  all.join();
  crew.rethrow();
  return used;
}

}  // namespace quadrille
