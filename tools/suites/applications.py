"""Programs that were not made for the drop-in, as Debian has them, and what of their output must not change."""
import dataclasses
import glob
import os
import re

# No balancing: in what order atoms arrive then differs from run to run, and so do last bits.
MELT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 5
thermo_modify format float %24.16e
run 200
"""
SALT = """units lj
atom_style charge
lattice sc 1.0
region box block 0 8 0 8 0 8
create_box 2 box
create_atoms 1 box
mass * 1.0
set group all type/fraction 2 0.5 12345
set type 1 charge 1.0
set type 2 charge -1.0
velocity all create 1.0 87287
pair_style lj/cut/coul/long 2.5
pair_coeff * * 1.0 1.0
kspace_style pppm 1e-4
fix 1 all nve
thermo 2
thermo_modify format float %24.16e
run 40
"""
GRADIENTS = """
import numpy
from petsc4py import PETSc
side = 60
a = PETSc.Mat().createAIJ([side * side, side * side], nnz=5)
first, last = a.getOwnershipRange()
for row in range(first, last):
    i, j = divmod(row, side)
    a[row, row] = 4.0
    for k, l in [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]:
        if 0 <= k < side and 0 <= l < side:
            a[row, k * side + l] = -1.0
a.assemble()
x, b = a.createVecs()
b.setArray(numpy.sin(numpy.arange(first, last) * 0.37) + 1.0 / (1 + numpy.arange(first, last)))
for kind in ["cg", "gmres", "bcgs"]:
    ksp = PETSc.KSP().create()
    ksp.setOperators(a)
    ksp.setType(kind)
    ksp.getPC().setType("bjacobi")
    ksp.setTolerances(rtol=1e-10, max_it=400)
    history = []
    ksp.setMonitor(lambda k, its, norm: history.append(norm))
    x.set(0)
    ksp.solve(b, x)
    if PETSc.COMM_WORLD.rank == 0:
        for norm in history:
            print(kind, float(norm).hex())
    norm = x.norm()
    if PETSc.COMM_WORLD.rank == 0:
        print(kind, ksp.getIterationNumber(), float(norm).hex())
"""
SCALAPACK = "xdlu xdllt xdqr xdinv xdls xdbrd xdtrd xdhrd xdnep xzevc xdsep xdgsep xdsvd xdsyevr xdhseqr xddblu xddtlu xdgblu xdpbllt xdptllt".split()


@dataclasses.dataclass
class Application:
    name: str
    mpi: str
    ranks: int
    command: list
    files: dict  # by name: what is in them, or whence they come
    result: object  # of all that it has printed, what must not change
    output: str = ""  # a file that it writes; without it what it prints
    aborts: bool = False  # at its end, which it tests


def lines(pattern):
    """Those that match."""
    wanted = re.compile(pattern)
    return lambda text: "\n".join(line for line in text.splitlines() if wanted.search(line))


def without_times(text):
    """ScaLAPACK's drivers print a table that has seconds and rates among sizes and verdicts."""
    kept = [re.sub(r"\b\d+\.\d+(E[+-]\d+)?\b", "#", line) for line in text.splitlines()
            if not re.search(r"[Tt]ime|MFLOPS|date", line)]
    return "\n".join(re.sub(r"\s+", " ", line) for line in kept)


def hpcc():
    with open("/usr/share/doc/hpcc/examples/_hpccinf.txt") as file:
        text = file.read().splitlines()
    for i, line in enumerate(text):
        for what, value in [("Ns", "200"), ("NBs", "20"), ("Ps", "2"), ("Qs", "2")]:
            if re.search(rf"\s{what}$", line) and not re.search("#", line):
                text[i] = f"{value}  {what}"
    # The scaled residual of its DGEMM differs from run to run.
    result = lines(r"^(?!WALL|CPU).*(PASSED|FAILED)|\|\|Ax-b|_error|MPIFFT.*(max\(|Err)|PTRANS_residual|Failures|Success=")
    return Application("HPCC", "openmpi", 4, ["/usr/bin/hpcc"], {"hpccinf.txt": "\n".join(text) + "\n"}, result,
                       "hpccoutf.txt")


def scalapack(mpi, where):
    data = glob.glob("/usr/share/scalapack/*.dat")
    found = [Application(f"ScaLAPACK {name}", mpi, 4, [os.path.join(where, name)], {os.path.basename(d): d for d in data},
                         without_times) for name in SCALAPACK if os.path.exists(os.path.join(where, name))]
    blacs = {os.path.basename(d): d for d in glob.glob("/usr/share/scalapack/BLACS/*.dat")}
    found += [Application(f"BLACS {name}", mpi, 4, [os.path.join(where, name)], blacs, without_times, aborts=True)
              for name in ["xCbtest", "xFbtest"]]
    pblas = {os.path.basename(d): d for d in glob.glob("/usr/share/scalapack/PBLAS/*.dat")}
    return found + [Application(f"PBLAS {name}", mpi, 4, [os.path.join(where, "PBLAS", name)], pblas, without_times)
                    for name in ["dpb1tst", "dpb2tst", "dpb3tst", "zpb1tst", "zpb2tst", "zpb3tst"]]


def python_tests(folder):
    """Those of mpi4py on collectives, in a folder of its sources. What they find, and how many ran."""
    run = ("import sys, unittest; sys.path.insert(0, {!r}); "
           "done = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromName({!r})); "
           "sys.exit(not done.wasSuccessful())")
    words = re.compile(r"Ran \d+ tests|OK|FAILED.*")  # ranks may write into each other's lines
    names = sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(folder, "test_cco*.py")))
    return [Application(f"mpi4py {name}, {ranks} ranks", "openmpi", ranks,
                        ["python3", "-B", "-c", run.format(os.path.abspath(folder), name)], {},
                        lambda text: "\n".join(words.findall(text))) for name in names for ranks in (1, 3, 4)]


def every(python):
    """All that are installed here; `python`: a folder of mpi4py's tests, if there is one."""
    found = python_tests(python) if python else []
    if os.path.exists("/usr/bin/lmp"):
        numbers = lines(r"^\s*\d+(\s+-?\d\.\d+e[+-]\d+)+")
        for name, text in [("melt", MELT), ("salt", SALT)]:
            found.append(Application(f"LAMMPS {name}", "openmpi", 4, ["/usr/bin/lmp", "-in", "in.lmp"], {"in.lmp": text},
                                     numbers))
    found.append(Application("PETSc solvers", "openmpi", 4, ["python3", "solve.py"], {"solve.py": GRADIENTS}, str))
    if os.path.exists("/usr/bin/hpcc"):
        found.append(hpcc())
    for mpi in ["openmpi", "mpich"]:
        for where in glob.glob(f"/usr/lib/*/scalapack/{mpi}-tests"):
            found += scalapack(mpi, where)
    return found
