#!/usr/bin/env python3
"""Random programs under one suite in several runners: tamper, pytest, node:test, Jest, Vitest and cargo test must say the same of each test.

A program is the washing machine of examples/adapters with up to three random changes: a time, an output, a state that is gone to, an input that is
refused, an output that never comes. The same number gives the same program.

usage: harness_programs.py program NUMBER       speaks tamper's protocol in accelerated time
       harness_programs.py cargo FILE           the tests that fail in what cargo test printed
       harness_programs.py compare N TAMPER PYTEST [--node] [--modules DIR] [--cargo DIR]
                                                N programs; DIR has node_modules with Jest and Vitest, or is a package with the kit for tokio
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from collections import Counter
from fractions import Fraction

ADAPTERS = pathlib.Path(__file__).parent.parent / "examples/adapters"
PROGRAMS = ADAPTERS.parent.parent / "tests/kits/programs.rs"
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

    def rests(self):
        """Whether outputs that take no time come to an end."""
        now = {state: target for state, (_, time, target) in self.outputs.items() if time == 0}
        for state in list(now):
            for _ in STATES:
                state = now.get(state)
            if state is not None:
                return False
        return True

    def __str__(self):
        inputs = [f"input {state} {action} {target}" for (state, action), target in self.inputs.items()]
        times = ((state, name, time.numerator, time.denominator, target) for state, (name, time, target) in self.outputs.items())
        return "\n".join(inputs + ["output {} {} {}/{} {}".format(*parts) for parts in times])

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
    why = re.sub(r"(?<=\))\s*log:\s.*$", "", why, flags=re.S)
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


def of_cargo(file):
    """The same of what `cargo test -- --show-output` prints; it cannot skip a test that has begun."""
    text = file.read_text()
    assert "test result: " in text, text
    said = dict(re.findall(r"^---- suite::(\S+) stdout ----\n(.*?)\n\n", text, flags=re.M | re.S))
    found = {}
    for name, result in re.findall(r"^test suite::(\S+) \.\.\. (ok|FAILED)$", text, flags=re.M):
        is_unsure = f"{name} of " in said.get(name, "") and " is inconclusive: " in said[name]
        found[name] = ("fail", bare(said[name])) if result == "FAILED" else ("inconclusive" if is_unsure else "pass", "")
    return found


READERS = {"pytest": of_junit, "node-test": of_junit, "jest": of_jest, "vitest": of_jest, "tokio": of_cargo}
FILES = {"pytest": "test_suite.py", "node-test": "node.test.mjs", "jest": "jest.test.cjs", "vitest": "vitest.test.mjs", "tokio": "tests/suite.rs"}


class Comparison:
    def __init__(self, given, folder):
        self.tamper, self.folder = os.path.abspath(given.tamper), folder
        self.commands = {"pytest": [os.path.abspath(given.pytest), "-q", "-p", "no:cacheprovider", "--junit-xml", "pytest.out", "test_suite.py"]}
        if given.node:
            self.commands["node-test"] = ["node", "--test", "--test-reporter=junit", "--test-reporter-destination=node-test.out", "node.test.mjs"]
        if given.modules:
            binaries = pathlib.Path(given.modules).resolve() / "node_modules/.bin"
            self.commands["jest"] = [binaries / "jest", "--rootDir", ".", "--testRegex", r"jest\.test\.cjs$", "--silent", "--json", "--outputFile=jest.out"]
            self.commands["vitest"] = [binaries / "vitest", "run", "--reporter=json", "--outputFile=vitest.out", "vitest.test.mjs"]
            (folder / "node_modules").symlink_to(binaries.parent)
        if given.cargo:
            for name in ("Cargo.toml", "Cargo.lock"):
                shutil.copy(pathlib.Path(given.cargo) / name, folder)
            (folder / "tests/adapter").mkdir(parents=True)
            shutil.copy(PROGRAMS, folder / "tests/adapter/mod.rs")
            self.commands["tokio"] = ["cargo", "test", "--locked", "--offline", "--test", "suite", "--", "--show-output"]
        self.restless = 0
        (folder / "package.json").write_text("{}")

    def make(self, options):
        suite = [self.tamper, "testgen", ADAPTERS / "washer.xml", "--out", "suite.json", "--quiet", *options]
        subprocess.run(suite, cwd=self.folder, check=True, capture_output=True)
        for runner in self.commands:
            command = [self.tamper, "harness", "suite.json", "--as", runner, "--out", FILES[runner], "--quiet"]
            subprocess.run(command, cwd=self.folder, check=True, capture_output=True)

    def of_tamper(self, sut):
        command = [self.tamper, "run", "suite.json", "--sut", sut, "--accelerated", "--format", "json"]
        runs = json.loads(subprocess.run(command, cwd=self.folder, capture_output=True).stdout)["runs"]
        return {run["test"]: (run["verdict"], run["exactly"] if run["verdict"] == "fail" else "") for run in runs}

    def of_runner(self, runner, sut, number):
        out = self.folder / f"{runner}.out"
        out.unlink(missing_ok=True)
        env = {**os.environ, "TAMPER_SUT": sut, "TAMPER_PROGRAM": str(Program(number))}
        ran = subprocess.run(self.commands[runner], cwd=self.folder, env=env, capture_output=True)
        if runner == "tokio":
            out.write_bytes(ran.stdout + ran.stderr)
        return READERS[runner](out)

    def check(self, number):
        """Compares the runners with tamper on a program; the verdicts."""
        sut = f"'{sys.executable}' '{pathlib.Path(__file__).resolve()}' program {number}"
        expected = self.of_tamper(sut)
        for runner in self.commands:
            if runner == "tokio" and not Program(number).rests():
                self.restless += 1  # A program of tokio that never waits: no time passes, and no test ends.
                continue
            found, right = self.of_runner(runner, sut, number), expected
            if runner == "jest":  # It cannot skip a test that has begun.
                right = {test: ("pass" if verdict == "inconclusive" else verdict, why) for test, (verdict, why) in expected.items()}
            if found != right:
                differ = [f"{test}: {right.get(test)}, {runner}: {found.get(test)}" for test in sorted({*right, *found}) if right.get(test) != found.get(test)]
                sys.exit(f"program {number}: " + "\n".join(differ))
        return Counter(verdict for verdict, _ in expected.values())


def compare(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("tamper")
    parser.add_argument("pytest")
    parser.add_argument("--node", action="store_true")
    parser.add_argument("--modules")
    parser.add_argument("--cargo")
    given = parser.parse_args(words)
    verdicts, failing = Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(given, pathlib.Path(folder).resolve())
        for at, options in enumerate(SUITES):
            numbers = range(at, given.count, len(SUITES))
            if numbers:
                comparison.make(options)
            for number in numbers:
                found = comparison.check(number)
                verdicts += found
                failing += bool(found["fail"])
        counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("pass", "fail", "inconclusive"))
        runners = ", ".join(comparison.commands)
        print(f"{given.count} random programs, {failing} of them faulty, in tamper, {runners}: the same verdicts and sentences ({counts})")
        if comparison.restless:
            print(f"{comparison.restless} of them, which never come to rest, not in tokio")


if __name__ == "__main__":
    if sys.argv[1:2] == ["program"] and len(sys.argv) == 3:
        program = Program(int(sys.argv[2]))
        for line in sys.stdin:
            print(adapter.answer(program, *line.strip().partition(" ")[::2]), flush=True)
    elif sys.argv[1:2] == ["cargo"] and len(sys.argv) == 3:
        for test, (verdict, why) in sorted(of_cargo(pathlib.Path(sys.argv[2])).items()):
            if verdict == "fail":
                print(f"{test}: {why}")
    elif sys.argv[1:2] == ["compare"]:
        compare(sys.argv[2:])
    else:
        sys.exit(__doc__)
