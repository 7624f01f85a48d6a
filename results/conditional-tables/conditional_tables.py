"""The tables of results/conditional/page.md, and solvers beside tamper's answers. Called by results/conditional-tables/make.sh."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import conditional_btor2

MODELS = [
    ("beverage machine, 2 units", "case-studies/beverage/model.smv", True),
    ("traffic light", "case-studies/untimed/traffic-light.smv", False),
    ("arbiter", "case-studies/untimed/arbiter.smv", False),
    ("car alarm", "case-studies/untimed/car-alarm.smv", False),
]


def run(*arguments, codes=(0,)):
    done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True)
    assert done.returncode in codes, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


def beverage(capacity, fills):
    text = Path("case-studies/beverage/model.smv").read_text()
    text = text.replace("wtr : 0..2", f"wtr : 0..{capacity}").replace("init(wtr) := 2", f"init(wtr) := {capacity}")
    return text.replace("wtr = 0 : 2;", f"wtr = 0 : {fills};")


def tables(tamper):
    print("## Mutants per operator\n")
    for name, path, complete in MODELS:
        flags = ["--unspecified=fill"] if complete else []
        print(f"{name} (`{path}`):\n")
        print(run(tamper, "classify", path, *flags), flush=True)


def capacities(tamper, folder, last):
    print("## The beverage machine with c units\n")
    wrong, slowest, times = [], 0.0, {}
    for capacity in range(1, last + 1):
        mutant, original = folder / "mutant.smv", folder / "original.smv"
        mutant.write_text(beverage(capacity, capacity - 1))
        original.write_text(beverage(capacity, capacity))
        start = time.monotonic()
        answer = json.loads(run(tamper, "refine", mutant, original, "--format", "json", codes=(1,)))
        spent = time.monotonic() - start
        slowest = max(slowest, spent)
        if capacity in (1, 10, 100, 1000):
            times[capacity] = (len(answer["word"]), spent)
        if answer["kill"] != "blind" or len(answer["word"]) != 2 * capacity + 1:
            wrong.append(capacity)
    print("| capacity c | inputs of the shortest word | seconds of wall time, all verdicts |\n|---|---|---|")
    for capacity, (length, spent) in times.items():
        print(f"| {capacity} | {length} | {spent:.3f} |")
    print(f"\nAll capacities from 1 to {last}: the shortest word has 2c + 1 inputs in {last - len(wrong)} of {last}; the slowest took {slowest:.2f} s.\n", flush=True)
    return not wrong


def smt(tamper, folder, z3, limit):
    """Every question at the shortest bound and one below."""
    print("## Exports and z3\n")
    print("`tamper export --as smtlib` asks whether a test of a given length kills: at the shortest length that tamper finds and one below, or at 4 inputs where")
    print(f"there is no kill. z3, at most {limit} s each:\n")
    print("| model | mutants | questions | the same answer | another answer | not in time | as printed: another answer than the right formula | most inputs answered |")
    print("|---|---|---|---|---|---|---|---|")
    all_right, n_mutants = True, 0
    for name, path, complete in MODELS[:3]:
        target = folder / ("smt-" + Path(path).parent.name + Path(path).stem)
        run(tamper, "export", path, *(["--unspecified=fill"] if complete else []), "--as", "smtlib", "--out", target)
        index = json.loads((target / "index.json").read_text())["files"]
        counts = {"same": 0, "other": 0, "late": 0, "printed": 0}
        mutants, longest, done = set(), 0, {}
        for one in index:
            if one["as_printed"] and one["bound"] > 5:
                continue
            text = (target / one["file"]).read_text().split("\n", 1)[1]
            if text not in done:
                answer = subprocess.run([z3, f"-T:{limit}", target / one["file"]], capture_output=True, text=True).stdout.strip()
                done[text] = answer.split("\n")[0]
            answer = done[text]
            if answer not in ("sat", "unsat"):
                counts["late"] += not one["as_printed"]
            elif one["as_printed"]:
                counts["printed"] += answer != one["expected"]
            else:
                counts["same" if answer == one["expected"] else "other"] += 1
                mutants.add(one["id"])
                longest = max(longest, one["bound"])
        all_right &= counts["other"] == 0
        n_mutants += len(mutants)
        n = sum(not one["as_printed"] for one in index)
        print(f"| {name} | {len(mutants)} | {n} | {counts['same']} | {counts['other']} | {counts['late']} | {counts['printed']} | {longest} |", flush=True)
    print(f"\n{n_mutants} mutants in all.\n", flush=True)
    return all_right and n_mutants >= 50


def limits(tamper, folder, z3, limit):
    print("How far the solver gets: the beverage machine with c units, blind question at the exact bound 2c + 1:\n")
    print("| c | inputs | z3 | tamper |\n|---|---|---|---|")
    for capacity in range(1, 9):
        source = folder / f"beverage-{capacity}.smv"
        source.write_text(beverage(capacity, capacity))
        target = folder / f"limits-{capacity}"
        run(tamper, "export", source, "--unspecified=fill", "--as", "smtlib", "--out", target)
        index = json.loads((target / "index.json").read_text())["files"]
        wanted = re.compile(rf"^CST:18:\d+:{capacity}=>{capacity - 1}$")
        mine = [one for one in index if wanted.match(one["id"]) and one["question"] == "blind" and one["expected"] == "sat"]
        if not mine:
            continue
        one = mine[-1]
        start = time.monotonic()
        answer = subprocess.run([z3, f"-T:{limit}", target / one["file"]], capture_output=True, text=True).stdout.strip().split("\n")[0]
        spent = time.monotonic() - start
        mutant = folder / "mutant.smv"
        mutant.write_text(beverage(capacity, capacity - 1))
        start = time.monotonic()
        run(tamper, "refine", mutant, source, codes=(1,))
        ours = time.monotonic() - start
        shown = f"{answer}, {spent:.2f} s" if answer in ("sat", "unsat") else f"not in {limit} s"
        print(f"| {capacity} | {one['bound']} | {shown} | {ours:.3f} s |", flush=True)
        if answer not in ("sat", "unsat"):
            break
    print()


def circuits(tamper, folder, kind, models):
    """The row of each model: what pdr says of its circuits beside what tamper does."""
    print("| model | circuits | proved equal by both | different for both | with the same number of inputs | disagreements |\n|---|---|---|---|---|---|")
    right = True
    for name, path, complete in models:
        target = folder / (f"{kind}-" + Path(path).stem)
        run(tamper, "export", path, *(["--unspecified=fill"] if complete else []), "--as", kind, "--out", target)
        index = json.loads((target / "index.json").read_text())["files"]
        proved = different = same = wrong = 0
        for one in index:
            source, binary = target / one["file"], target / (one["file"] + ".aig")
            run("yosys", "-q", "-p", f"read_aiger {source}; write_aiger {binary}")
            said = run("berkeley-abc", "-c", f"read_aiger {binary}; pdr")
            frame = re.search(r"was asserted in frame (\d+)", said)
            if "Property proved" in said and not one["differ"] and one.get("kill", "none") == "none":
                proved += 1
            elif frame and one["differ"]:
                different += 1
                same += int(frame[1]) + 1 == one["inputs"]
            else:
                wrong += 1
        right &= wrong == 0 and index != []
        print(f"| {name} | {len(index)} | {proved} | {different} | {same} | {wrong} |", flush=True)
    return right


def aiger(tamper, folder):
    print("## Circuits and pdr\n")
    print("`tamper export --as aiger`: a circuit per mutant without choices, beside the original, read by yosys and decided by `pdr` of ABC. `differ` is never 1: equivalent; else the")
    print("number of inputs of the counterexample.\n")
    coffee = folder / "coffee-only.smv"
    text = Path("case-studies/beverage/model.smv").read_text()
    coffee.write_text(text.replace("{coff, tea}", "coff"))
    right = circuits(tamper, folder, "aiger", [("beverage machine, coffee only", coffee, True), MODELS[1], MODELS[3]])
    print("\nThe solver's counterexamples need not be shortest.\n", flush=True)
    return right


def determinised(tamper, folder):
    print("## Choices as inputs, and pdr\n")
    print("`tamper export --as determinised`: the same of all mutants that are total, after their choices have become inputs (D(S)). Those that pdr proves equal are all equivalent.\n")
    name, path, _ = MODELS[0]
    right = circuits(tamper, folder, "determinised", [(name, path, False), MODELS[1], MODELS[2]])
    print(flush=True)
    return right


def main(tamper, folder, z3, last, limit):
    folder = Path(folder)
    tables(tamper)
    right = capacities(tamper, folder, last)
    right &= smt(tamper, folder, z3, limit)
    limits(tamper, folder, z3, max(limit, 60))
    right &= aiger(tamper, folder)
    right &= determinised(tamper, folder)
    right &= conditional_btor2.section(tamper, folder)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
