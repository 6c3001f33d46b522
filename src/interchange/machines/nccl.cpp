// XML that NCCL dumps of a computer with GPUs (NCCL_TOPO_DUMP_FILE): processors, PCIe, NVLinks.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "interchange/machines/imported.hpp"

namespace quadrille::interchange {

namespace {

/// Gigabytes a second of one NVLink and direction as NCCL counts them, by the GPU's generation.
constexpr std::pair<std::int64_t, double> nvlink_rates[] = {{60, 18.0}, {70, 20.0}, {80, 20.0},
                                                            {86, 12.0}, {90, 20.6}, {100, 40.1}};
/// Of a PCIe lane in units of 12.5 MB/s, as NCCL counts them, after coding and headers.
constexpr std::pair<std::string_view, double> pcie_rates[] = {{"2.5", 15},   {"5", 30},   {"5.0", 30},   {"8", 60},
                                                              {"8.0", 60},   {"16", 120}, {"16.0", 120}, {"32", 240},
                                                              {"32.0", 240}, {"64", 480}, {"64.0", 480}};
constexpr std::string_view nvswitch_class = "0x068000";
constexpr std::string_view between_processors = "10GB/s";

struct Gpu {
  std::string name, busid;
  double link_rate = 0;  ///< of one NVLink, bytes a second / 10^9
  const XmlElement* element = nullptr;
};

class NcclReader {
 public:
  NcclReader(const XmlElement& root, const std::string& file) : root_(root), file_(file), network_(file) {}

  ImportedNetwork read() {
    find_gpus(root_, "");
    if (gpus_.empty()) refuse_line(file_, root_.line, "no GPU; expected elements <gpu> in <pci> in <cpu>");
    for (const Gpu& gpu : gpus_) network_.add_host(gpu.name, gpu.element->line);
    join_processors();
    join_nvlinks();
    ImportedNetwork out{.form = "NCCL's XML"};
    out.understood.push_back(network_.summary());
    if (nvlinks_ > 0)
      out.understood.push_back(fmt::format("{} NVLinks, at NCCL's rates for the GPUs' generation", nvlinks_));
    if (processors_ > 1)
      out.left_out.push_back(fmt::format("the rate between {} processors, which the file does not have: {} is written",
                                         processors_, between_processors));
    if (cards_ > 0) out.left_out.push_back(fmt::format("network cards: {}", cards_));
    out.left_out.push_back("latencies, which the file does not have");
    out.text = network_.take("NCCL's XML " + base::quoted(file_, 200));
    return out;
  }

 private:
  void find_gpus(const XmlElement& e, const std::string& busid) {
    if (e.is("gpu")) {
      if (busid.empty()) refuse_line(file_, e.line, "<gpu> outside of <pci>; expected it inside");
      const std::int64_t generation = whole_attribute(e, "sm", 0, 1000, file_, 0);
      Gpu gpu{
          .name = fmt::format("gpu{}", whole_attribute(e, "dev", 0, 1 << 20, file_)), .busid = busid, .element = &e};
      for (const auto& [from, rate] : nvlink_rates)
        if (generation >= from) gpu.link_rate = rate;
      gpus_.push_back(gpu);
    }
    if (e.is("net")) ++cards_;
    const std::string inside = e.is("pci") ? e.text("busid") : busid;
    for (const XmlElement& child : e.children) find_gpus(child, inside);
  }

  const Gpu* gpu_at(const std::string& busid) const {
    const auto found = std::find_if(gpus_.begin(), gpus_.end(), [&](const Gpu& g) { return g.busid == busid; });
    return found == gpus_.end() ? nullptr : &*found;
  }

  static bool has_gpu(const XmlElement& e) {
    return e.is("gpu") || std::any_of(e.children.begin(), e.children.end(), has_gpu);
  }

