"""Mutation testing of real-time systems: verdicts of the program tamper as tables."""

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections import Counter

__all__ = ["Refused", "Table", "call", "classify", "program", "read_run"]


class Refused(Exception):
    """What tamper refuses, in its words: wrong options, a file that is wrong, an inconsistent specification."""


class Table(list):
    """Records, a dictionary each; `complete` is False if some verdict is unknown."""

    def __init__(self, records=(), complete=True):
        super().__init__(records)
        self.complete = complete

    @property
    def columns(self):
        """The names of all fields, in the order of their coming."""
        return list(dict.fromkeys(name for record in self for name in record))

    def count(self, column):
        """How often each value of a column is there."""
        return dict(Counter(record.get(column) for record in self))

    def to_pandas(self):
        import pandas

        return pandas.DataFrame(list(self), columns=self.columns)

    def to_polars(self):
        import polars

        return polars.DataFrame(list(self), infer_schema_length=None)

    def to_parquet(self, path):
        """Writes a Parquet file, which pandas, Polars, DuckDB and others read."""
        import pyarrow
        import pyarrow.parquet

        texts = pyarrow.list_(pyarrow.string())
        kinds = {"order": pyarrow.uint8(), "operators": texts, "violates": texts}
        columns = {name: pyarrow.array([record.get(name) for record in self], kinds.get(name, pyarrow.string())) for name in self.columns}
        pyarrow.parquet.write_table(pyarrow.table(columns), os.fspath(path))


def program():
    """Where the program is: in this environment, else on the path."""
    name = "tamper.exe" if os.name == "nt" else "tamper"
    here = os.path.join(sysconfig.get_path("scripts"), name)
    found = here if os.access(here, os.X_OK) else shutil.which(name)
    if found is None:
        raise Refused("the program tamper is neither in this environment nor on the path")
    return found


def _words(options):
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            yield option
        elif isinstance(value, (list, tuple)):
            yield f"{option}={','.join(map(str, value))}"
        elif value is not None and value is not False:
            yield f"{option}={value}"


def _run(command, files, options):
    words = [program(), command, *map(os.fspath, files), *_words(options), "--format=json", "--quiet"]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if done.returncode not in (0, 1, 3):
        raise Refused(done.stderr.strip() or f"tamper {command} ended with code {done.returncode}")
    return done


def call(command, *files, **options):
    """What a command prints as JSON; None if it prints nothing."""
    text = _run(command, files, options).stdout
    return json.loads(text) if text.strip() else None


def classify(model, *, out=None, **options):
    """A verdict on every mutant of a model, as a table; the run stays in the folder `out`, if one is named."""
    with tempfile.TemporaryDirectory() as folder:
        run = os.path.join(folder, "run") if out is None else os.fspath(out)
        _run("classify", [model], {**options, "out": run})
        return read_run(run)


def read_run(folder):
    """The records in the folder of a finished `tamper classify`, as a table."""
    with open(os.path.join(os.fspath(folder), "mutants.jsonl"), encoding="utf-8") as lines:
        table = Table(map(json.loads, lines))
    table.complete = all(record["verdict"] != "unknown" for record in table)
    return table
