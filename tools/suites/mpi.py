"""One MPI, and how its programs run in a mode of the drop-in."""
import collections
import json
import os
import shlex
import shutil
import subprocess

from suites import launch, modes

OPTIONS = {"openmpi": "--oversubscribe --allow-run-as-root --mca btl self,vader --mca mpi_yield_when_idle 1", "mpich": ""}
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "mpirun"], "mpich": ["mpiexec.mpich", "mpiexec.hydra"]}
VERSION = """#include <mpi.h>
#include <stdio.h>
int main(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(text, &length);
  return fputs(text, stdout) < 0;
}
"""
Planned = collections.namedtuple("Planned", "calls planned_calls time planned_time")
Run = collections.namedtuple("Run", "status seconds calls planned_calls time planned_time out err")


class Mpi:
    """Its programs and files are in `folder`, of a build of Quadrille."""

    def __init__(self, name, build):
        self.name = name
        self.folder = os.path.abspath(os.path.join(build, "suites", name))
        self.library = os.path.abspath(os.path.join(build, f"libquadrille-{name}.so"))
        found = [path for path in map(shutil.which, LAUNCHERS[name]) if path]
        self.wrapper = shutil.which(f"mpicc.{name}")
        if not found or not self.wrapper or not os.path.exists(self.library):
            raise SystemExit(f"no {name}, or no {self.library}; build quadrille_dropin_programs")
        os.makedirs(self.folder, exist_ok=True)
        self.launcher = [found[0], *shlex.split(OPTIONS[name])]
        yields = os.path.abspath(os.path.join(build, "tests", "libquadrille_yields.so"))
        self.yields = [yields] if name == "mpich" and os.path.exists(yields) else []  # ranks outnumber cores
        self.report = os.path.join(self.folder, f"report-{os.getpid()}.json")
        self.version = self.ask_version()

    def ask_version(self):
        """As the drop-in's reports and wisdom name it."""
        source, program = os.path.join(self.folder, "version.c"), os.path.join(self.folder, "version")
        with open(source, "w") as file:
            file.write(VERSION)
        subprocess.run([self.wrapper, source, "-o", program], check=True)
        said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        return said.split(",")[0].split("\n")[0].replace("\t", " ")

    def run(self, mode, ranks, command, seconds, where, environment=()):
        if os.path.exists(self.report):
            os.remove(self.report)
        settings = modes.settings(mode, ranks, self.version, self.folder, self.library)
        if settings:
            settings["QUADRILLE_REPORT"] = self.report
        settings["LD_PRELOAD"] = ":".join(filter(None, [settings.get("LD_PRELOAD"), *self.yields]))
        words = [f"{key}={value}" for key, value in settings.items() if value]
        whole = [*self.launcher, "-n", str(ranks), "env", *words, *environment, *command]
        status, out, err, took = launch.run(whole, seconds, where)
        if "the program runs without quadrille" in err:
            raise SystemExit(f"mode {mode}: {err}")
        return Run(status, round(took, 2), *self.planned(), out, err)

    def planned(self):
        """Calls, those that plans answered, and the seconds of both."""
        if not os.path.exists(self.report):
            return Planned(0, 0, 0, 0)
        with open(self.report) as file:
            rows = json.load(file)["collectives"]
        return Planned(sum(r["calls"] for r in rows), sum(r["planned_calls"] for r in rows),
                       sum(r["native_s"] + r["planned_s"] for r in rows), sum(r["planned_s"] for r in rows))


def share(runs):
    """In words, how much of what runs did in collectives plans answered."""
    calls, planned, time, in_plans = (sum(getattr(r, key) for r in runs)
                                      for key in ["calls", "planned_calls", "time", "planned_time"])
    return f"{planned} of {calls} calls, {100 * in_plans / time:.0f} % of their time planned" if time > 0 else ""
