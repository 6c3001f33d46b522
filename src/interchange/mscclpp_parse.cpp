#include "interchange/mscclpp_parse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.hpp"
#include "base/text.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::int64_t most_plan_chunks = std::int64_t{1} << 30, most_plan_gpus = 4096;
constexpr std::size_t most_plan_steps = std::size_t{1} << 20;
const std::vector<std::string> plan_steps{"nop",  "put",   "copy",        "re",         "signal",
                                          "wait", "flush", "sem_acquire", "sem_release"};

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
    if (!in_place.is_boolean() || in_place.get<bool>() != found->in_place)
      throw base::wrong_member("inplace", fmt::format("{} for {}", found->in_place, found->name));
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

  /// What a thread block reaches, by the numbers that its operations use.
  struct Reach {
    std::vector<std::size_t> channels[2] = {};
    std::vector<PlanRef> buffers[2] = {};
  };

  void read_blocks(const Json& json, std::size_t r) {
    const Json& blocks = list_of(json, "threadblocks");
    for (std::size_t b = 0; b < blocks.size(); ++b)
      named(fmt::format(", thread block {}", b), [&] {
        const Json& block = blocks[b];
        base::whole_member(block, "id", static_cast<std::int64_t>(b), static_cast<std::int64_t>(b));
        const Reach reach = reach_of(block, r);
        PlanThreads threads{.gpu = static_cast<Rank>(r)};
        const Json& ops = list_of(block, "ops");
        if (ops.size() > plan_operations) throw base::wrong_member("ops", fmt::format("at most {}", plan_operations));
        if ((steps_ += ops.size()) > most_plan_steps)
          throw Error(Error::Kind::budget, fmt::format("more than {} operations", most_plan_steps));
        for (std::size_t i = 0; i < ops.size(); ++i)
          named(fmt::format(", operation {}", i), [&] { threads.steps.push_back(step(ops[i], reach, r)); });
        plan_.blocks.push_back(std::move(threads));
      });
  }
  Reach reach_of(const Json& block, std::size_t r) const {
    Reach reach;
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

  PlanStep step(const Json& op, const Reach& reach, std::size_t r) {
    PlanStep s{.name = base::text_member(op, "name")};
    if (std::find(plan_steps.begin(), plan_steps.end(), s.name) == plan_steps.end())
      throw base::wrong_member("name", "one of " + base::join(plan_steps, ", "));
    const bool port = op.contains("channel_type") && is_port(op, "channel_type");
    if (op.contains("channel_ids"))
      for (const Json& id : list_of(op, "channel_ids"))
        s.channels.push_back({port, reach.channels[port][static_cast<std::size_t>(
                                        number_of(id, "channel_ids", std::ssize(reach.channels[port]) - 1))]});
    if (s.channels.size() > plan_channels_at_once)
      throw base::wrong_member("channel_ids", fmt::format("at most {}", plan_channels_at_once));
    if (op.contains("semaphore_ids"))
      for (const Json& id : list_of(op, "semaphore_ids"))
        s.semaphores.push_back(
            static_cast<std::size_t>(number_of(id, "semaphore_ids", std::ssize(plan_.gpus[r].semaphores) - 1)));
    const bool put = s.name == "put", copy = s.name == "copy", reduces = s.name == "re";
    if (put || copy || reduces) read_move(op, reach.buffers[port], static_cast<Rank>(r), s);
    const bool talks = s.name == "signal" || s.name == "wait" || s.name == "flush";
    if (talks && s.channels.empty()) throw base::wrong_member("channel_ids", "at least one");
    if (s.name.starts_with("sem_") && s.semaphores.empty()) throw base::wrong_member("semaphore_ids", "at least one");
    return s;
  }

  void read_move(const Json& op, const std::vector<PlanRef>& remote, Rank r, PlanStep& s) {
    const bool put = s.name == "put";
    for (const Json& b : list_of(op, "src_buff")) s.sources.push_back(chunks(b, {}, r));
    for (const Json& b : list_of(op, "dst_buff")) s.targets.push_back(chunks(b, put ? &remote : nullptr, r));
    const std::size_t sources = s.name == "re" ? 2 : put ? s.targets.size() : 1;
    if (s.targets.empty() || s.targets.size() > plan_channels_at_once || s.sources.size() != sources ||
        (!put && s.targets.size() != 1))
      throw base::wrong_member("src_buff", put ? "as many as dst_buff, 1 to 8" : "two of re, one of copy");
    for (const PlanRef& b : s.sources)
      if (b.count != s.targets[put ? static_cast<std::size_t>(&b - s.sources.data()) : 0].count)
        throw base::wrong_member("size", "equal sizes at both ends");
    if (put && std::any_of(s.sources.begin(), s.sources.end(),
                           [&](const PlanRef& b) { return b.chunk.buffer != s.sources[0].chunk.buffer; }))
      throw base::wrong_member("src_buff", "sources in one buffer");
    if (op.contains("tbg_info")) {
      const Json& info = op.at("tbg_info");
      s.shares = base::whole_member(info, "tbg_size", 1, 64);
      s.share = base::whole_member(info, "tb_id", 0, s.shares - 1);
      if (plan_.shares != 1 && plan_.shares != s.shares)
        throw base::wrong_member("tbg_size", "one size in all of the plan");
      plan_.shares = s.shares;
    }
    s.says_round = op.contains("round");
    if (s.says_round) s.round = base::whole_member(op, "round", -1, most_rounds);
    if (op.contains("incoming")) s.left = base::text_member(op, "incoming") == "left";
  }
  PlanRef chunks(const Json& json, const std::vector<PlanRef>* remote, Rank r) const {
    PlanRef ref{.rank = r};
    if (remote != nullptr)
      ref = (*remote)[static_cast<std::size_t>(base::whole_member(json, "buffer_id", 0, std::ssize(*remote) - 1))];
    else
      ref.chunk.buffer = letter_of(json);
    const PlanGpuText& gpu = plan_.gpus[static_cast<std::size_t>(ref.rank)];
    const Slot have = ref.chunk.buffer == 'i' ? gpu.in : ref.chunk.buffer == 'o' ? gpu.out : gpu.scratch;
    ref.chunk.at = base::whole_member(json, "index", 0, most_plan_chunks);
    ref.count = base::whole_member(json, "size", 1, most_plan_chunks);
    if (ref.chunk.at + ref.count > have)
      throw base::wrong_member("index",
                               fmt::format("chunks of the {} that gpu {} has in {}", have, ref.rank, ref.chunk.buffer));
    return ref;
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
  throw Error(Error::Kind::format,
              fmt::format("gpu {}, thread block {}, operation {}: {}", block.gpu, number, step, why));
}

PlanText parse_plan(const Json& json, const std::string& name) { return PlanParser(json, name).read(); }

}  // namespace quadrille::interchange
