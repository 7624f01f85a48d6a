"""The table of results/since.md; scripts/since.sh calls it."""
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from regressions_cases import ROOT
from regressions_table import table

STUDIES = [(name.upper(), f"case-studies/{name}/model.xml", "--semantics tiga") for name in ["mutex", "hotel", "coffee", "wfas", "accel", "cas"]]
SECOND = [(f"{name.upper()}, order 2", f"case-studies/{name}/model.xml", "--semantics tiga --order 2") for name in ["wfas", "accel"]]
NETWORKS = [
    ("collision-avoidance", "uppaal-models/networks/collision-avoidance.xml", "--mutate all"),
    ("gear-controller", "uppaal-models/networks/gear-controller.xml", "--mutate all"),
    ("car-alarm", "uppaal-models/networks/car-alarm.xml", "--mutate all --system Alarm"),
]
EDITS = 3
# Runs that a mean is of, of those that take long and of others.
LONG, SHORT = 3, 25

HEAD = """# What `--since` saves

What does `--since` save after an edit?

Up to two thirds of the time where counterexamples are costly, and little elsewhere.

Written by `scripts/since.sh`: user time of `tamper classify --witness` after one edit, the mean of three runs (of 25, if one takes less than 0.2 s), whole and with `--since` the run before the edit. An edit makes one constant of the model larger by one; up to {edits} of each model, spread evenly over
its guards and invariants, and one that changes nothing; an edit that makes the specification inconsistent is left out. *Tried*: counterexamples of the run before that were tried on the mutant of the same id; *held*: those that still show it. *Plain*: a whole run without `--witness`, which makes no counterexamples and
for which `--since` has nothing to give. In all rows the records are the same but for which counterexample a mutant has (`docs/notes/0020-since.md`).
"""


def user_time(command):
    """Runs a command; its user time, and what it wrote to standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stderr


def edits(text):
    """The text as it is, and with one constant changed at a time."""
    yield "none", text
    labels = re.finditer(r'<label kind="(?:guard|invariant)"[^>]*>[^<]*</label>', text)
    numbers = [label.start() + found.start() for label in labels for found in [re.search(r"(?<=[=;> ])\d+(?=[^<]*</label>)", label[0])] if found]
    for at in [numbers[len(numbers) * edit // EDITS] for edit in range(EDITS)]:
        number = re.match(r"\d+", text[at:])[0]
        line = text[text.rindex(">", 0, at) + 1 : text.index("<", at)].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        yield f"`{line.strip()}`: {int(number) + 1}", text[:at] + str(int(number) + 1) + text[at + len(number) :]


def bare(folder):
    records = [json.loads(line) for line in (folder / "mutants.jsonl").read_text().splitlines()]
    return [{**record, "witness": "witness" in record} for record in records]


def rows(tamper, folder, model):
    name, file, options = model
    old, new = folder / "old.xml", folder / "new.xml"
    text = (ROOT / file).read_text()
    old.write_text(text)

    def run(file, out, *more):
        command = [tamper, "classify", file, *options.split(), *more, "--out", folder / out]
        first, said = user_time(command)
        # The system counts in ticks of some milliseconds: the mean of many short runs is finer.
        count = LONG if first > 0.2 else SHORT
        return sum(user_time(command)[0] for _ in range(count)) / count, said

    run(old, "old", "--witness")
    for edit, changed in edits(text):
        new.write_text(changed)
        try:
            plain, _ = run(new, "plain")
            whole, _ = run(new, "whole", "--witness")
        except SystemExit as error:
            print(f"{name}, {edit}: {error}", file=sys.stderr)
            continue
        since, said = run(new, "since", "--witness", "--since", folder / "old")
        if bare(folder / "whole") != bare(folder / "since"):
            sys.exit(f"{name}, {edit}: other records")
        tried, held = re.search(r"(\d+) tried, (\d+) still", said).groups()
        n = len(bare(folder / "whole"))
        yield [name, edit, n, f"{1000 * plain:.1f} ms", f"{1000 * whole:.1f} ms", f"{1000 * since:.1f} ms", f"{whole / max(since, 0.001):.1f}", tried, held]


def main(tamper):
    print(HEAD.format(edits=EDITS))
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for model in STUDIES + SECOND + NETWORKS:
            lines += rows(tamper, Path(folder), model)
    print(table(["model", "edit", "mutants", "plain", "whole", "since", "whole / since", "tried", "held"], lines), end="")


main(*sys.argv[1:])
