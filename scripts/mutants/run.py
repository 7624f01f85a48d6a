"""Runs each mutant that was built behind a switch against the tests of its room until one fails.

Usage: run.py WORK OUT [ROOM...]. WORK holds what scripts/mutants.sh made; a line of OUT is: number, what became of the
mutant, the test program, seconds, name. Mutants that OUT has are not run again.
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

JOBS = int(os.environ.get("JOBS", "1"))
SECONDS = float(os.environ.get("SECONDS_EACH", "30"))
# Tests that take seconds, and the one that expects a panic.
LONG = ["extrapolation_by_maximal_constants", "subtraction_and_inclusion_agree"]
SHORT = [word for name in LONG for word in ("--skip", name)]
PANICS = "entries_that_a_word_cannot_hold_stop_instead_of_wrapping"
# The test programs that judge a room, with the tests to run of them, from the quickest.
PLANS = {
    "zones": [("zones", SHORT), ("zones", LONG)],
    "guidelines": [("tamper", ["guidelines::"]), ("guidelines", []), ("adversary", [])],
    "mutation": [("tamper", ["mutation::"]), ("differential", []), ("guidelines", []), ("featured_mutants", []), ("adversary", [])],
    "symbolic": [("tamper", ["symbolic::", "game::"]), ("differential", []), ("known_answers", []), ("family", []), ("adversary", [])],
    "game": [("tamper", ["game::"]), ("differential", []), ("known_answers", []), ("family", []), ("adversary", [])],
}


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


def outcome(plan, found, number):
    """What becomes of a mutant: caught, timeout or missed, and by which program."""
    environment = dict(os.environ, TAMPER_MUTANT=str(number), TAMPER_PANICS=PANICS, RUST_BACKTRACE="0", INSTA_UPDATE="no")
    environment.setdefault("TAMPER_CASES", "60")
    for name, tests in plan:
        program, folder = found[name]
        command = [program, f"--test-threads={1 if JOBS > 1 else 2}", *tests]
        try:
            result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return "timeout", name
        if result.returncode != 0:
            return "caught", name
    return "missed", ""


def main():
    work, out, rooms = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or list(PLANS)
    mutants = json.loads((work / "list.json").read_text())
    found = programs(work)
    for name in rooms:
        became, by = outcome(PLANS[name], found, 0)
        if became != "missed":
            sys.exit(f"{by}: the tests fail without a mutant")
    done = {int(line.split("\t")[0]) for line in out.read_text().splitlines()} if out.exists() else set()
    built = [int(line) for line in (work / "built").read_text().split()]
    todo = [number for number in built if number not in done and room(mutants[number - 1]["file"]) in rooms]

    def run(number):
        started = time.monotonic()
        mutant = mutants[number - 1]
        became, by = outcome(PLANS[room(mutant["file"])], found, number)
        return f"{number}\t{became}\t{by}\t{time.monotonic() - started:.1f}\t{mutant['name']}\n"

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool, out.open("a") as lines:
        for line in pool.map(run, todo):
            lines.write(line)
            lines.flush()
    counts = Counter()
    for line in out.read_text().splitlines():
        number, became = line.split("\t")[:2]
        counts[room(mutants[int(number) - 1]["file"]), became] += 1
    print("| room | caught | timeout | missed |\n|---|---|---|---|")
    for name in PLANS:
        print(f"| {name} | " + " | ".join(str(counts[name, became]) for became in ("caught", "timeout", "missed")) + " |")


if __name__ == "__main__":
    main()
