#!/usr/bin/env python3
"""Seven suites, adaptive tests, and random tests of equal time against nginx, right and with each of ten faults: writes results.md."""
import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import faults

HERE = Path(__file__).parent
SUITES = {
    "default": "",
    "on-the-fly": "--strategy on-the-fly",
    "all operators": "--operators all",
    "for programs": "--for programs",
    "for programs, without memory": "--for programs --operators all",
    "fewest, middle": "--kill potential --strategy fewest --delays middle",
    "fewest": "--kill potential --strategy fewest",
    "adaptive": "",
}
# Tests that are made while they run, by the model.
MADE = {"adaptive": ["--strategy", "adaptive", "--model", "model.xml"]}
CORRECT = 5  # Runs against nginx as it should be.
TIME = ["--unit", "100ms", "--tolerance", "1"]


@dataclass
class Run:
    """How the tests of one run ended; seconds: its wall time."""

    verdicts: list
    seconds: float

    def count(self, verdict):
        return self.verdicts.count(verdict)

    def cell(self):
        if self.count(None):
            return f"no verdict in {self.count(None)}"
        return f"found by {self.count('fail')} of {len(self.verdicts)}" if self.count("fail") else "**missed**"


class Study:
    def __init__(self, tamper, jobs, folder):
        self.tamper, self.folder = tamper, Path(folder)
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.running = set()
        self.random = "--random" in self.say("run", "--help").stdout

    def say(self, *words):
        environment = {**os.environ, "TMPDIR": str(self.folder)}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        program = subprocess.Popen([self.tamper, *words], cwd=HERE, env=environment, text=True, **pipes)
        self.running.add(program)
        out, errors = program.communicate()
        self.running.discard(program)
        return subprocess.CompletedProcess(program.args, program.returncode, out, errors)

    def end(self):
        """Ends what still runs: tamper ends its adapter, and with it nginx."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # One Ctrl-C is enough: what is under way here removes all.
        self.pool.shutdown(wait=False, cancel_futures=True)
        for program in list(self.running):
            program.terminate()
        self.pool.shutdown()

    def suite(self, name):
        return str(self.folder / f"{name}.json")

    def make(self, name):
        """Makes a suite; how many tests it has, if that is known."""
        if name in MADE:
            return "as it goes"
        made = self.say("testgen", "model.xml", *SUITES[name].split(), "--out", self.suite(name))
        if made.returncode:
            sys.exit(made.stderr)
        return len(json.loads(Path(self.suite(name)).read_text())["tests"])

    def run(self, tests, fault):
        """One run of what `tests` says, a suite or random ones, against nginx with a fault or None."""
        sut = f"'{sys.executable}' adapter.py {fault or ''}"
        began = time.monotonic()
        told = self.say("run", *tests, "--sut", sut, *TIME, "--format", "json")
        if told.returncode not in (0, 1):
            raise RuntimeError(f"{told.stderr}\n{tests} with {fault}: exit code {told.returncode}")
        return Run([run["verdict"] for run in json.loads(told.stdout)["runs"]], time.monotonic() - began)

    def all(self, tests):
        """`tests`: suite -> what `run` is told. Suite, fault or number of the correct run -> Run; the longest begin."""
        started = {}
        for name in sorted(tests, key=lambda name: name != "all operators"):
            for fault in [*range(CORRECT), *faults.NAMES]:
                seeded = fault if isinstance(fault, str) else None
                started[name, fault] = self.pool.submit(self.run, tests[name], seeded)
        return {key: run.result() for key, run in started.items()}


def average(runs, name):
    return sum(runs[name, number].seconds for number in range(CORRECT)) / CORRECT


def why(fault, runs):
    """Why suites miss a fault: what shows it, and which of them have no test that gets so far as it was made for."""
    missed = [name for name in SUITES if not runs[name, fault].count("fail")]
    short = [f"*{name}*" for name in missed if runs[name, fault].count("inconclusive") == len(runs[name, fault].verdicts)]
    return "; ".join(
        [f"it takes {faults.SHOWS[fault]}"] * bool(missed) + [f"no test of {', '.join(short)} gets to its end"] * bool(short)
    )


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def findings(runs, baseline):
    header = ["fault"] + [word for name in SUITES for word in (name, "random")] + ["why missed"]
    rows = []
    for fault in faults.NAMES:
        row = [f"`{fault}`"]
        for name in SUITES:
            row += [runs[name, fault].cell(), baseline[name, fault].cell() if baseline else "none"]
        rows.append([*row, why(fault, runs)])
    found = ["**found**"]
    for name in SUITES:
        for some in (runs, baseline):
            found.append(f"{sum(some[name, fault].count('fail') > 0 for fault in faults.NAMES)} of 10" if some else "none")
    return table(header, [*rows, [*found, ""]])


def suites(tests, runs, baseline):
    rows = []
    for name, options in SUITES.items():
        counted = []
        for some in (runs, baseline):
            verdicts = [verdict for number in range(CORRECT) for verdict in some[name, number].verdicts] if some else []
            wrong = len(verdicts) - verdicts.count("pass") - verdicts.count("inconclusive")
            counted.append(f"{wrong} of {len(verdicts)}" if some else "none")
        rows.append([name, f"`{options}`" if options else "`tamper run --strategy adaptive`" if name in MADE else "", tests[name], f"{average(runs, name):.1f} s", *counted])
    return table(["suite", "`tamper testgen`", "tests", "one run", "false alarms in five runs", "of random tests"], rows)


def study(options, folder):
    """The text of results.md."""
    began, here = time.monotonic(), Study(options.tamper, options.jobs, folder)
    try:
        tests = {name: here.make(name) for name in SUITES}
        runs = here.all({name: MADE.get(name, [here.suite(name)]) for name in SUITES})
        baseline = None
        if here.random:
            lasts = {name: f"{1000 * average(runs, name):.0f}ms" for name in SUITES}
            baseline = here.all({name: ["--random", lasts[name], "--model", "model.xml"] for name in SUITES})
    finally:
        here.end()
    note = "" if baseline else "\n*random*: this tamper has no `run --random`; the columns are empty.\n"
    return (
        "# nginx: what each suite finds\n\n"
        "Written by `run.sh`. Each suite beside random tests of equal time; *found by*: how many of the tests fail.\n\n"
        f"{findings(runs, baseline)}{note}\n{suites(tests, runs, baseline)}\n"
        f"{len(runs) * (2 if baseline else 1)} runs, {options.jobs} at a time: {time.monotonic() - began:.0f} s in all.\n"
    )


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tamper", default="tamper", help="the program [default: tamper]")
    options.add_argument("--jobs", type=int, default=10 * (os.cpu_count() or 1), help="runs at a time; they mostly wait")
    options.add_argument("--out", default=HERE / "results.md", help="the report [default: results.md beside this file]")
    options = options.parse_args()
    options.tamper = os.path.abspath(shutil.which(options.tamper) or sys.exit(f"no program {options.tamper}"))
    with tempfile.TemporaryDirectory(prefix="tamper-study-") as folder:
        try:
            Path(options.out).write_text(study(options, folder))
        except KeyboardInterrupt:
            sys.exit(130)


if __name__ == "__main__":
    main()
