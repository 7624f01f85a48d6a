#!/usr/bin/env python3
"""Runs suites and random walks against the good and the bad version of every case, and writes results/regressions/page.md."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from regressions_cases import ROOT, install, read_cases, read_strategies
from regressions_table import report

GOOD_RUNS = 5
SEEDS = 20
# Random tests of one seed, at most: the walks of a case are as long as its longest suite.
MOST_WALKS = 640


@dataclass
class Suite:
    """What a strategy makes for a case, and what its runs said."""

    tests: int
    steps: int  # Inputs and outputs.
    failing: int  # Tests that fail on the bad version.
    operators: list  # Those whose tests fail.
    seconds: float  # Of the run on the bad version.
    alarms: int  # Runs on the good version with a fail.
    unsure: int  # Tests on the bad version that are inconclusive.


@dataclass
class Walks:
    """Random walks on the bad version: per seed after how many events the first fail came, None if none did."""

    firsts: list
    alarms: int  # Runs on the good version with a fail.

    def found(self, steps):
        return sum(first is not None and first <= steps for first in self.firsts)


class Study:
    def __init__(self, tamper, folder, jobs):
        self.tamper, self.folder = os.path.abspath(tamper), folder
        self.virtual = concurrent.futures.ThreadPoolExecutor(jobs)
        self.real = concurrent.futures.ThreadPoolExecutor(4 * jobs)  # What runs in real time mostly waits.

    def pool(self, case):
        return self.virtual if case.time == "--accelerated" else self.real

    def say(self, *words):
        """What tamper prints as JSON; a run that fails tests is one, too."""
        done = subprocess.run(
            [self.tamper, *map(str, words), "--format", "json"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=1800
        )
        if done.returncode not in (0, 1) or not done.stdout:
            raise RuntimeError(f"{words}: exit code {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)

    def run(self, case, sut, *words):
        options = case.time.split()
        if "--strategy" in words and "--jobs" in options:  # Tests that plan follow one program.
            at = options.index("--jobs")
            del options[at : at + 2]
        said = self.say("run", *words, "--model", case.model, "--sut", sut, *options)
        # On the wall clock tamper itself may be late, on a busy machine; such a test has no verdict.
        broken = [run for run in said["runs"] if run["verdict"] in (None, "broken", "differs")]
        if broken:
            raise RuntimeError(f"{case.name}: {words}: no verdict in {len(broken)} tests: {json.dumps(broken[0])[:2000]}")
        return said

    def suite(self, case, strategy, suts):
        words = strategy.get("run", "").split()
        if "make" in strategy:
            file = self.folder / case.name / f"{strategy['name']}.json"
            command, *options = strategy["make"].split()
            self.say(command, case.model, *options, "--out", file)
            words.insert(0, file)
        began = time.monotonic()
        bad = self.run(case, suts["bad"], *words)
        seconds = time.monotonic() - began
        goods = [self.run(case, suts["good"], *words) for _ in range(GOOD_RUNS)]
        # What tests cost is what is given and seen where nothing is wrong: many end before their last step.
        failing = [run for run in bad["runs"] if run["verdict"] == "fail"]
        return Suite(
            tests=len(goods[0]["runs"]),
            steps=sum("input" in event or "output" in event for run in goods[0]["runs"] for event in run["log"]),
            failing=len(failing),
            operators=sorted({purpose.split(":")[0].split("/")[-1] for run in failing for purpose in run["purpose"]}),
            seconds=seconds,
            alarms=sum(good["fail"] > 0 for good in goods),
            unsure=bad["inconclusive"],
        )

    def walk(self, case, sut, seed, length):
        """Random tests of one seed until one fails or there are `length` events: how many events until the fail, or None."""
        tests = max(2, length // 16)
        while True:
            said = self.run(case, sut, "--random", tests, "--seed", seed, "--fail-fast")
            events = 0
            for run in said["runs"]:
                events += sum("input" in event or "output" in event for event in run["log"])
                if run["verdict"] == "fail":
                    return events
            if events >= length or tests >= MOST_WALKS:
                return None
            tests *= 2

    def walks(self, case, suts, length):
        firsts = list(self.pool(case).map(lambda seed: self.walk(case, suts["bad"], seed, length), range(SEEDS)))
        goods = self.pool(case).map(lambda seed: self.walk(case, suts["good"], seed, length), range(GOOD_RUNS))
        return Walks(firsts, sum(first is not None for first in goods))

    def case(self, case, strategies):
        """What is found of a case: strategy -> Suite, and the walks."""
        suts = {which: install(case, getattr(case, which), self.folder / case.name / which) for which in ("good", "bad")}
        runs = {strategy["name"]: self.pool(case).submit(self.suite, case, strategy, suts) for strategy in strategies if case.name not in strategy.get("without", [])}
        suites = {name: run.result() for name, run in runs.items()}
        walks = self.walks(case, suts, max(suite.steps for suite in suites.values()))
        size = self.say("check", case.model)
        return suites, walks, size


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tamper", required=True)
    options.add_argument("--folder", type=Path, required=True, help="where things are installed")
    options.add_argument("--only", type=lambda names: names.split(","), default=[], help="only these cases")
    options.add_argument("--set", choices=["choosing", "judging"], help="only these cases: whoever tunes looks at the choosing ones alone")
    options.add_argument("--strategies", type=lambda names: names.split(";"), default=[], help="only these, separated by semicolons")
    options.add_argument("--out", type=Path, default=ROOT / "results" / "regressions.md")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = options.parse_args()
    study = Study(options.tamper, options.folder, options.jobs)
    strategies = [strategy for strategy in read_strategies() if not options.strategies or strategy["name"] in options.strategies]
    cases = [case for case in read_cases(options.only) if not options.set or case.set == options.set]

    def looked_at(case):
        suites, walks, size = study.case(case, strategies)
        print(f"{case.name}: " + ", ".join(f"{name} {'found' if suite.failing else 'missed'}" for name, suite in suites.items()), file=sys.stderr)
        return case, suites, walks, size

    # Cases in real time mostly wait: they come first, beside the others.
    with concurrent.futures.ThreadPoolExecutor(2) as pairs:
        begun = {case.name: pairs.submit(looked_at, case) for case in sorted(cases, key=lambda case: case.time == "--accelerated")}
        found = [begun[case.name].result() for case in cases]
    options.out.write_text(report(found, [strategy["name"] for strategy in strategies]))


if __name__ == "__main__":
    main()
