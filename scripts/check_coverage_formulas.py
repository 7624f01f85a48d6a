"""Asks z3 about the formulas of random machines, and rate about the proofs: check_coverage_formulas.py TAMPER FOLDER Z3
NUMBER [RATE]."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

INPUTS, OUTPUTS = "ab", "01"


def machine(dice):
    """A machine as text: complete, with up to six suspicious transitions."""
    states = [f"s{number}" for number in range(dice.randint(2, 6))]
    lines = [f"initial {states[0]}"]
    for state in states:
        for action in INPUTS:
            lines.append(f"{state} {action} / {dice.choice(OUTPUTS)} -> {dice.choice(states)}")
    for line in dice.sample(lines[1:], min(len(lines) - 1, dice.randint(1, 6))):
        state, action = line.split(" ")[:2]
        for _ in range(dice.randint(1, 3)):
            fault = f"{state} {action} / {dice.choice(OUTPUTS)} -> {dice.choice(states)}"
            if fault not in lines and f"mutated {fault}" not in lines:
                lines.append(f"mutated {fault}")
    return "\n".join(lines) + "\n"


def prove(tamper, folder, rate):
    """Writes the proof that the suite is complete, twice, and has both checked; how."""
    coverage = [tamper, "coverage", "machine.fsm", "suite.txt"]
    run = {"cwd": folder, "capture_output": True, "text": True, "check": False}
    for proof in ("complete.proof", "complete.drat"):
        subprocess.run([*coverage, "--proof", proof, "--formula", "refuted.cnf"], **run)
    checked = subprocess.run([*coverage, "--check-proof", "complete.proof"], **run)
    if checked.returncode != 0:
        sys.exit(f"the proof does not hold: {checked.stdout}{checked.stderr}")
    if not rate:
        return "proved, as tamper says"
    verified = subprocess.run([rate, "refuted.cnf", "complete.drat"], **run)
    if "s VERIFIED" not in verified.stdout.splitlines():
        sys.exit(f"rate answers {verified.stdout}{verified.stderr}")
    return "proved, as tamper and rate say"


def main():
    tamper, folder, z3, number = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    rate = sys.argv[5] if len(sys.argv) > 5 else ""
    dice = random.Random(5)
    answers = Counter()
    for _ in range(number):
        text = machine(dice)
        tests = ["".join(dice.choices(INPUTS, k=dice.randint(2, 9))) for _ in range(dice.randint(1, 6))]
        (folder / "machine.fsm").write_text(text)
        (folder / "suite.txt").write_text("\n".join(tests) + "\n")
        for formula in ("left.smt2", "left.cnf"):
            command = [tamper, "coverage", "machine.fsm", "suite.txt", "--formula", formula, "--format", "json"]
            shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if shown.returncode not in (0, 1):
                sys.exit(f"{shown.stderr}\n{text}")
            verdict = json.loads(shown.stdout)["verdict"]
            option = ["-dimacs"] if formula.endswith(".cnf") else []
            said = subprocess.run([z3, *option, formula], cwd=folder, capture_output=True, text=True, check=False)
            words = said.stdout.split()
            is_unsat = "unsat" in words or "UNSATISFIABLE" in words
            if is_unsat == ("sat" in words or "SATISFIABLE" in words):
                sys.exit(f"{formula}: z3 answers {said.stdout!r}")
            if is_unsat != (verdict == "complete"):
                sys.exit(f"{formula}: z3 answers {said.stdout!r}, tamper {verdict}\n{text}{tests}")
            answers[f"{formula.split('.')[1]}: {verdict}, as z3 says"] += 1
        if verdict == "complete":
            answers[f"complete: {prove(tamper, folder, rate)}"] += 1
    for answer, times in sorted(answers.items()):
        print(f"{answer}: {times} times")


if __name__ == "__main__":
    main()