  /// "24GB/s" of a PCIe link of the width and speed that the element has.
  std::string pcie_rate(const XmlElement& pci) const {
    const std::int64_t width = whole_attribute(pci, "link_width", 0, 64, file_);
    const std::string speed = pci.text("link_speed");
    for (const auto& [name, rate] : pcie_rates)
      if (speed.substr(0, speed.find(' ')) == name && width > 0)
        return fmt::format("{:g}GB/s", static_cast<double>(width) * rate / 80);
    refuse_line(file_, pci.line,
                fmt::format("link_speed {} and link_width {}; expected such as \"16.0 GT/s PCIe\" and 16",
                            base::quoted(speed), width));
  }

  void join_processors() {
    std::vector<std::string> names;
    for (const XmlElement& cpu : root_.children) {
      if (!cpu.is("cpu") || !has_gpu(cpu)) continue;
      const std::string name = fmt::format("cpu{}", names.size());
      names.push_back(name);
      network_.add_switch(name, cpu.line);
      for (const XmlElement& child : cpu.children) join_pci(child, name);
    }
    processors_ = names.size();
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = i + 1; j < names.size(); ++j)
        network_.add_link(names[i], names[j], std::string(between_processors) + " kind=sys");
  }

  void join_pci(const XmlElement& pci, const std::string& above) {
    if (!pci.is("pci") || !has_gpu(pci)) return;
    if (const Gpu* gpu = gpu_at(pci.text("busid")))
      return network_.add_link(gpu->name, above, pcie_rate(pci) + " kind=pcie");
    const std::string name = fmt::format("pci{}", bridges_++);
    network_.add_switch(name, pci.line);
    network_.add_link(name, above, pcie_rate(pci) + " kind=pcie");
    for (const XmlElement& child : pci.children) join_pci(child, name);
  }

  /// Both ends list a link between GPUs; what goes to a switch is listed at the GPU alone.
  void join_nvlinks() {
    std::map<std::pair<std::string, std::string>, std::int64_t> between;
    bool switched = false;
    for (const Gpu& gpu : gpus_)
      for (const XmlElement& link : gpu.element->children) {
        if (!link.is("nvlink")) continue;
        const std::int64_t count = whole_attribute(link, "count", 1, 1 << 10, file_);
        if (gpu.link_rate == 0)
          refuse_line(file_, link.line,
                      fmt::format("an NVLink of sm {}; expected 60 or later", gpu.element->text("sm")));
        const Gpu* peer = gpu_at(link.text("target"));
        if (peer == &gpu) refuse_line(file_, link.line, "an NVLink to the GPU itself; expected another target");
        if (peer == nullptr && link.text("tclass") != nvswitch_class) continue;  // a processor's
        if (peer != nullptr) {
          std::int64_t& links = between[std::minmax(gpu.name, peer->name)];
          links = std::max(links, count);
          rates_[std::minmax(gpu.name, peer->name)] = gpu.link_rate;
          continue;
        }
        if (!switched) network_.add_switch("nvswitch", link.line);
        switched = true;
        nvlinks_ += count;
        network_.add_link(gpu.name, "nvswitch",
                          fmt::format("{:g}GB/s kind=nvlink", static_cast<double>(count) * gpu.link_rate));
      }
    for (const auto& [pair, count] : between) {
      nvlinks_ += count;
      network_.add_link(pair.first, pair.second,
                        fmt::format("{:g}GB/s kind=nvlink", static_cast<double>(count) * rates_[pair]));
    }
  }

  const XmlElement& root_;
  std::string file_;
  NetworkText network_;
  std::vector<Gpu> gpus_;
  std::map<std::pair<std::string, std::string>, double> rates_;
  std::size_t processors_ = 0;
  std::int64_t nvlinks_ = 0, cards_ = 0;
  int bridges_ = 0;
};

}  // namespace

ImportedNetwork import_nccl(const XmlElement& root, const std::string& file) { return NcclReader(root, file).read(); }

}  // namespace quadrille::interchange
