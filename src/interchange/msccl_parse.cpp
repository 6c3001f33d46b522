#include "interchange/msccl_parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace quadrille::interchange {

namespace {

constexpr std::int64_t most_chunks = std::int64_t{1} << 30;

class MscclParser {
 public:
  MscclParser(const std::string& text, const std::string& name) : root_(parse_xml(text, name)) { out_.file = name; }

  MscclText read() {
    if (!root_.is("algo")) refuse(root_, fmt::format("<{}>; expected <algo>", base::quoted(root_.name)));
    read_head();
    out_.blocks.resize(static_cast<std::size_t>(out_.ranks));
    out_.chunks.resize(out_.blocks.size());
    std::set<Rank> seen;
    for (const XmlElement& gpu : root_.children) {
      if (!gpu.is("gpu")) refuse(gpu, fmt::format("<{}>; expected <gpu>", base::quoted(gpu.name)));
      const Rank r = whole(gpu, "id", 0, out_.ranks - 1);
      if (!seen.insert(r).second) refuse(gpu, fmt::format("gpu {} comes twice", r));
      read_gpu(gpu, r);
    }
    if (static_cast<Rank>(seen.size()) != out_.ranks)
      refuse(root_, fmt::format("{} of {} gpus; expected one <gpu> for each id", seen.size(), out_.ranks));
    std::int64_t places = 0;
    for (const auto& of_rank : out_.chunks) places += of_rank.in + of_rank.out + of_rank.scratch;
    if (places > most_places)
      refuse(root_, fmt::format("{} chunks in all buffers; at most {} are read", base::format_count(places),
                                base::format_count(most_places)));
    take_rounds();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const XmlElement& at, const std::string& why) const { refuse_line(out_.file, at.line, why); }
  std::int64_t whole(const XmlElement& e, std::string_view key, std::int64_t low, std::int64_t high) const {
    return whole_attribute(e, key, low, high, out_.file);
  }

  void read_head() {
    const std::string name = root_.text("coll");
    const auto found = std::find_if(msccl_collectives.begin(), msccl_collectives.end(),
                                    [&](const MscclCollective& c) { return c.name == name; });
    if (found == msccl_collectives.end()) {
      std::vector<std::string> known;
      for (const MscclCollective& c : msccl_collectives) known.emplace_back(c.name);
      refuse(root_, fmt::format("coll={}; expected one of {}", base::quoted(name), base::join(known, ", ")));
    }
    out_.kind = *found;
    out_.ranks = whole(root_, "ngpus", 1, 1 << 16);
    const std::int64_t chunks = whole(root_, "nchunksperloop", 1, most_chunks);
    out_.labels = out_.kind.per_rank ? out_.ranks : 1;
    if (chunks % out_.labels != 0)
      refuse(root_, fmt::format("nchunksperloop={} is no multiple of {} ranks; expected chunks that divide a {}",
                                chunks, out_.labels, out_.kind.name));
    out_.pieces = chunks / out_.labels;
    out_.root = whole_attribute(root_, "root", 0, out_.ranks - 1, out_.file, 0);
    out_.rounds = whole_attribute(root_, "rounds", 0, most_rounds - 2, out_.file, 0);
    out_.in_place = whole_attribute(root_, "inplace", 0, 1, out_.file, 0) == 1;
    if (out_.in_place && out_.kind.collective == Collective::reduce)
      refuse(root_, "a reduce in place; expected inplace=\"0\", where every rank keeps what it contributes");
    if (const std::string* list = root_.find("barriers"))
      for (const std::string_view t : base::split(*list, ','))
        out_.barriers.push_back(base::parse_integer(t, 0, most_rounds, "barriers"));
  }

  void read_gpu(const XmlElement& gpu, Rank r) {
    const auto i = static_cast<std::size_t>(r);
    out_.chunks[i] = {whole(gpu, "i_chunks", 0, most_chunks), whole(gpu, "o_chunks", 0, most_chunks),
                      whole(gpu, "s_chunks", 0, most_chunks)};
    std::set<std::tuple<Rank, bool, std::int64_t>> ways;
    for (const XmlElement& tb : gpu.children) {
      const auto number = static_cast<std::int64_t>(out_.blocks[i].size());
      if (!tb.is("tb")) refuse(tb, fmt::format("<{}>; expected <tb>", base::quoted(tb.name)));
      if (whole(tb, "id", 0, most_chunks) != number)
        refuse(tb, fmt::format("tb {}; expected the number {}", tb.text("id"), number));
      ReadBlock block{whole(tb, "send", -1, out_.ranks - 1), whole(tb, "recv", -1, out_.ranks - 1),
                      whole(tb, "chan", 0, 1 << 16), tb.line};
      if (block.send == r || block.recv == r) refuse(tb, "a thread block sends to its own gpu; expected another");
      for (const bool sends : {true, false}) {
        const Rank peer = sends ? block.send : block.recv;
        if (peer >= 0 && !ways.insert({peer, sends, block.channel}).second)
          refuse(tb, fmt::format("a second thread block {} gpu {} on channel {}; expected one",
                                 sends ? "sends to" : "receives from", peer, block.channel));
      }
      for (const XmlElement& step : tb.children) block.steps.push_back(read_step(step, block, number));
      out_.blocks[i].push_back(std::move(block));
    }
    for (const ReadBlock& block : out_.blocks[i])
      for (const ReadStep& s : block.steps) check_wait(s, i);
  }

