#include "interchange/mscclpp_moves.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.hpp"
#include "base/text.hpp"

namespace quadrille::interchange {

namespace {

const std::vector<std::string> plan_names{"nop",  "barrier", "put",       "pws",     "pwsf",        "get",
                                          "copy", "re",      "res",       "rre",     "rres",        "signal",
                                          "wait", "flush",   "rlxsignal", "rlxwait", "sem_acquire", "sem_release"};
constexpr std::int64_t most_barriers = 16, most_barrier_blocks = 1 << 16, most_plan_index = std::int64_t{1} << 30;

class PlanOperation {
 public:
  PlanOperation(const Json& op, const PlanReach& reach, const PlanText& plan, Rank gpu)
      : op_(op), reach_(reach), plan_(plan), gpu_(gpu), name_(base::text_member(op, "name")) {}

  std::vector<PlanStep> read() {
    if (std::find(plan_names.begin(), plan_names.end(), name_) == plan_names.end())
      throw base::wrong_member("name", "one of " + base::join(plan_names, ", "));
    read_channels();
    read_shares();
    if (is({"put", "pws", "pwsf"})) {
      puts();
    } else if (is({"get", "copy"})) {
      copies();
    } else if (is({"re", "res", "rre", "rres"})) {
      reductions();
    } else {
      others();
    }
    return std::move(steps_);
  }

 private:
  bool is(std::initializer_list<std::string_view> names) const {
    return std::find(names.begin(), names.end(), name_) != names.end();
  }
  static const Json& list(const Json& json, const char* key) {
    const Json& found = base::member(json, key);
    if (!found.is_array()) throw base::wrong_member(key, "a list");
    return found;
  }
  static std::size_t number(const Json& value, const char* key, std::ptrdiff_t count) {
    return static_cast<std::size_t>(base::whole_member(Json{{key, value}}, key, 0, count - 1));
  }

  void read_channels() {
    if (op_.contains("channel_type")) {
      const std::string type = base::text_member(op_, "channel_type");
      if (type != "memory" && type != "port")
        throw base::wrong_member("channel_type", "memory or port: switches are not read");
      port_ = type == "port";
    }
    if (op_.contains("channel_ids"))
      for (const Json& id : list(op_, "channel_ids"))
        channels_.push_back(
            {port_, reach_.channels[port_][number(id, "channel_ids", std::ssize(reach_.channels[port_]))]});
    if (channels_.size() > plan_channels_at_once)
      throw base::wrong_member("channel_ids", fmt::format("at most {}", plan_channels_at_once));
  }
  void read_shares() {
    if (op_.contains("tbg_info")) {
      const Json& info = base::member(op_, "tbg_info");
      model_.shares = base::whole_member(info, "tbg_size", 1, 64);
      model_.share = base::whole_member(info, "tb_id", 0, model_.shares - 1);
    }
    model_.says_round = op_.contains("round");
    if (model_.says_round) model_.round = base::whole_member(op_, "round", -1, most_rounds);
    if (op_.contains("incoming")) model_.left = base::text_member(op_, "incoming") == "left";
  }

  /// A place of one's own by its type, or of a peer by a number.
  PlanRef chunks(const Json& json, bool remote) const {
    PlanRef ref{.rank = gpu_};
    if (remote) {
      const std::vector<PlanRef>& all = reach_.buffers[port_];
      ref = all[number(base::member(json, "buffer_id"), "buffer_id", std::ssize(all))];
    } else {
      const std::string type = base::text_member(json, "type");
      if (type != "i" && type != "o" && type != "s") throw base::wrong_member("type", "i, o or s");
      ref.chunk.buffer = type[0];
    }
    const PlanGpuText& gpu = plan_.gpus[static_cast<std::size_t>(ref.rank)];
    const Slot have = ref.chunk.buffer == 'i' ? gpu.in : ref.chunk.buffer == 'o' ? gpu.out : gpu.scratch;
    ref.chunk.at = base::whole_member(json, "index", 0, most_plan_index);
    ref.count = base::whole_member(json, "size", 1, most_plan_index);
    if (ref.chunk.at + ref.count > have)
      throw base::wrong_member("index",
                               fmt::format("chunks of the {} that gpu {} has in {}", have, ref.rank, ref.chunk.buffer));
    return in_memory(ref);
  }
  /// In place two names are one memory: of the larger buffer, and of the input where both are as large.
  PlanRef in_memory(PlanRef ref) const {
    if (!plan_.in_place) return ref;
    const Collective kind = plan_.kind.collective;
    const PlanGpuText& gpu = plan_.gpus[static_cast<std::size_t>(ref.rank)];
    if (kind == Collective::allgather && ref.chunk.buffer == 'i') ref.chunk = {'o', ref.chunk.at + ref.rank * gpu.in};
    if (kind == Collective::bcast && ref.chunk.buffer == 'i') ref.chunk.buffer = 'o';
    if (kind == Collective::allreduce && ref.chunk.buffer == 'o') ref.chunk.buffer = 'i';
    if (kind == Collective::reduce_scatter && ref.chunk.buffer == 'o')
      ref.chunk = {'i', ref.chunk.at + ref.rank * gpu.out};
    return ref;
  }

