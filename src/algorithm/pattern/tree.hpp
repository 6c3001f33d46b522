// Broadcast trees of the topologies, and packets that run down one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithm/kit/pipeline.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::pattern {

/// A tree over all ranks, rooted at the root of the collective, whose edges are wires; as functions of a rank.
struct Tree {
  std::int64_t depth = 0;                      ///< of the deepest rank
  std::int64_t fanout = 0;                     ///< most children of a rank
  std::function<std::int64_t(Rank)> level;     ///< round in which the first packet comes, from 1; 0: root
  std::function<Rank(Rank)> parent;            ///< of every rank but the root
  std::function<std::int64_t(Rank)> children;  ///< how many
  std::function<Rank(Rank, std::int64_t)> child;
};

/// Why no broadcast tree is known here; empty when there is one.
std::string needs_tree(const Spec& spec);
/// Levels one below the other of which some rank has so many children, and none more.
struct Fan {
  std::int64_t levels, children;
};
/// Those of broadcast_tree(), from the root to the level above the deepest: never more children further down.
std::vector<Fan> broadcast_fans(const Spec& spec);
/// A pipeline down broadcast_tree().
kit::Pipe broadcast_pipe(const Spec& spec, const Machine& machine);
/// The family's shallowest tree. Hypercube: the binomial tree in which a parent lacks the highest bit [1986, (3.21)];
/// ring: both ways round [1986, (3.17)]; mesh and torus: one axis after the other [1986, (3.18)]; bus and switches: all
/// ranks are children of the root.
Tree broadcast_tree(const Spec& spec);
/// The ranks one after the other in ring order; only when needs_ring() is empty.
Tree chain_tree(const Spec& spec);

/// Why ranks cannot send to all their children at once; empty when they can. `instead`: an algorithm that runs here.
std::string needs_fanout(const Spec& spec, const Machine& machine, const Tree& tree, std::string_view instead);

/// When ranks of a binary tree serve their children; always on every second round each, so that one port is enough.
enum class Turns {
  eager,        ///< the left child in the round after a packet came, the right one a round later [1986, (3.24)]
  alternating,  ///< as soon as that is, but all left children in one round, all right ones in the next
  lockstep      ///< a packet goes down a level in two rounds, left and right
};
/// The binary tree of a heap, on a switch.
Tree heap_tree(const Spec& spec, Turns turns = Turns::eager);

/// Packet p enters a rank in round p * interval + level, counted from 1; see Pipe.
SchedulePtr tree_schedule(const Spec& spec, Tree tree, std::int64_t packets, Round interval);
/// A part of nearly equal size down each tree at the same time, every part in as many packets, which enter a rank of
/// its tree in round p + level.
SchedulePtr forest_schedule(const Spec& spec, std::vector<Tree> trees, std::int64_t packets);
/// Packets of one size; each goes down the tree where it arrives first, so shallower trees carry more. The trees are
/// ordered by depth.
SchedulePtr balanced_forest_schedule(const Spec& spec, std::vector<Tree> trees, Bytes packet_bytes);

}  // namespace quadrille::algorithm::pattern
