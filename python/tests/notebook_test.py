"""Executes the cells of notebooks, and compares what they print with what the notebook shows.

Usage: notebook_test.py NOTEBOOK... The last expression of a cell is its result, as Jupyter has it. Exit status 1: a
cell fails or prints other text."""

import ast
import contextlib
import io
import json
import sys


def said_by(source, names):
    """What a cell prints, with the text of its result."""
    tree = ast.parse(source)
    last = tree.body.pop().value if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(tree, "cell", "exec"), names)
        result = None if last is None else eval(compile(ast.Expression(last), "cell", "eval"), names)
    rich = hasattr(result, "_repr_html_") and result._repr_html_()
    return out.getvalue() + ("" if result is None or rich else repr(result))


def shown(cell):
    """What a notebook shows of a cell, but pages."""
    texts = [o["text"] if "text" in o else o["data"].get("text/plain", []) for o in cell["outputs"]
             if "text/html" not in o.get("data", {})]
    return "".join("".join(text) for text in texts)


def main(paths):
    failures = count = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            notebook = json.load(file)
        names = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            count += 1
            said, expected = said_by("".join(cell["source"]), names).strip(), shown(cell).strip()
            if said != expected:
                failures += 1
                print(f"{path}: cell {count} says\n{said}\nand shows\n{expected}")
    print(f"{count} cells, {failures} differ")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
