"""The table of results/baselines/page.md. Called by results/baselines/make.sh."""

import json
import random
import subprocess
import sys
from pathlib import Path

ORDER = ["random", "checking-sequence", "w-method", "hsi-method", "per-mutant", "complete", "smallest"]


def turnstile():
    """A machine drawn by hand: two coins open it, a push shuts it, a reset is always possible; some faults are possible."""
    states = ["shut", "half", "open"]
    rows = {
        ("shut", "coin"): ("-", "half"), ("shut", "push"): ("no", "shut"), ("shut", "reset"): ("-", "shut"),
        ("half", "coin"): ("-", "open"), ("half", "push"): ("no", "half"), ("half", "reset"): ("back", "shut"),
        ("open", "coin"): ("back", "open"), ("open", "push"): ("go", "shut"), ("open", "reset"): ("-", "shut"),
    }
    return states, rows


def drawn(seed, n_states, inputs, outputs):
    """A random machine in which every state can be reached."""
    draw = random.Random(seed)
    states = [f"s{at}" for at in range(n_states)]
    rows = {(state, name): (draw.choice(outputs), draw.choice(states)) for state in states for name in inputs}
    for at in range(n_states - 1):
        rows[states[at], inputs[0]] = (rows[states[at], inputs[0]][0], states[at + 1])
    return states, rows


def text(machine, n_faults, seed):
    """The machine with that number of faults, drawn."""
    states, rows = machine
    outputs = sorted({output for output, _ in rows.values()})
    lines = [f"initial {states[0]}"] + [f"{state} {name} / {output} -> {to}" for (state, name), (output, to) in rows.items()]
    faults = [f"mutated {state} {name} / {output} -> {to}" for (state, name), own in rows.items() for output in outputs for to in states if (output, to) != own]
    faults = sorted(random.Random(seed).sample(faults, n_faults))
    return "\n".join(lines + faults) + "\n"


def random_tests(content, other):
    """Random tests of the machine, as long as those in `other`."""
    words = [line.split("#")[0].split() for line in content.splitlines()]
    inputs = list(dict.fromkeys(line[1] for line in words if len(line) == 6))
    choose = random.Random(1).choice
    return "".join(" ".join(choose(inputs) for _ in line.split()) + "\n" for line in other.splitlines() if line)


def main(tamper, folder):
    folder = Path(folder)
    machines = {
        "running example of [000]": Path("examples/machines/running-example.fsm").read_text(),
        "turnstile, 8 faults": text(turnstile(), 8, 1),
        "turnstile, 24 faults": text(turnstile(), 24, 1),
        "6 states, 3 inputs, 12 faults": text(drawn(3, 6, ["a", "b", "c"], ["0", "1"]), 12, 2),
        "12 states, 4 inputs, 20 faults": text(drawn(4, 12, ["a", "b", "c", "d"], ["0", "1", "2"]), 20, 3),
    }
    rows, misses = [], {name: 0 for name in ORDER}
    for name, content in machines.items():
        machine = folder / "machine.fsm"
        machine.write_text(content)
        for old in folder.glob("*.suite"):
            old.unlink()
        for way in ("checking-sequence", "w-method", "hsi-method", "per-mutant"):
            made = subprocess.run([tamper, "testgen", machine, "--strategy", way, "--out", folder / f"{way}.suite"], capture_output=True)
            assert made.returncode == 0 or (way, made.returncode) == ("checking-sequence", 1), made.stderr
        (folder / "random.suite").write_text(random_tests(content, (folder / "per-mutant.suite").read_text()))
        for way, option in (("complete", "--suite=complete"), ("smallest", "--suite=smallest")):
            subprocess.run([tamper, "coverage", machine, option, "--quiet", "--out", folder / f"{way}.suite"], check=True, capture_output=True)
        for way in ORDER:
            suite = folder / f"{way}.suite"
            if not suite.exists():
                rows.append(f"| {name} | {way} | - | - | - | - |")
                continue
            answer = subprocess.run([tamper, "coverage", machine, suite, "--show=count", "--format", "json"], capture_output=True, text=True)
            tests = [line.split() for line in suite.read_text().splitlines() if line.strip()]
            found = json.loads(answer.stdout)
            counts = found["counts"]
            missed = int(counts["undetected"])
            misses[way] += missed > 0
            rows.append(f"| {name} | {way} | {len(tests)} | {sum(map(len, tests))} | {int(found['machines']) - 1} | {missed} |")
            name = ""
    print("# Suites that know nothing of the mutants\n")
    print("What do the classical suites for state machines cost beside suites that are made for the mutants, and what does each miss?\n")
    incomplete = [f"`{way}` on {misses[way]}" for way in ORDER if misses[way]]
    print(f"Of {len(machines)} machines some mutant escapes {', '.join(incomplete)}; the others miss nothing, and suites for the mutants are smaller.\n\nMade by `results/baselines/make.sh`.\n")
    print("| machine | suite | tests | inputs | mutants | missed |")
    print("|---|---|---|---|---|---|")
    print("\n".join(rows))
    print("""
A mutant is any combination of faults; missed are those that some test kills, but none of the suite (`tamper coverage --show count`,
exact). *random*: tests as long as those of *per-mutant*. *per-mutant*: a shortest test for every mutant of one fault;
this and the next three are made by `tamper testgen --strategy`. *w-method* (Chow 1978), *hsi-method*, and *checking-sequence*
(Hennie 1964; one test without a reset, where there is a distinguishing sequence, else -): they kill every machine, mutant or not, that answers some word
otherwise and has no more states than the specification has that differ.
*complete*: `coverage --suite complete`; *smallest*: `coverage --suite smallest`, of which no complete suite has fewer tests.
W-method and checking sequences are compared with all machines of as many states in the tests of `tamper-machines`.""")


if __name__ == "__main__":
    main(*sys.argv[1:])
