"""Compares the stubs with the module by mypy's stubtest. Exit status 77 where mypy is missing."""

import os
import sys

import quadrille

try:
    from mypy import stubtest
except ImportError:
    print("SKIPPED: mypy is not installed (Debian: apt-get install mypy)")
    sys.exit(77)

sys.exit(stubtest.test_stubs(stubtest.parse_options(["quadrille", "--ignore-missing-stub", "--allowlist",
                                                    os.path.join(os.path.dirname(__file__), "stubs_allowed.txt")])))
