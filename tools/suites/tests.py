"""What MPICH's lists of tests ask for."""
import dataclasses
import os

from suites import programs

# Lists that configure would generate, of programs whose data layouts are drawn by a seed.
DRAWN = [("coll", name, ranks, [f"-type={kind}", f"-count={count}", f"-seed={seed}", "-testsize=16"])
         for name, ranks in [("bcast", 4), ("bcast_comm_world_only", 10)]
         for seed, (kind, count) in enumerate([("MPI_INT", 1), ("MPI_INT", 512), ("MPI_DOUBLE", 512), ("MPI_CHAR", 512),
                                               ("MPI_INT:4+MPI_DOUBLE:8", 17)], 1)]


@dataclasses.dataclass(frozen=True)
class Test:
    folder: str
    name: str
    ranks: int
    arguments: tuple
    environment: tuple = ()

    def __str__(self):
        return " ".join([f"{self.folder}/{self.name}", f"n={self.ranks}", *self.arguments])


def parse(folder, line, most_ranks):
    """None where the line is none, or its test needs more memory than a workstation has."""
    line = line.split("#", 1)[0].replace("@comm_overlap@", "").strip()
    if not line or line.startswith("@"):
        return None
    name, *words = line.split()
    ranks = int(words[0]) if words and words[0].isdigit() else 2
    values = [word.split("=", 1) for word in words if "=" in word]
    return Test(folder, name, min(ranks, most_ranks), tuple(value for key, value in values if key == "arg"),
                tuple(value for key, value in values if key == "env"))


def read(suite, most_ranks):
    found = []
    for folder in programs.FOLDERS:
        path = os.path.join(suite, folder)
        name = next(name for name in ["testlist.in", "testlist"] if os.path.exists(os.path.join(path, name)))
        with open(os.path.join(path, name)) as file:
            found += [parse(folder, line, most_ranks) for line in file]
    found += [Test(folder, name, min(ranks, most_ranks), tuple(arguments)) for folder, name, ranks, arguments in DRAWN]
    return list(dict.fromkeys(test for test in found if test))
