#include "interchange/mscclpp_parse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.hpp"
#include "base/text.hpp"
#include "interchange/mscclpp_moves.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::int64_t most_plan_chunks = std::int64_t{1} << 30, most_plan_gpus = 4096;
constexpr std::size_t most_plan_steps = std::size_t{1} << 20;

/// Reads one GPU: what it has first, then its thread blocks.
class PlanParser {
 public:
  PlanParser(const Json& json, const std::string& name) : json_(json) { plan_.file = name; }

  PlanText read() {
    const std::string kind = base::text_member(json_, "collective");
    const auto found = std::find_if(plan_collectives.begin(), plan_collectives.end(),
                                    [&](const PlanCollective& c) { return c.name == kind; });
    if (found == plan_collectives.end()) {
      std::vector<std::string> known;
      for (const PlanCollective& c : plan_collectives) known.emplace_back(c.name);
      throw base::wrong_member("collective", "one of " + base::join(known, ", "));
    }
    plan_.kind = *found;
    if (base::text_member(json_, "protocol") != "Simple")
      throw base::wrong_member("protocol", "Simple: packets are not read");
    const Json& in_place = base::member(json_, "inplace");
    const bool reduces = kind == "allreduce" || kind == "reducescatter";
    if (!in_place.is_boolean() || (in_place.get<bool>() != found->in_place && !reduces))
      throw base::wrong_member("inplace", reduces ? "true or false" : fmt::format("{} for {}", found->in_place, kind));
    plan_.in_place = in_place.get<bool>();
    if (json_.contains("quadrille")) plan_.head = head_from_json(json_.at("quadrille"));
    const Json& gpus = list_of(json_, "gpus");
    if (gpus.empty() || std::ssize(gpus) > most_plan_gpus)
      throw base::wrong_member("gpus", fmt::format("1 to {} of them", most_plan_gpus));
    for (std::size_t r = 0; r < gpus.size(); ++r) named(fmt::format("gpu {}", r), [&] { read_tables(gpus[r], r); });
    for (std::size_t r = 0; r < gpus.size(); ++r) named(fmt::format("gpu {}", r), [&] { read_blocks(gpus[r], r); });
    return std::move(plan_);
  }

