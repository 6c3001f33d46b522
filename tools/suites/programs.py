"""The programs of MPICH's test suite, compiled for one MPI without its configure script."""
import concurrent.futures
import os
import re
import subprocess

FOLDERS = ["coll", "topo", "threads/coll", "threads/comm", "comm", "errors/coll"]
# What configure would find on any system that Quadrille is built on.
HAS = ["DLFCN_H", "DOUBLE__COMPLEX", "FLOAT__COMPLEX", "GETRUSAGE", "INTTYPES_H", "LONG_DOUBLE", "LONG_DOUBLE__COMPLEX",
       "LONG_LONG", "MEMORY_H", "PTHREAD_H", "STDARG_H", "STDINT_H", "STDLIB_H", "STRDUP", "STRING_H", "SYS_RESOURCE_H",
       "SYS_STAT_H", "SYS_TIME_H", "SYS_TYPES_H", "UNISTD_H", "USLEEP", "_BOOL", "MEMSET", "LIMITS_H"]
# Of the programs that Makefile.am makes of another's source.
OTHER_SOURCE = re.compile(r"^(\w+)_SOURCES\s*=\s*(\w+\.c)", re.M)
OTHER_FLAGS = re.compile(r"^(\w+)_CPPFLAGS\s*=\s*(.*)$", re.M)


def settings(strict):
    """`strict`: operators on types that the standard does not list are left out, as MPIs may refuse them."""
    lines = [f"#define HAVE_{name} 1" for name in HAS]
    lines += ["#define USE_LONG_DOUBLE_COMPLEX 1", "#define SIZEOF_INT 4", "#define SIZEOF_LONG 8", "#define SIZEOF_VOID_P 8",
              "#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX", "#define HAVE_MPI_WIN_CREATE 1"]
    return "\n".join(lines + ["#define USE_STRICT_MPI 1"] * strict) + "\n"


COLLECTIVES = ["Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Alltoallw", "Barrier", "Bcast", "Exscan",
               "Gather", "Gatherv", "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Scatter", "Scatterv",
               "Neighbor_allgather", "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_alltoallw"]
# Names that MPI has dropped, for their successors; after an mpi.h that may refuse them. Names of MPI 4 that Open MPI 4.1
# has in another form.
NEWER = """#include <mpi.h>
#undef MPI_Type_hvector
#undef MPI_Type_hindexed
#define MPI_Type_hvector MPI_Type_create_hvector
#define MPI_Type_hindexed MPI_Type_create_hindexed
#ifdef OPEN_MPI
#include <mpi-ext.h>
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
""" + "".join(f"#define MPI_{name}_init MPIX_{name}_init\n" for name in COLLECTIVES) + """#endif
#endif
"""


class Compiler:
    """Into `folder`, by the compiler wrapper of one MPI."""

    def __init__(self, suite, folder, wrapper, strict):
        self.suite, self.folder, self.wrapper = suite, folder, wrapper
        os.makedirs(os.path.join(folder, "include"), exist_ok=True)
        for name in ["mpitestconf.h", "dtpoolsconf.h"]:  # one is asked for as what lies above a folder of headers
            with open(os.path.join(folder, name), "w") as file:
                file.write(settings(strict))
        with open(os.path.join(folder, "newer.h"), "w") as file:
            file.write(NEWER)
        self.flags = ["-O1", "-w", "-D_GNU_SOURCE", f"-I{folder}", f"-I{folder}/include", f"-I{suite}/include",
                      f"-I{suite}/dtpools/include", "-include", f"{folder}/newer.h"]
        self.common = []

    def run(self, what, *arguments):
        """None, or what the compiler says."""
        done = subprocess.run([self.wrapper, *self.flags, *arguments, "-o", what], capture_output=True, text=True)
        return None if done.returncode == 0 else done.stderr

    def prepare(self):
        """What all programs share."""
        sources = ["util/mtest.c", "util/mtest_common.c", "util/dtypes.c", "util/mtest_single.c", "util/mtest_thread.c"]
        pools = os.path.join(self.suite, "dtpools/src")
        sources += [f"dtpools/src/{name}" for name in sorted(os.listdir(pools)) if name.endswith(".c")]
        for source in sources:
            made = os.path.join(self.folder, os.path.basename(source)[:-2] + ".o")
            said = None if os.path.exists(made) else self.run(made, "-c", os.path.join(self.suite, source))
            if said:
                raise SystemExit(f"{source}:\n{said}")
            self.common.append(made)

    def program(self, folder, name, source, flags):
        """Its path, and None or what the compiler says."""
        made = os.path.join(self.folder, folder.replace("/", "_"), name)
        os.makedirs(os.path.dirname(made), exist_ok=True)
        threads = folder.startswith("threads")
        without = "mtest_single.o" if threads else "mtest_thread.o"
        objects = [path for path in self.common if not path.endswith(without)]
        use = ["-DMTEST_USE_THREAD"] * threads
        said = None
        if not os.path.exists(made):
            said = self.run(made, *flags, *use, os.path.join(self.suite, folder, source), *objects, "-lm", "-lpthread")
        return made, said


def variants(suite, folder):
    """Of programs that share a source: name to source and flags."""
    with open(os.path.join(suite, folder, "Makefile.am")) as file:
        text = file.read()
    flags = {name: [word for word in words.split() if word.startswith("-D")] for name, words in OTHER_FLAGS.findall(text)}
    return {name: (source, flags.get(name, [])) for name, source in OTHER_SOURCE.findall(text)}


def build(suite, folder, wrapper, strict, tests, jobs):
    """Programs of the tests that compile: (folder, name) to path; and what the compiler says of the others."""
    compiler = Compiler(suite, folder, wrapper, strict)
    compiler.prepare()
    others = {where: variants(suite, where) for where in FOLDERS}
    wanted = sorted({(test.folder, test.name) for test in tests})

    def one(key):
        where, name = key
        source, flags = others[where].get(name, (name + ".c", []))
        return key, compiler.program(where, name, source, flags)

    paths, refused = {}, {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for key, (path, said) in pool.map(one, wanted):
            if said is None:
                paths[key] = path
            else:
                refused[key] = said
    return paths, refused
