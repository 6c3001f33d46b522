"""What a test of the drop-in starts is there before it starts."""
import os
import re
import sys


def require(*files):
    """Ends the test with one line that says how to build what is missing."""
    preloaded = [name for name in re.split("[: ]", os.environ.get("LD_PRELOAD", "")) if "/" in name]
    missing = [name for name in [*files, *preloaded] if not os.path.exists(name)]
    if missing:
        print(f"not built: {', '.join(missing)}; 'cmake --build BUILD --target quadrille_dropin_programs' makes them all")
        sys.exit(1)