  void check_wait(const ReadStep& s, std::size_t i) const {
    if (s.wait_block < 0) return;
    const auto block = static_cast<std::size_t>(s.wait_block);
    if (block >= out_.blocks[i].size() || static_cast<std::size_t>(s.wait_step) >= out_.blocks[i][block].steps.size())
      refuse_line(out_.file, s.line,
                  fmt::format("depid={} deps={}: no such step; expected one of this gpu", s.wait_block, s.wait_step));
  }

  ReadStep read_step(const XmlElement& e, const ReadBlock& block, std::int64_t number) {
    if (!e.is("step")) refuse(e, fmt::format("<{}>; expected <step>", base::quoted(e.name)));
    if (++steps_ > most_transfers) throw Error(Error::Kind::budget, "more steps than can be read");
    ReadStep s{.block = static_cast<std::size_t>(number), .step = block.steps.size(), .line = e.line};
    if (whole(e, "s", 0, most_chunks) != static_cast<std::int64_t>(s.step))
      refuse(e, fmt::format("step {}; expected the number {}", e.text("s"), s.step));
    const std::string type = e.text("type");
    read_type(e, type, s);
    if ((s.sends && block.send < 0) || (s.receives && block.recv < 0))
      refuse(e, fmt::format("type={} in a thread block without such a peer", base::quoted(type)));
    s.wait_block = whole(e, "depid", -1, most_chunks);
    s.wait_step = s.wait_block < 0 ? -1 : whole(e, "deps", 0, most_chunks);
    s.round = whole_attribute(e, "round", -1, most_rounds - 4, out_.file, -2);
    s.send_round = s.receives && s.sends ? s.round + 1 : -1;
    any_round_ |= s.round != -2;
    all_rounds_ &= s.round != -2;
    if (s.nothing()) return s;
    s.count = whole(e, "cnt", 1, most_chunks);
    if (s.combines || !s.receives) s.from = chunk(e, "srcbuf", "srcoff");
    if (s.receives || s.copies) s.to = chunk(e, "dstbuf", "dstoff");
    if (type == "s" && !out_.kind.per_rank)
      out_.mixes_pieces |=
          (s.from.at - whole_attribute(e, "dstoff", 0, most_chunks, out_.file, s.from.at)) % out_.pieces != 0;
    if (type == "rrs") s.to = {'t', out_.fresh}, out_.fresh += s.count;
    return s;
  }

  void read_type(const XmlElement& e, const std::string& type, ReadStep& s) const {
    s.receives = type == "r" || type == "rcs" || type == "rrc" || type == "rrs" || type == "rrcs";
    s.sends = type == "s" || type == "rcs" || type == "rrs" || type == "rrcs";
    s.copies = type == "cpy" || type == "re";
    s.combines = type == "rrc" || type == "rrs" || type == "rrcs" || type == "re";
    if (s.nothing() && type != "nop")
      refuse(e, fmt::format("type={}; expected one of s, r, rcs, rrc, rrs, rrcs, cpy, re, nop", base::quoted(type)));
    const std::string side = e.text("incoming", "right");
    if (side != "left" && side != "right") refuse(e, "incoming is neither left nor right");
    s.incoming = side == "left" ? Combine::Incoming::left : Combine::Incoming::right;
  }

  Chunk chunk(const XmlElement& e, std::string_view buffer, std::string_view offset) const {
    const std::string letter = e.text(buffer);
    if (letter != "i" && letter != "o" && letter != "s")
      refuse(e, fmt::format("{}={}; expected i, o or s", buffer, base::quoted(letter)));
    return {letter[0], whole(e, offset, 0, most_chunks)};
  }

  void take_rounds() {
    if (any_round_ && !all_rounds_) refuse(root_, "some steps have a round and some have none; expected all or none");
    out_.says_rounds = any_round_;
    if (any_round_) return;
    for (auto& blocks : out_.blocks)
      for (ReadBlock& block : blocks)
        for (ReadStep& s : block.steps) s.round = s.send_round = -1;
  }

  XmlElement root_;
  MscclText out_;
  bool any_round_ = false, all_rounds_ = true;
  std::int64_t steps_ = 0;
};

}  // namespace

MscclText parse_msccl(const std::string& text, const std::string& name) { return MscclParser(text, name).read(); }

}  // namespace quadrille::interchange
