"""Runs each mutant that was built behind a switch against the tests that reach it, the quickest first, until one fails.

Usage: run.py WORK OUT [ROOM...]. WORK holds what scripts/mutants.sh made; a line of OUT is: number, what became of the
mutant, the tests that say so (of one program, or how many reach it), seconds, name. Mutants that OUT has are not run again,
but for those that are left: not caught, with tests that take more than MOST seconds not asked.
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

JOBS = int(os.environ.get("JOBS", "1"))
MOST = float(os.environ.get("MOST", "inf"))
ROOMS = ["zones", "guidelines", "mutation", "symbolic", "game"]
# Its minutes are spent on what other tests of its program ask as well.
LEFT_OUT = {"family::both_engines_write_the_same_records_on_all_studies"}
# The suites of the program `all` that ask about verdicts.
SUITES = ("adversary::", "guidelines::", "family::", "known_answers::", "featured_mutants::")
# Tests that take less are run together.
SHORT = 0.3


def room(file):
    return "zones" if file.startswith("crates/") else file.split("/")[1]


def programs(work):
    """The test programs by name, each with the folder that it runs in."""
    found = {}
    for line in (work / "programs.json").read_text().splitlines():
        entry = json.loads(line)
        if entry.get("reason") == "compiler-artifact" and entry.get("executable") and entry["profile"]["test"]:
            found[entry["target"]["name"]] = entry["executable"], Path(entry["manifest_path"]).parent
    return found


def run(program, tests, limit, **environment):
    """The exit code of some tests of a program, none after that many seconds; and the seconds."""
    executable, folder = program
    environment = {**os.environ, "RUST_BACKTRACE": "0", "INSTA_UPDATE": "no", **environment}
    started = time.monotonic()
    command = [executable, f"--test-threads={1 if JOBS > 1 else 2}", "--exact", *tests]
    try:
        code = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=limit).returncode
    except subprocess.TimeoutExpired:
        code = None
    return code, time.monotonic() - started


def reached(work, found):
    """For each test, program and name: seconds, the mutants whose places it comes to, and whether it expects a panic."""
    kept = work / "reached.json"
    if kept.exists():
        return json.loads(kept.read_text())

    def one(named):
        name, test = named
        places = work / f"reached.{name}.{test.replace(':', '_')}"
        places.write_text("")
        for panics in ("", test):
            reach = {"TAMPER_MUTANT": "reach", "TAMPER_REACHED": str(places), "TAMPER_PANICS": panics}
            code, seconds = run(found[name], [test], None, **reach)
            if code == 0:
                break
        else:
            sys.exit(f"{name}: {test} fails without a mutant")
        numbers = sorted({int(line) for line in places.read_text().split()})
        places.unlink()
        return name, test, seconds, numbers, panics

    named = []
    for name, (executable, folder) in found.items():
        listed = subprocess.run([executable, "--list"], cwd=folder, capture_output=True, text=True, check=True).stdout
        tests = [line.removesuffix(": test") for line in listed.splitlines() if line.endswith(": test")]
        named += [(name, test) for test in tests if test not in LEFT_OUT and (name != "all" or test.startswith(SUITES))]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        table = [entry for entry in pool.map(one, named) if entry[3]]
    kept.write_text(json.dumps(table))
    return table


def plans(table):
    """For each mutant, groups of tests that reach it, the quickest first: program, names, seconds, who may panic."""
    short, plan = defaultdict(lambda: defaultdict(list)), defaultdict(list)
    for program, test, seconds, numbers, panics in table:
        for number in numbers:
            if seconds < SHORT and not panics:
                short[number][program].append((test, seconds))
            else:
                plan[number].append((program, [test], seconds, panics))
    for number, programs_of in short.items():
        for program, tests in programs_of.items():
            plan[number].append((program, [test for test, _ in tests], sum(seconds for _, seconds in tests), ""))
    return {number: sorted(groups, key=lambda group: group[2]) for number, groups in plan.items()}


def outcome(groups, found, number):
    """What becomes of a mutant: caught, timeout, missed or unreached, and by which tests."""
    asked = [group for group in groups if group[2] <= MOST]
    for program, tests, seconds, panics in asked:
        code, _ = run(found[program], tests, 4 + 6 * seconds, TAMPER_MUTANT=str(number), TAMPER_PANICS=panics)
        if code != 0:
            return "timeout" if code is None else "caught", program if len(tests) > 1 else f"{program} {tests[0]}"
    n_tests = sum(len(tests) for _, tests, *_ in asked)
    return ("left" if asked != groups else "missed" if n_tests else "unreached"), f"{n_tests} tests"


def main():
    work, out, rooms = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or ROOMS
    mutants = json.loads((work / "list.json").read_text())
    found = programs(work)
    groups = plans(reached(work, found))
    kept = []
    for line in out.read_text().splitlines() if out.exists() else []:
        number, became, *_, name = line.split("\t")
        if int(number) > len(mutants) or mutants[int(number) - 1]["name"] != name:
            sys.exit(f"{out} is about other sources: move it away")
        if became != "left":
            kept.append(line)
    out.write_text("".join(f"{line}\n" for line in kept))
    done = {int(line.split("\t")[0]) for line in kept}
    built = [int(line) for line in (work / "built").read_text().split()]
    todo = [number for number in built if number not in done and room(mutants[number - 1]["file"]) in rooms]
    todo.sort(key=lambda number: (rooms.index(room(mutants[number - 1]["file"])), number))

    def one(number):
        started = time.monotonic()
        became, by = outcome(groups.get(number, []), found, number)
        return f"{number}\t{became}\t{by}\t{time.monotonic() - started:.1f}\t{mutants[number - 1]['name']}\n"

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool, out.open("a") as lines:
        for line in pool.map(one, todo):
            lines.write(line)
            lines.flush()
    counts = Counter()
    for line in out.read_text().splitlines():
        number, became = line.split("\t")[:2]
        counts[room(mutants[int(number) - 1]["file"]), became] += 1
    ends = ["caught", "timeout", "missed", "unreached", "left"]
    print("| room | " + " | ".join(ends) + " |\n|---|" + "---|" * len(ends))
    for name in ROOMS:
        print(f"| {name} | " + " | ".join(str(counts[name, became]) for became in ends) + " |")


if __name__ == "__main__":
    main()
