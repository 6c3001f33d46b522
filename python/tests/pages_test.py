"""Runs the examples of Markdown pages as doctests, a page at a time. Usage: pages_test.py PAGE..."""

import doctest
import re
import sys


def result_of(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*$", "", file.read(), flags=re.MULTILINE)  # the end of a block is the end of what is printed
    test = doctest.DocTestParser().get_doctest(text, {}, path, path, 0)
    return doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)


results = [result_of(path) for path in sys.argv[1:]]
print(f"{sum(r.attempted for r in results)} examples, {sum(r.failed for r in results)} fail")
sys.exit(1 if any(r.failed or not r.attempted for r in results) or not results else 0)
