"""The settings of the drop-in that a suite runs with."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "dropin"))
import wisdom_file  # noqa: E402

# What answers, whatever it costs; of two unlike sorts each.
NARROW = {"bcast": "bcast_chain:packets=3", "allgather": "allgather_daisy", "allgatherv": "multibcast_lin",
          "scatter": "scatter_tree", "gather": "gather_tree", "alltoall": "alltoall_bruck:radix=2",
          "alltoallv": "alltoall_pairwise", "reduce": "reduce_interval", "allreduce": "allreduce_dual_root:packets=2",
          "reduce_scatter_block": "reduce_scatter_halving", "reduce_scatter": "reduce_scatter_pairwise",
          "scan": "scan_doubling", "exscan": "exscan_123", "barrier": "barrier_dissemination"}
WIDE = {"bcast": "bcast_binomial", "allgather": "allgather_linear", "allgatherv": "allgather_daisy",
        "scatter": "scatter_star", "gather": "gather_linear", "alltoall": "alltoall_linear",
        "alltoallv": "alltoall_linear", "reduce": "reduce_binomial", "allreduce": "allreduce_splits",
        "reduce_scatter_block": "reduce_scatter_splits", "reduce_scatter": "reduce_scatter_splits",
        "scan": "scan_chain", "exscan": "exscan_chain", "barrier": "barrier_tree"}

AT_ONCE = {"AFTER": "0", "BUDGET": "off"}
# By name: the variables without their QUADRILLE_, and the plans that a wisdom file names.
MODES = {
    "without": None,
    "off": ({"": "off"}, None),
    "observe": ({}, None),
    "on": ({"": "on"}, None),
    "trial": ({"": "trial"}, None),
    "on-at-once": ({"": "on", **AT_ONCE}, None),
    "trial-at-once": ({"": "trial", **AT_ONCE}, None),
    "free": ({"": "trial", "BITS": "free", **AT_ONCE}, None),
    "reproducible": ({"": "trial", "BITS": "reproducible", **AT_ONCE}, None),
    "narrow": ({"": "on", "SEGMENT": "2000", "WATCH": "off", **AT_ONCE}, NARROW),
    "wide": ({"": "on", "SEGMENT": "0", "WATCH": "off", **AT_ONCE}, WIDE),
    "apart": ({"": "on", "SEGMENT": "3000", "WATCH": "off", "SHARED": "off", **AT_ONCE}, WIDE),
    "ring": ({"": "on", "TOPOLOGY": "ring:{ranks}", **AT_ONCE}, None),
}
MOST_RANKS, MOST_SIZES = 16, 31


def settings(mode, ranks, mpi, folder, library):
    """The environment of the program's processes. `mpi`: as reports name it."""
    if MODES[mode] is None:
        return {}
    variables, choices = MODES[mode]
    environment = {f"QUADRILLE{'_' + key if key else ''}": value.format(ranks=ranks) for key, value in variables.items()}
    if "QUADRILLE_TOPOLOGY" in environment and ranks < 2:
        del environment["QUADRILLE_TOPOLOGY"]
    if choices:
        path = os.path.join(folder, f"{mode}.wisdom")
        results = [(operation, size, choice, 1, 0.5) for operation, choice in choices.items() for size in range(MOST_SIZES)]
        networks = [f"crossbar:{n}" for n in range(2, MOST_RANKS + 1)]
        wisdom_file.write_all(path, mpi, networks, int(variables["SEGMENT"]), results)
        environment["QUADRILLE_WISDOM"] = path
    return {"LD_PRELOAD": library, **environment}