  std::vector<PlanRef> refs(const char* key, std::size_t local, bool remote) const {
    std::vector<PlanRef> all;
    for (const Json& one : list(op_, key)) {
      all.push_back(chunks(one, all.size() >= local && remote));
      if (all.back().count != all.front().count && local == 1)
        throw base::wrong_member("size", "equal sizes at both ends");
    }
    if (all.empty() || all.size() > plan_channels_at_once + 2) throw base::wrong_member(key, "1 to 10 places");
    return all;
  }
  void move(std::string name, std::vector<PlanRef> sources, std::vector<PlanRef> targets) {
    PlanStep step = model_;
    step.name = std::move(name);
    step.fused = !steps_.empty();
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (sources[i].count != targets[std::min(i, targets.size() - 1)].count)
        throw base::wrong_member("size", "equal sizes at both ends");
    step.sources = std::move(sources), step.targets = std::move(targets);
    steps_.push_back(std::move(step));
  }

  void puts() {
    const std::vector<PlanRef> from = refs("src_buff", 8, false), to = refs("dst_buff", 0, true);
    if (from.size() != to.size()) throw base::wrong_member("src_buff", "as many as dst_buff");
    if (std::any_of(from.begin(), from.end(), [&](const PlanRef& b) { return b.chunk.buffer != from[0].chunk.buffer; }))
      throw base::wrong_member("src_buff", "sources in one buffer");
    move("put", from, to);
    if (name_ == "put") return;
    if (!port_ || channels_.size() != to.size())
      throw base::wrong_member("channel_ids", "a port channel for each of dst_buff");
    PlanStep signal{.name = "signal"};
    signal.channels = channels_;
    signal.fused = true;
    steps_.push_back(std::move(signal));
  }
  void copies() {
    const bool gets = name_ == "get";
    const std::vector<PlanRef> from = refs("src_buff", gets ? 0 : 8, gets), to = refs("dst_buff", 8, false);
    if (from.size() != to.size() || (!gets && to.size() != 1))
      throw base::wrong_member("src_buff", gets ? "as many as dst_buff" : "one of copy");
    for (std::size_t i = 0; i < from.size(); ++i) move("copy", {from[i]}, {to[i]});
  }
  /// The first source and the first target are one's own; of "rre" and "rres" other sources are of peers.
  void reductions() {
    const std::vector<PlanRef> from = refs("src_buff", 1, is({"rre", "rres"}));
    const std::vector<PlanRef> to = refs("dst_buff", 1, is({"res", "rres"}));
    if (from.size() < 2) throw base::wrong_member("src_buff", "two or more");
    if (to.size() != 1 && is({"re", "rre"})) throw base::wrong_member("dst_buff", "one");
    for (std::size_t i = 1; i < from.size(); ++i) move("re", {i == 1 ? from[0] : to[0], from[i]}, {to[0]});
    for (std::size_t i = 1; i < to.size(); ++i) move("put", {to[0]}, {to[i]});
  }

  void others() {
    PlanStep step{.name = name_};
    step.channels = channels_;
    if (op_.contains("semaphore_ids")) {
      const std::ptrdiff_t have = std::ssize(plan_.gpus[static_cast<std::size_t>(gpu_)].semaphores);
      for (const Json& id : list(op_, "semaphore_ids")) step.semaphores.push_back(number(id, "semaphore_ids", have));
    }
    const bool talks = is({"signal", "wait", "flush", "rlxsignal", "rlxwait"});
    if (talks && channels_.empty()) throw base::wrong_member("channel_ids", "at least one");
    if (name_.starts_with("sem_") && step.semaphores.empty()) throw base::wrong_member("semaphore_ids", "at least one");
    if (name_ == "barrier") {
      step.barrier = base::whole_member(op_, "barrier_id", 0, most_barriers - 1);
      step.blocks = static_cast<std::size_t>(base::whole_member(op_, "num_threadblocks", 1, most_barrier_blocks));
    }
    steps_.push_back(std::move(step));
  }

  const Json& op_;
  const PlanReach& reach_;
  const PlanText& plan_;
  Rank gpu_;
  std::string name_;
  bool port_ = false;
  std::vector<PlanChannel> channels_;
  PlanStep model_;
  std::vector<PlanStep> steps_;
};

}  // namespace

std::vector<PlanStep> read_plan_steps(const Json& op, const PlanReach& reach, const PlanText& plan, Rank gpu) {
  return PlanOperation(op, reach, plan, gpu).read();
}

}  // namespace quadrille::interchange
