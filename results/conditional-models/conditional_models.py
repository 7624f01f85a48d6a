"""The columns of Tables 3 and 4 of [004] for our models, and what MCHyper says of the same mutants. Called by results/conditional-models/make.sh."""

import json
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean, pstdev

# Of a mutant, and of a model.
PER_MUTANT, SECONDS = 5, 120
# Larger circuits are not given to MCHyper.
MOST_GATES = 150
STUDIES = Path("case-studies")
CAS = STUDIES / "untimed/smv/car-alarm-timed.smv"
# What the text of the paper says; its tables are pictures.
PAPER = {
    "models": ("16", "76", "1"),
    "And gates": ("to thousands", "to thousands", "–"),
    "mutants": ("104 of a car alarm, 687 of SHA", "36 of an adder, 187 of a game, 2554 of an array", "3057"),
    "killed %": ("about 60; 0 to 99", "about 60; to 100", "61.7"),
    "equivalent %": ("–", "to 100", "–"),
    "not in time %": ("to 86 (SHA)", "–", "–"),
}
ROWS = [
    "input bits", "output bits", "state bits", "And gates", "Δ gates %", "mutants", "killed %", "equivalent %",
    "refused %", "mean length", "greatest length", "ms per mutant", "not in time %", "seconds",
]


def run(*arguments, codes=(0,), seconds=SECONDS, **more):
    done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True, timeout=seconds, **more)
    assert done.returncode in codes, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


def sizes(file):
    """Inputs, latches, outputs and gates by the head of a circuit."""
    with open(file) as lines:
        return [int(word) for word in lines.readline().split()[2:]]


def measure(tamper, file):
    """The row of a model, and its records."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        # States without a step stay as they are and say nothing, as [004] section 3.1 asks.
        run(tamper, "classify", file, "--unspecified=fill", "--witness", "--timeout", PER_MUTANT, "--out", f"{folder}/run", codes=(0, 3))
        seconds = time.monotonic() - started
        records = [json.loads(line) for line in Path(f"{folder}/run/mutants.jsonl").read_text().splitlines()]
        run(tamper, "export", file, "--as", "hyperltl", "--out", f"{folder}/circuits")
        inputs, latches, outputs, gates = sizes(f"{folder}/circuits/original.aag")
        conditional = [sizes(one)[3] for one in Path(f"{folder}/circuits").glob("*-conditional.aag")]
    known = json.loads(run(tamper, "check", file, "--format", "json"))
    part = lambda verdict: 100 * sum(one["verdict"] == verdict for one in records) / len(records)
    lengths = [len(one["kill"]["word"]) for one in records if one["verdict"] == "non-subsumed"]
    row = {
        "input bits": inputs, "output bits": outputs, "state bits": latches - 1, "And gates": gates,
        "Δ gates %": 100 * mean(abs(one - gates) for one in conditional) / gates, "mutants": len(records),
        "killed %": part("non-subsumed"), "equivalent %": part("subsumed"), "refused %": part("invalid"),
        "mean length": mean(lengths), "greatest length": max(lengths), "ms per mutant": 1000 * seconds / len(records),
        "not in time %": part("unknown"), "seconds": seconds,
    }
    return row, known, {kind: sum(kind in one.get("kill", {}).get("by", []) for one in records) for kind in ("potential", "definite", "blind")}


def figure(value):
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def summary(rows, name):
    values = [row[name] for row in rows]
    return " | ".join(figure(one) for one in (mean(values), pstdev(values), min(values), max(values)))


def tables(measured, groups):
    cas = [row for file, (row, _, _) in measured.items() if file == CAS]
    print("| | Verilog: μ | σ | min | max | SMV: μ | σ | min | max | car alarm | [004]: Verilog, SMV, car alarm |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    print(f"| models | {len(groups[0])} | | | | {len(groups[1])} | | | | 1 | {'; '.join(PAPER['models'])} |")
    for name in ROWS:
        said = "; ".join(PAPER.get(name, ("–",)))
        print(f"| {name} | {' | '.join(summary([measured[file][0] for file in group], name) for group in groups)} | {figure(cas[0][name])} | {said} |")
    print()
    print("| model | states | choices | And gates | Δ gates % | mutants | equivalent % | potential | definite | blind | refused % | mean, greatest length | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for file, (row, known, kills) in measured.items():
        # A record lists the surest kill.
        shown = [f"`{file.stem}`", known["states"], "no" if known["deterministic"] else "yes"]
        shown += [figure(row[name]) for name in ("And gates", "Δ gates %", "mutants", "equivalent %")]
        shown += [kills["potential"], kills["definite"], kills["blind"], figure(row["refused %"])]
        shown += [f"{figure(row['mean length'])}, {row['greatest length']}", figure(row["seconds"])]
        print("| " + " | ".join(str(one) for one in shown) + " |")
    print(flush=True)


def asked(mchyper, aigtoaig, formula, circuit):
    """What MCHyper and pdr answer: the number of moments of a counterexample, 0 if there is none, nothing if not in time."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            Path(f"{folder}/a.aag").write_text(run(mchyper, formula, input=circuit.read_text(), seconds=20))
            run(aigtoaig, f"{folder}/a.aag", f"{folder}/a.aig")
            said = run("berkeley-abc", "-c", f"read_aiger {folder}/a.aig; pdr", seconds=20)
        except subprocess.TimeoutExpired:
            return None
    frame = re.search(r"was asserted in frame (\d+)", said)
    return int(frame[1]) if frame else 0 if "Property proved" in said else None


