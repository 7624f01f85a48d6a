#!/usr/bin/env python3
"""What suites with and without refusals, linger, later delays and rounds find of faults that were put into programs: the lamp's ten, the washing
machine's four, and random programs (harness_programs.py), beside random walks. Prints results/programs/page.md. All time is virtual.

usage: seeded_faults.py TAMPER LAMP [PROGRAMS [SEEDS]]     LAMP is the example program; the number of random programs (60), walks of each fault (10)
"""
import json
import shlex
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

# What several pages share.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from regressions_cases import ROOT  # noqa: E402
from regressions_table import table  # noqa: E402

MODELS = {"lamp": ROOT / "uppaal-models/lamp.xml", "washer": ROOT / "examples/adapters/washer.xml"}
# What is varied: options of `testgen`.
STRATEGIES = {
    "default": "",
    "default, no refusals": "--refusals never --linger off",
    "default, linger": "--linger on",
    "all operators": "--operators all",
    "for programs": "--for programs",
    "for programs, without memory": "--for programs --operators all",
    "for programs, refusals count": "--for programs --refusals error --linger on",
    "for programs, no linger": "--for programs --linger off",
    "for programs, middle delays": "--for programs --delays middle",
    "for programs, latest delays": "--for programs --delays latest",
    "for programs, per mutant": "--for programs --strategy per-mutant",
    "for programs, fewest": "--for programs --kill potential --strategy fewest",
    "for programs, fewest, two rounds": "--for programs --kill potential --strategy fewest --rounds 2",
}
MOST_WALKS = 640

HEAD = """# What suites find in programs with seeded faults

Do suites find faults that were seeded into programs?

Every strategy but the fewest tests finds all of the lamp and of the washing machine, and no right program fails.

Written by `results/programs/make.sh`: the ten faults of `examples/lamp`, the four of `examples/adapters/adapter.py`, and {programs} random programs, changed washing machines that may be right (`scripts/harness_programs.py`). Nothing was
tuned to them. *Events*: inputs and outputs of a run on the right program. *Random*: walks by the same model until as many events were seen; in how many of {seeds} seeds one fails, added up over the faults. *False alarms*: on
the right lamp and washing machine, and on the random programs that nothing was changed in. *Time*: that of making both suites, and of running them on all programs until a test fails; the programs' time is virtual, but one that hangs is waited for (5 s). nginx (`examples/servers`) runs in real
time and is not part of this; the same rows for dated regressions are in `results/regressions/page.md`.
"""


@dataclass
class Program:
    """One that is tested: of which model, and whether it is right as far as is known."""

    name: str
    model: str
    command: str
    kind: str  # lamp, washer, changed, right


@dataclass
class Row:
    tests: int = 0
    events: int = 0
    making: float = 0
    running: float = 0
    found: dict = field(default_factory=dict)  # name of a program -> whether a test fails
    lengths: dict = field(default_factory=dict)  # model -> events of the suite


class Study:
    def __init__(self, tamper, folder):
        self.tamper, self.folder = tamper, Path(folder)

    def say(self, *words):
        done = subprocess.run([self.tamper, *map(str, words), "--format", "json"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 1) or not done.stdout:
            raise RuntimeError(f"{words}: exit code {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)

    def run(self, program, *words):
        """Whether a test fails, and the events of all; a program that breaks off or answers nothing has failed, too."""
        said = self.say("run", *words, "--model", MODELS[program.model], "--sut", program.command, "--accelerated")
        events = [sum("input" in event or "output" in event for event in run["log"]) for run in said["runs"]]
        fails = [run["verdict"] not in ("pass", "inconclusive") for run in said["runs"]]
        return fails, events

    def row(self, name, programs):
        row, suites = Row(), {}
        for model, file in MODELS.items():
            suites[model], began = self.folder / f"{model} {name}.json", time.monotonic()
            self.say("testgen", file, *shlex.split(STRATEGIES[name]), "--out", suites[model])
            row.making += time.monotonic() - began
        for program in programs:
            began = time.monotonic()
            fails, events = self.run(program, suites[program.model], "--fail-fast")
            row.running += time.monotonic() - began
            row.found[program.name] = any(fails)
            if program.name in MODELS:
                row.tests += len(fails)
                row.events += sum(events)
                row.lengths[program.model] = sum(events)
        return row

    def walk(self, program, seed, length):
        """After how many events of random tests of one seed the first fails; None if none does in that number."""
        tests, seen = max(2, length // 16), 0
        while True:
            seen = 0
            for failed, events in zip(*self.run(program, "--random", tests, "--seed", seed, "--fail-fast")):
                seen += events
                if failed:
                    return seen
            if seen >= length or tests >= MOST_WALKS:
                return None
            tests *= 2


def programs(lamp, count):
    adapter = f"'{sys.executable}' '{ROOT / 'examples/adapters/adapter.py'}'"
    yield Program("lamp", "lamp", f"'{lamp}'", "right")
    for fault in subprocess.run([lamp, "--faults"], capture_output=True, text=True, check=True).stdout.split():
        yield Program(f"lamp {fault}", "lamp", f"'{lamp}' --fault {fault}", "lamp")
    yield Program("washer", "washer", adapter, "right")
    for fault in ["early", "late", "wrong", "deaf"]:
        yield Program(f"washer {fault}", "washer", f"{adapter} --fault {fault}", "washer")
    for number in range(count):
        command = f"'{sys.executable}' '{ROOT / 'scripts/harness_programs.py'}' program {number}"
        yield Program(f"program {number}", "washer", command, "changed" if number % 4 else "right")


def main(tamper, lamp, count="60", seeds="10"):
    tested = list(programs(Path(lamp).resolve(), int(count)))
    of_kind = {kind: [program for program in tested if program.kind == kind] for kind in ("lamp", "washer", "changed", "right")}
    with tempfile.TemporaryDirectory() as folder:
        study = Study(Path(tamper).resolve(), folder)
        rows = {name: study.row(name, tested) for name in STRATEGIES}
        longest = {model: max(row.lengths[model] for row in rows.values()) for model in MODELS}
        faulty = of_kind["lamp"] + of_kind["washer"]
        asked = [(program, seed) for program in faulty for seed in range(int(seeds))]
        with ThreadPoolExecutor(2) as pool:
            firsts = list(pool.map(lambda ask: (ask[0], study.walk(*ask, longest[ask[0].model])), asked))
    chance = lambda row: sum(first is not None and first <= row.lengths[program.model] for program, first in firsts) / int(seeds)
    lines = []
    for name, row in rows.items():
        n = {kind: sum(row.found[program.name] for program in of_kind[kind]) for kind in of_kind}
        cells = [f"{n[kind]} of {len(of_kind[kind])}" for kind in ("lamp", "washer")]
        cells += [f"{chance(row):.1f} of {len(faulty)}", n["changed"], f"{n['right']} of {len(of_kind['right'])}"]
        lines.append([name, row.tests, row.events, f"{row.making:.1f} s", f"{row.running:.1f} s", *cells])
    header = ["strategy", "tests", "events", "time to make", "to run", "lamp", "washing machine", "random, of both", f"random programs of {len(of_kind['changed'])}", "false alarms"]
    print(HEAD.format(programs=count, seeds=seeds))
    print(table(header, lines))
    missed = [(program.name, [name for name, row in rows.items() if not row.found[program.name]]) for program in faulty]
    print("## Missed\n")
    print(table(["fault", "missed by"], [[name, ", ".join(by)] for name, by in missed if by]), end="")


if __name__ == "__main__":
    main(*sys.argv[1:]) if 3 <= len(sys.argv) <= 5 else sys.exit(__doc__)
