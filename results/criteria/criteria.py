"""Prints results/criteria/page.md: what suites of structural criteria kill, and what suites of mutants add. Usage: criteria.py TAMPER"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

MODELS = {
    "CAS": "case-studies/cas/model.xml",
    "COFFEE": "case-studies/coffee/model.xml",
    "ACCEL": "case-studies/accel/model.xml",
    "HOTEL": "case-studies/hotel/model.xml",
    "WFAS": "case-studies/wfas/model.xml",
    "MUTEX": "case-studies/mutex/model.xml",
    "lamp": "uppaal-models/lamp.xml",
}
CRITERIA = ["locations", "edges", "edge-pairs", "all-uses", "mcdc"]
MUTANTS = ["--kill", "potential"]


def asked(*words):
    """What tamper prints as JSON; suites may be worth nothing, so codes 0 and 1 are answers."""
    done = subprocess.run([sys.argv[1], *words, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"tamper {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def made(folder, model, name, *options):
    """A smallest suite: what is said of it, and its file."""
    path = str(Path(folder) / f"{name}.json")
    return asked("testgen", model, *options, "--strategy", "minimal", "--out", path), path


def uncovered(path, of_mutants):
    """How many items are covered only by tests that the suite of mutants lacks."""
    known = {test["id"] for test in json.loads(Path(of_mutants).read_text())["tests"]}
    items = json.loads(Path(path).read_text())["mutants"]
    return sum(item.get("test") is not None and item["test"] not in known for item in items)


def rows(folder):
    for study, model in MODELS.items():
        of_mutants, mutants = made(folder, model, f"{study}-mutants", *MUTANTS)
        for criterion in CRITERIA:
            name = f"{study}-{criterion}"
            suite, path = made(folder, model, name, "--criterion", criterion)
            score = asked("score", path, model)
            more, _ = made(folder, model, f"{name}-more", *MUTANTS, "--extend", path)
            _, covering = made(folder, model, f"{name}-covering", "--criterion", criterion, "--extend", mutants)
            yield {
                "study": study,
                "criterion": criterion,
                "items": suite["items"],
                "feasible": suite["feasible"],
                "tests": suite["tests"],
                "steps": suite["steps"],
                "killed": score["killed"],
                "killable": score["killable"],
                "added tests": more["tests"] - suite["tests"],
                "added steps": more["steps"] - suite["steps"],
                "mutant tests": of_mutants["tests"],
                "mutant steps": of_mutants["steps"],
                "not covered": uncovered(covering, mutants),
            }


def share(killed, killable):
    return f"{100 * killed / killable:.1f} %"


def main():
    with tempfile.TemporaryDirectory() as folder:
        table = list(rows(folder))
    sums = {}
    for row in table:
        of = sums.setdefault(row["criterion"], {})
        for key, value in row.items():
            if isinstance(value, int):
                of[key] = of.get(key, 0) + value
    shares = [share(sums[name]["killed"], sums[name]["killable"]) for name in CRITERIA]
    listed = ", ".join(f"{name} {part}" for name, part in zip(CRITERIA, shares))
    print("# Structural criteria and mutants\n")
    print("How many mutants does a suite kill that covers a structural criterion of the model, and what do tests for mutants add ([002] section 6)?\n")
    print(f"Of the mutants of order 1 that some test can kill, over all models: {listed}; the suites of mutants kill all.\n")
    print("Made by `results/criteria/make.sh`; each suite is `tamper testgen MODEL --criterion CRITERION --strategy minimal`, or `--kill potential --strategy minimal` for mutants.\n")
    print("Feasible: some run goes through the item (exactly; the others `testgen` names). Killed: mutants on which a test of the suite can fail, of those that some test can")
    print("kill (`tamper score`). Added: tests and steps that kill the rest (`--extend`). Mutant suite: the suite made for mutants alone; not covered: the feasible items that it")
    print("does not go through. `tests/suites/criteria.rs` compares what is feasible with a walk through region graphs.\n")
    print("| model | criterion | items | feasible | tests | steps | killed | share | added tests | added steps | mutant suite: tests | steps | not covered |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in table + [{"study": "all", "criterion": name, **sums[name]} for name in CRITERIA]:
        cells = [row["study"], row["criterion"], row["items"], row["feasible"], row["tests"], row["steps"]]
        cells += [f"{row['killed']} of {row['killable']}", share(row["killed"], row["killable"])]
        cells += [row["added tests"], row["added steps"], row["mutant tests"], row["mutant steps"], row["not covered"]]
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


main()
