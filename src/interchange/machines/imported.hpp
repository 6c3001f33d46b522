// Networks from files that describe machines for other programs.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interchange/xml_tree.hpp"

namespace quadrille::interchange {

constexpr std::size_t most_machine_bytes = std::size_t{64} << 20;

/// What a file said, as a network of ours.
struct ImportedNetwork {
  std::string form = {};                     ///< "topology.conf of SLURM"
  std::string topology = {};                 ///< a family's network, such as "torus:4x4"; empty: `text` is it
  std::string text = {};                     ///< a network file, for graph:FILE
  std::vector<std::string> understood = {};  ///< "8 hosts n00 .. n07"
  std::vector<std::string> left_out = {};    ///< what the file says and the network does not, or the reverse
};

/// Reads any of the forms that are known, which the text itself tells apart: topology.conf of SLURM, ibnetdiscover,
/// XML of hwloc, NCCL and SimGrid, `nvidia-smi topo -m`, and the variables of a TPU. Throws Error(format) with the line
/// for what is wrong in it, and for what is none of them.
ImportedNetwork import_network(const std::string& text, const std::string& file);

/// A network file as it is made: hosts and switches by name, and what joins them.
class NetworkText {
 public:
  explicit NetworkText(std::string file) : file_(std::move(file)) {}

  /// Throws Error(format) with the line for a name that another node has, or that has other signs than a network file
  /// takes.
  void add_host(const std::string& name, std::int64_t line);
  void add_switch(const std::string& name, std::int64_t line);
  bool has(const std::string& name) const { return nodes_.count(name) > 0; }
  /// `words` follow the two names: "25GB/s x2 kind=nvlink".
  void add_link(const std::string& a, const std::string& b, const std::string& words = {});

  /// Destinations share the shortest ways evenly, as those who set routes see to.
  void balance_routes() { balanced_ = true; }

  std::size_t hosts() const { return hosts_.size(); }
  std::size_t switches() const { return switches_.size(); }
  std::size_t links() const { return links_.size(); }
  /// "16 hosts, n00 to n15, 3 switches and 16 links".
  std::string summary() const;
  /// The file; `form` goes into its first line. Throws Error(format) unless it is a network: no host, or hosts that are
  /// not joined.
  std::string take(const std::string& form);

 private:
  void add_node(const std::string& name, std::int64_t line);
  std::string file_;
  std::set<std::string> nodes_;
  std::vector<std::string> hosts_, switches_, links_;
  bool balanced_ = false;
};

/// "n[00-03,7],m1" as SLURM writes lists of names. Throws Error(format) with the line for brackets that do not close,
/// ranges that fall, and more than 2^20 names.
std::vector<std::string> parse_host_list(std::string_view text, std::string_view file, std::int64_t line);

// One form a file of that name.
ImportedNetwork import_slurm(const std::string& text, const std::string& file);
ImportedNetwork import_ibnetdiscover(const std::string& text, const std::string& file);
ImportedNetwork import_nvidia_smi(const std::string& text, const std::string& file);
ImportedNetwork import_tpu(const std::string& text, const std::string& file);
ImportedNetwork import_hwloc(const XmlElement& root, const std::string& file);
ImportedNetwork import_nccl(const XmlElement& root, const std::string& file);
ImportedNetwork import_simgrid(const XmlElement& root, const std::string& file);

}  // namespace quadrille::interchange
