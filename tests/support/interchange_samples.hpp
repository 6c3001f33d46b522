// Small files of every form that is read: good ones, for tests that break them.
#pragma once

#include <string>
#include <vector>

#include "interchange/goal.hpp"
#include "interchange/msccl.hpp"
#include "interchange/mscclpp.hpp"
#include "interchange/schedule_file.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::testing {

/// Schedules as this program writes them, and one of GOAL as others do.
inline std::vector<std::string> schedule_samples() {
  std::vector<std::string> all;
  const auto sink = [&](std::string_view part) { all.back() += part; };
  for (const char* choice : {"allgather_daisy", "allreduce_halving", "alltoall_bruck", "bcast_chain:packets=3"}) {
    const Choice parsed = parse_choice(choice);
    Spec spec{.collective = parsed.algorithm->collective, .topology = parse_topology("crossbar:4"), .bytes = 192};
    spec = checked(spec);
    const Built built = build(spec, load_machine("unit"), parsed);
    const interchange::Written written{spec, *built.schedule, choice};
    all.emplace_back(), interchange::write_schedule_json(written, sink);
    all.emplace_back(), interchange::write_msccl(written, sink);
    all.emplace_back(), interchange::write_mscclpp(written, sink);
    all.emplace_back(), interchange::write_goal(written, sink, interchange::GoalOrder::data);
  }
  all.emplace_back(
      "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 7\nb: recv 4b from 1\nb requires a\n}\nrank 1 {\na: recv 8b from 0 "
      "tag "
      "7\nb: send 4b to 0\nc: calc 0\nc irequires b\n}\n");
  return all;
}

/// Machines as SLURM, InfiniBand's tools, NVIDIA's, hwloc, NCCL and SimGrid describe them.
inline std::vector<std::string> machine_samples() {
  return {
      "SwitchName=leaf0 Nodes=n[00-03] LinkSpeed=100\nSwitchName=leaf1 Nodes=n[04-07]\nSwitchName=spine "
      "Switches=leaf[0-1]\n",
      "switchguid=0x1\nSwitch\t8 \"S-01\"\t\t# \"leaf1\" base port 0 lid 0 lmc 0\n[1]\t\"H-04\"[1](5) \t\t# \"n02 "
      "HCA-1\" lid "
      "0 4xHDR\n[2]\t\"H-06\"[1](7) \t\t# \"n03\" lid 0 4xHDR\n\nCa\t1 \"H-04\"\t\t# \"n02 HCA-1\"\n[1](5) "
      "\t\"S-01\"[1]\t\t# lid "
      "0 lmc 0 \"leaf1\" lid 0 4xHDR\n\nCa\t1 \"H-06\"\t\t# \"n03\"\n[1](7) \t\"S-01\"[2]\t\t# lid 0 lmc 0 \"leaf1\" "
      "lid 0 "
      "4xHDR\n",
      "\tGPU0\tGPU1\tGPU2\tNIC0\nGPU0\tX\tNV2\tSYS\tPIX\nGPU1\tNV2\tX\tNODE\tPIX\nGPU2\tSYS\tNODE\tX\tPIX\n",
      "<topology version=\"2.0\">\n<object type=\"Machine\"><object type=\"Package\"><object type=\"Core\"><object "
      "type=\"PU\"/></object><object type=\"Core\"><object type=\"PU\"/></object></object></object>\n</topology>\n",
      "<system version=\"1\">\n<cpu numaid=\"0\"><pci busid=\"a\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"><gpu "
      "dev=\"0\" sm=\"90\"><nvlink target=\"x\" count=\"18\" tclass=\"0x068000\"/></gpu></pci>\n<pci busid=\"b\" "
      "link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"1\" sm=\"90\"/></pci></cpu>\n</system>\n",
      "<platform version=\"4.1\">\n<zone id=\"top\" routing=\"Full\"><cluster id=\"t\" prefix=\"n\" radical=\"0-15\" "
      "bw=\"12.5GBps\" lat=\"100ns\" topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\"/></zone>\n</platform>\n",
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Floyd\"><host id=\"n0\"/><host id=\"n1\"/><link id=\"a\" "
      "bandwidth=\"1GBps\" latency=\"1us\"/><route src=\"n0\" dst=\"n1\"><link_ctn "
      "id=\"a\"/></route></zone>\n</platform>\n",
      "ACCELERATOR_TYPE: 'v4-256'\nTOPOLOGY: '4x4x8'\nTPU_TOPOLOGY_WRAP: 'true,true,true'\nTPU_TOPOLOGY_ALT: 'false'\n",
      "export TPU_ACCELERATOR_TYPE=v5litepod-16\nexport TPU_TOPOLOGY=4x4\n"};
}

}  // namespace quadrille::testing