def hyper(tamper, files, mchyper, aigtoaig):
    """phi1 of every conditional mutant that is total, by MCHyper and by tamper."""
    print("| model | choices | asked | killed by both | equivalent for both | killed only where choices are controlled | not in time | disagreements |")
    print("|---|---|---|---|---|---|---|---|")
    wrong, sums = 0, [0] * 6
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            run(tamper, "export", file, "--as", "hyperltl", "--out", f"{folder}/circuits")
            gates = sizes(f"{folder}/circuits/original.aag")[3]
            if gates > MOST_GATES:
                print(f"| `{file.stem}` | not asked: {gates} gates | | | | | | |")
                continue
            run(tamper, "classify", file, "--out", f"{folder}/run")
            records = [json.loads(line) for line in Path(f"{folder}/run/mutants.jsonl").read_text().splitlines()]
            ours = {one["id"]: one["verdict"] for one in records}
            index = json.loads(Path(f"{folder}/circuits/index.json").read_text())["files"]
            index = [one for one in index if one["file"].endswith("-conditional.aag")]
            formula = Path(f"{folder}/circuits/phi1.mchyper").read_text()
            ask = lambda one: asked(mchyper, aigtoaig, formula, Path(f"{folder}/circuits/{one['file']}"))
            with ThreadPoolExecutor(2) as pool:
                answers = list(pool.map(ask, index))
        choices = not json.loads(run(tamper, "check", file, "--format", "json"))["deterministic"]
        pairs = [(ours[one["id"]] == "non-subsumed", answer) for one, answer in zip(index, answers)]
        both = sum(killed and bool(answer) for killed, answer in pairs)
        equal = sum(not killed and answer == 0 for killed, answer in pairs)
        more = sum(choices and not killed and bool(answer) for killed, answer in pairs)
        late = sum(answer is None for _, answer in pairs)
        counts = [len(pairs), both, equal, more, late, len(pairs) - both - equal - more - late]
        sums = [one + other for one, other in zip(sums, counts)]
        wrong += counts[5]
        print(f"| `{file.stem}` | {'yes' if choices else 'no'} | {' | '.join(map(str, counts))} |", flush=True)
    print(f"| all | | {' | '.join(map(str, sums))} |", flush=True)
    return wrong == 0


def main(tamper, mchyper=None, aigtoaig=None):
    hardware = sorted((STUDIES / "untimed/verilog").glob("*.btor2"))
    models = [STUDIES / "beverage/model.smv", *sorted((STUDIES / "untimed").glob("*.smv")), *sorted((STUDIES / "untimed/smv").glob("*.smv"))]
    if mchyper:
        return 0 if hyper(tamper, hardware + models, mchyper, aigtoaig) else 1
    measured = {file: measure(tamper, file) for file in hardware + models}
    tables(measured, (hardware, models))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
