// Schedules as MSCCL's XML. Rounds, root, barriers and the side of an operand stand in attributes that other readers
// pass over.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "interchange/msccl_layout.hpp"

namespace quadrille::interchange {

namespace {

const MscclCollective& collective_of(const Spec& spec) {
  const auto found = std::find_if(msccl_collectives.begin(), msccl_collectives.end(),
                                  [&](const MscclCollective& c) { return c.collective == spec.collective; });
  if (found != msccl_collectives.end()) return *found;
  std::vector<std::string> names;
  for (const MscclCollective& c : msccl_collectives) names.emplace_back(to_string(c.collective));
  refuse_msccl(fmt::format("it has no {}; expected one of {}", to_string(spec.collective), base::join(names, ", ")));
}

void check_msccl(const Spec& spec) {
  check_ranks_only(spec, "MSCCL's XML");
  if (spec.bytes == 0) refuse_msccl("there is nothing to send; expected a size above 0");
  if (spec.offsets) refuse_msccl("blocks are of one size; expected a reduce_scatter without --counts");
  if (combines(spec) && (spec.operands == Operands::ordered || spec.canonical))
    refuse_msccl("its operators take operands in any order; expected commutative operands, and bits that may differ");
}

std::string step_text(const MscclStep& s, std::size_t number) {
  const bool nothing = s.type == "nop";
  const ChunkRun& run = s.run;
  // A receive that combines names the operand where others name the chunk at the sender.
  const Chunk source = s.type == "rrc" ? run.with : run.from;
  std::string text = fmt::format(
      R"(   <step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="{}" depid="{}" deps="{}" hasdep="{}" round="{}")",
      number, s.type, nothing ? 'i' : source.buffer, nothing ? -1 : source.at, nothing ? 'o' : run.to.buffer,
      nothing ? -1 : run.to.at, nothing ? 0 : run.count, s.block, s.step, s.waited_for ? 1 : 0, s.round);
  if (run.incoming == Combine::Incoming::left) text += R"( incoming="left")";
  return text + "/>\n";
}

std::string head_of(const Written& w, const MscclLayout& layout) {
  const Spec& spec = w.spec;
  const bool in_place = spec.collective == Collective::allgather || spec.collective == Collective::bcast;
  std::vector<std::int64_t> barriers;
  for (Round t = 0; t < w.schedule.shape().rounds; ++t)
    if (w.schedule.barrier(t)) barriers.push_back(t);
  std::string text = fmt::format(
      R"(<algo name="{}" proto="Simple" nchannels="{}" nchunksperloop="{}" ngpus="{}" coll="{}" inplace="{}" outofplace="{}" minBytes="0" maxBytes="0")",
      to_string(spec.collective), layout.channels, std::max(layout.in, layout.out), spec.ranks(),
      collective_of(spec).name, in_place ? 1 : 0, in_place ? 0 : 1);
  if (has_root(spec.collective)) text += fmt::format(R"( root="{}")", spec.root);
  text += fmt::format(R"( rounds="{}")", w.schedule.shape().rounds);
  if (!barriers.empty()) text += fmt::format(R"( barriers="{}")", base::join(barriers, ","));
  return text + ">\n";
}

}  // namespace

std::int64_t write_msccl(const Written& w, const TextSink& sink) {
  check_msccl(w.spec);
  collective_of(w.spec);
  const MscclLayout layout = msccl_layout(w);
  sink(head_of(w, layout));
  for (std::size_t r = 0; r < layout.ranks.size(); ++r) {
    std::string text = fmt::format(" <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", r, layout.in,
                                   layout.out, layout.scratch);
    for (std::size_t b = 0; b < layout.ranks[r].size(); ++b) {
      const ThreadBlock& block = layout.ranks[r][b];
      fmt::format_to(std::back_inserter(text), "  <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", b, block.send,
                     block.recv, block.channel);
      for (std::size_t s = 0; s < block.steps.size(); ++s) text += step_text(block.steps[s], s);
      text += "  </tb>\n";
    }
    sink(text + " </gpu>\n");
  }
  sink("</algo>\n");
  return layout.messages;
}

}  // namespace quadrille::interchange
