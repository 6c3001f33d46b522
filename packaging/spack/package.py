"""Quadrille for Spack. In a repository of your own: packages/quadrille/package.py.

The source is a checkout: spack develop --path <checkout> quadrille@0.2.0, or spack dev-build in it.
"""

from spack.package import *


class Quadrille(CMakePackage):
    """Collective communication that is planned, proven, priced, run and explained."""

    license("BSD-3-Clause")
    version("0.2.0")

    variant("mpi", default=True, description="The library and the drop-in for the MPI")
    variant("python", default=False, description="The Python module")
    variant("lab", default=False, description="quadrille-lab: emulated networks, which needs root")

    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt@9:")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("tomlplusplus@3.3:")
    depends_on("expat")
    depends_on("hwloc")
    depends_on("mpi", when="+mpi")
    depends_on("python@3.9:", when="+python", type=("build", "run"))
    depends_on("py-pybind11@2.10:", when="+python", type="build")
    depends_on("googletest", type="test")
    conflicts("%gcc@:10", msg="C++20 is needed: GCC 11 or Clang 14, at least")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("QUADRILLE_MPI", "mpi"),
            self.define_from_variant("QUADRILLE_PYTHON", "python"),
            self.define_from_variant("QUADRILLE_LAB", "lab"),
            self.define("QUADRILLE_TESTS", self.run_tests),
            self.define("QUADRILLE_BENCH", False),
        ]

    def setup_run_environment(self, env):
        env.set("QUADRILLE_LIBRARIES", self.prefix.lib)
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", join_path(self.prefix.lib, "python3", "dist-packages"))