 private:
  /// What goes wrong within is said of that place.
  template <class Work>
  static void named(const std::string& place, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}{}{}", place, error.what()[0] == ',' ? "" : ": ", error.what()));
    }
  }
  static const Json& list_of(const Json& json, const char* key) {
    const Json& list = base::member(json, key);
    if (!list.is_array()) throw base::wrong_member(key, "a list");
    return list;
  }
  static std::int64_t number_of(const Json& value, const char* key, std::int64_t high) {
    return base::whole_member(Json{{key, value}}, key, 0, high);
  }
  std::int64_t last_gpu() const { return std::ssize(json_.at("gpus")) - 1; }

  static bool is_port(const Json& json, const char* key) {
    const std::string type = base::text_member(json, key);
    if (type != "memory" && type != "port") throw base::wrong_member(key, "memory or port: switches are not read");
    return type == "port";
  }
  static char letter_of(const Json& json) {
    const std::string type = base::text_member(json, "type");
    if (type != "i" && type != "o" && type != "s") throw base::wrong_member("type", "i, o or s");
    return type[0];
  }

  void read_tables(const Json& json, std::size_t r) {
    base::whole_member(json, "id", static_cast<std::int64_t>(r), static_cast<std::int64_t>(r));
    PlanGpuText gpu{.in = base::whole_member(json, "input_chunks", 1, most_plan_chunks),
                    .out = base::whole_member(json, "output_chunks", 1, most_plan_chunks),
                    .scratch = base::whole_member(json, "scratch_chunks", 0, most_plan_chunks)};
    for (const Json& channel : list_of(json, "channels"))
      for (const Json& peer : list_of(channel, "connected_to")) {
        const Rank to = number_of(peer, "connected_to", last_gpu());
        if (to == static_cast<Rank>(r)) throw base::wrong_member("connected_to", "other gpus");
        gpu.peers[is_port(channel, "channel_type")].push_back(to);
      }
    remote_.emplace_back();
    for (const Json& buffer : list_of(json, "remote_buffers"))
      remote_.back().push_back({base::whole_member(buffer, "rank", 0, last_gpu()), {letter_of(buffer), 0}, 0});
    if (json.contains("semaphores"))
      for (const Json& semaphore : list_of(json, "semaphores"))
        gpu.semaphores.push_back(base::whole_member(semaphore, "init_value", 0, 1 << 16));
    if (gpu.semaphores.size() > plan_semaphores)
      throw base::wrong_member("semaphores", fmt::format("at most {}", plan_semaphores));
    plan_.gpus.push_back(std::move(gpu));
  }

  void read_blocks(const Json& json, std::size_t r) {
    const Json& blocks = list_of(json, "threadblocks");
    for (std::size_t b = 0; b < blocks.size(); ++b)
      named(fmt::format(", thread block {}", b), [&] {
        const Json& block = blocks[b];
        base::whole_member(block, "id", static_cast<std::int64_t>(b), static_cast<std::int64_t>(b));
        const PlanReach reach = reach_of(block, r);
        PlanThreads threads{.gpu = static_cast<Rank>(r)};
        const Json& ops = list_of(block, "ops");
        if (ops.size() > plan_operations) throw base::wrong_member("ops", fmt::format("at most {}", plan_operations));
        if ((steps_ += ops.size()) > most_plan_steps)
          throw Error(Error::Kind::budget, fmt::format("more than {} operations", most_plan_steps));
        for (std::size_t i = 0; i < ops.size(); ++i)
          named(fmt::format(", operation {}", i), [&] { add_steps(ops[i], reach, i, threads); });
        plan_.blocks.push_back(std::move(threads));
      });
  }
  PlanReach reach_of(const Json& block, std::size_t r) const {
    PlanReach reach;
    for (const Json& channel : list_of(block, "channels")) {
      const bool port = is_port(channel, "channel_type");
      for (const Json& id : list_of(channel, "channel_ids"))
        reach.channels[port].push_back(
            static_cast<std::size_t>(number_of(id, "channel_ids", std::ssize(plan_.gpus[r].peers[port]) - 1)));
    }
    for (const Json& ref : list_of(block, "remote_buffer_refs")) {
      const bool port = is_port(ref, "access_channel_type");
      for (const Json& id : list_of(ref, "remote_buffer_ids"))
        reach.buffers[port].push_back(
            remote_[r][static_cast<std::size_t>(number_of(id, "remote_buffer_ids", std::ssize(remote_[r]) - 1))]);
    }
    for (const bool port : {false, true})
      if (reach.channels[port].size() > plan_channels || reach.buffers[port].size() > plan_buffers)
        throw base::wrong_member("channels",
                                 fmt::format("at most {} channels and {} buffers", plan_channels, plan_buffers));
    return reach;
  }

  void add_steps(const Json& op, const PlanReach& reach, std::size_t number, PlanThreads& threads) {
    for (PlanStep& step : read_plan_steps(op, reach, plan_, threads.gpu)) {
      step.operation = number;
      if (step.shares > 1 && plan_.shares > 1 && plan_.shares != step.shares)
        throw base::wrong_member("tbg_size", "one size in all of the plan");
      plan_.shares = std::max(plan_.shares, step.shares);
      threads.steps.push_back(std::move(step));
    }
  }

  const Json& json_;
  PlanText plan_;
  std::vector<std::vector<PlanRef>> remote_;  ///< of each gpu
  std::size_t steps_ = 0;
};

}  // namespace

void PlanText::refuse(const PlanThreads& block, std::size_t step, const std::string& why) const {
  const auto number = std::count_if(blocks.begin(), blocks.begin() + (&block - blocks.data()),
                                    [&](const PlanThreads& other) { return other.gpu == block.gpu; });
  throw Error(Error::Kind::format, fmt::format("gpu {}, thread block {}, operation {}: {}", block.gpu, number,
                                               block.steps[step].operation, why));
}

PlanText parse_plan(const Json& json, const std::string& name) { return PlanParser(json, name).read(); }

}  // namespace quadrille::interchange
