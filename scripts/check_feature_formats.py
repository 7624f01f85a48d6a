"""Checks feature-model files with independent parsers; see check-feature-formats.sh.

Reads FOLDER/expected.txt (file, format, number of products). With a second argument, writes flamapy's own
files of two small models and their counts to that folder.
"""

import pathlib
import sys

from flamapy.metamodels.bdd_metamodel.operations import BDDConfigurationsNumber
from flamapy.metamodels.bdd_metamodel.transformations import FmToBDD
from flamapy.metamodels.fm_metamodel.transformations import FeatureIDEReader, UVLReader, UVLWriter
from pysat.formula import CNF
from pysat.solvers import Solver

# Products that flamapy's BDDs and pysat's enumeration count in seconds.
SMALL = {"uvl": 100, "featureide": 100, "dimacs": 3000}


def count(model):
    return BDDConfigurationsNumber().execute(FmToBDD(model).transform()).get_result()


def count_dimacs(path):
    """The number of different projections to the variables of the line `c p show`."""
    shown = next(line for line in path.read_text().splitlines() if line.startswith("c p show"))
    projection = [int(word) for word in shown.split()[3:-1]]
    number = 0
    with Solver(name="cadical153", bootstrap_with=CNF(from_file=str(path)).clauses) as solver:
        while solver.solve():
            values = set(solver.get_model())
            solver.add_clause([-var if var in values else var for var in projection])
            number += 1
    return number


def check_grammars(path):
    """Both UVL grammars accept the file."""
    from antlr4 import CommonTokenStream, FileStream
    from antlr4.error.ErrorListener import ErrorListener
    from uvl.UVLCustomLexer import UVLCustomLexer
    from uvl.UVLPythonParser import UVLPythonParser
    from uvllang import UVL

    class Strict(ErrorListener):
        def syntaxError(self, recognizer, symbol, line, column, message, error):
            raise SyntaxError(f"{path}:{line}:{column}: {message}")

    parser = UVLPythonParser(CommonTokenStream(UVLCustomLexer(FileStream(str(path), encoding="utf8"))))
    parser.removeErrorListeners()
    parser.addErrorListener(Strict())
    parser.featureModel()
    UVL(from_file=str(path))


def check(folder):
    for line in (folder / "expected.txt").read_text().splitlines():
        file, kind, expected = line.split()
        path, expected = folder / file, int(expected)
        if kind == "uvl":
            check_grammars(path)
            model = UVLReader(str(path)).transform()
        elif kind == "featureide":
            model = FeatureIDEReader(str(path)).transform()
        else:
            model = None
        if expected > SMALL[kind]:
            print(f"{file}: accepted")
            continue
        number = count_dimacs(path) if model is None else count(model)
        if number != expected:
            sys.exit(f"{file}: {number} products, expected {expected}")
        print(f"{file}: accepted, {number} products")


def write(target, folder):
    """flamapy's UVL of models that it read from tamper's files."""
    lines = []
    for name in ["coffee-1.uvl", "mutex-1-guided.uvl", "mutex-1-guided.xml"]:
        path = folder / name
        reader = UVLReader if path.suffix == ".uvl" else FeatureIDEReader
        model = reader(str(path)).transform()
        file = f"flamapy-{name.replace('.', '-')}.uvl"
        UVLWriter(str(target / file), model).transform()
        lines.append(f"{file} {count(model)}\n")
    (target / "expected.txt").write_text("".join(lines))


if __name__ == "__main__":
    source = pathlib.Path(sys.argv[1])
    check(source)
    if len(sys.argv) > 2:
        write(pathlib.Path(sys.argv[2]), source)
