#!/usr/bin/env python3
"""Random programs under one suite in several runners: tamper, pytest, node:test, Jest and Vitest must say the same of each test.

A program is the washing machine of examples/adapters with up to three random changes: a time, an output, a state that is gone to, an input that is
refused, an output that never comes. The same number gives the same program.

usage: harness_programs.py program NUMBER                   speaks tamper's protocol in accelerated time
       harness_programs.py compare N TAMPER PYTEST [DIR]    N programs; DIR has node_modules with Jest and Vitest
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from collections import Counter
from fractions import Fraction

ADAPTERS = pathlib.Path(__file__).parent.parent / "examples/adapters"
sys.path.insert(0, str(ADAPTERS))
import adapter  # noqa: E402

SUITES = [
    [],
    ["--kill", "definite"],
    ["--kill", "potential", "--style", "adaptive", "--delays", "middle"],
    ["--style", "adaptive", "--delays", "latest"],
    ["--for", "programs"],
]
STATES, OUTPUTS = ["idle", "filling", "washing", "draining"], ["full", "done", "drained"]


class Program:
    """A machine of states: what inputs lead to, and the output that comes after a while."""

    def __init__(self, number):
        self.inputs = {("idle", "start"): "filling", ("filling", "stop"): "draining", ("washing", "stop"): "draining"}
        self.outputs = {
            "filling": ("full", Fraction(3), "washing"),
            "washing": ("done", Fraction(25), "idle"),
            "draining": ("drained", Fraction(1), "idle"),
        }
        source = random.Random(number)
        for _ in range(number % 4):
            self.change(source)
        self.reset()

    def change(self, source):
        kind, state = source.randrange(6), source.choice(sorted(self.outputs) or STATES)
        output, time, target = self.outputs.get(state, ("full", Fraction(1), "idle"))
        if kind == 0:
            self.outputs[state] = output, max(Fraction(0), time + Fraction(source.randint(-12, 12), source.randint(1, 6))), target
        elif kind == 1:
            self.outputs[state] = source.choice(OUTPUTS), time, target
        elif kind == 2:
            self.outputs[state] = output, time, source.choice(STATES)
        elif kind == 3:
            self.outputs.pop(state, None)
        elif kind == 4:
            self.inputs.pop((source.choice(STATES), source.choice(["start", "stop"])), None)
        else:
            self.inputs[source.choice(STATES), source.choice(["start", "stop"])] = source.choice(STATES)

    def enter(self, state):
        self.state, self.since = state, Fraction(0)

    def reset(self):
        self.enter("idle")

    def give(self, action):
        target = self.inputs.get((self.state, action))
        if target is not None:
            self.enter(target)
        return target is not None

    def due(self):
        return self.outputs[self.state][1] - self.since if self.state in self.outputs else None

    def wait(self, time):
        self.since += time

    def output(self):
        name, _, target = self.outputs[self.state]
        self.enter(target)
        return name


def bare(why):
    """Why a test fails, without its purpose."""
    why = re.sub(r"\x1b\[[0-9;]*m", "", why).strip()
    return re.sub(r" \((potential|definite) kill of .*\)$", "", why.removeprefix("Failed: ").removeprefix("Error: "), flags=re.S)


def of_junit(file):
    """Verdict and sentence of each test in a JUnit file, as pytest and Node write it."""
    found = {}
    for case in tree.parse(file).iter("testcase"):
        name = re.sub(r"^test_of\[(.*)\]$", r"\1", case.get("name"))
        assert case.find("error") is None, tree.tostring(case)
        failure, skipped = case.find("failure"), case.find("skipped")
        found[name] = ("fail", bare(failure.get("message"))) if failure is not None else ("pass" if skipped is None else "inconclusive", "")
    return found


def of_jest(file):
    """The same of a JSON file of Jest or Vitest."""
    found = {}
    for case in json.loads(file.read_text())["testResults"][0]["assertionResults"]:
        verdict = {"passed": "pass", "failed": "fail"}.get(case["status"], "inconclusive")
        found[case["title"]] = verdict, bare(case["failureMessages"][0]) if verdict == "fail" else ""
    return found


class Comparison:
    def __init__(self, tamper, pytest, modules, folder):
        self.tamper, self.modules, self.folder = tamper, modules, folder
        self.commands = {
            "pytest": [pytest, "-q", "-p", "no:cacheprovider", "--junit-xml", "pytest.out", "test_suite.py"],
            "node-test": ["node", "--test", "--test-reporter=junit", "--test-reporter-destination=node-test.out", "node.test.mjs"],
        }
        if modules:
            binaries = pathlib.Path(modules) / "node_modules/.bin"
            self.commands["jest"] = [binaries / "jest", "--rootDir", ".", "--testRegex", r"jest\.test\.cjs$", "--silent", "--json", "--outputFile=jest.out"]
            self.commands["vitest"] = [binaries / "vitest", "run", "--reporter=json", "--outputFile=vitest.out", "vitest.test.mjs"]
            (folder / "node_modules").symlink_to(pathlib.Path(modules).resolve() / "node_modules")
        (folder / "package.json").write_text("{}")

    def make(self, options):
        suite = [self.tamper, "testgen", ADAPTERS / "washer.xml", "--out", "suite.json", "--quiet", *options]
        subprocess.run(suite, cwd=self.folder, check=True, capture_output=True)
        for runner in self.commands:
            command = [self.tamper, "harness", "suite.json", "--as", runner, "--out", self.commands[runner][-1] if runner != "jest" else "jest.test.cjs", "--quiet"]
            subprocess.run(command, cwd=self.folder, check=True, capture_output=True)

    def of_tamper(self, sut):
        command = [self.tamper, "run", "suite.json", "--sut", sut, "--accelerated", "--format", "json"]
        runs = json.loads(subprocess.run(command, cwd=self.folder, capture_output=True).stdout)["runs"]
        return {run["test"]: (run["verdict"], run["exactly"] if run["verdict"] == "fail" else "") for run in runs}

    def of_runner(self, runner, sut):
        out = self.folder / f"{runner}.out"
        out.unlink(missing_ok=True)
        subprocess.run(self.commands[runner], cwd=self.folder, env={**os.environ, "TAMPER_SUT": sut}, capture_output=True)
        return (of_junit if runner in ("pytest", "node-test") else of_jest)(out)

    def check(self, number):
        """Compares the runners with tamper on a program; the verdicts."""
        sut = f"'{sys.executable}' '{pathlib.Path(__file__).resolve()}' program {number}"
        expected = self.of_tamper(sut)
        for runner in self.commands:
            found, right = self.of_runner(runner, sut), expected
            if runner == "jest":  # It cannot skip a test that has begun.
                right = {test: ("pass" if verdict == "inconclusive" else verdict, why) for test, (verdict, why) in expected.items()}
            if found != right:
                differ = [f"{test}: {right.get(test)}, {runner}: {found.get(test)}" for test in sorted({*right, *found}) if right.get(test) != found.get(test)]
                sys.exit(f"program {number}: " + "\n".join(differ))
        return Counter(verdict for verdict, _ in expected.values())


def compare(count, tamper, pytest, modules=None):
    verdicts, failing = Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(os.path.abspath(tamper), os.path.abspath(pytest), modules, pathlib.Path(folder).resolve())
        for at, options in enumerate(SUITES):
            numbers = range(at, int(count), len(SUITES))
            if numbers:
                comparison.make(options)
            for number in numbers:
                found = comparison.check(number)
                verdicts += found
                failing += bool(found["fail"])
        counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("pass", "fail", "inconclusive"))
        print(f"{count} random programs, {failing} of them faulty, in tamper, {', '.join(comparison.commands)}: the same verdicts and sentences ({counts})")


if __name__ == "__main__":
    if sys.argv[1:2] == ["program"] and len(sys.argv) == 3:
        program = Program(int(sys.argv[2]))
        for line in sys.stdin:
            print(adapter.answer(program, *line.strip().partition(" ")[::2]), flush=True)
    elif sys.argv[1:2] == ["compare"] and len(sys.argv) in (5, 6):
        compare(*sys.argv[2:])
    else:
        sys.exit(__doc__)
