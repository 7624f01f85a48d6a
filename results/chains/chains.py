"""Prints results/chains/page.md: what tests along chains of definitions and uses kill, beside shortest tests. Usage: chains.py TAMPER"""

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

STUDIES = ["cas", "coffee", "accel", "hotel", "wfas", "mutex"]
CASES = ["aiojobs-135", "aiolimiter-217", "memoizee-maxage", "opossum-385", "p-queue-window", "pg-pool-71", "retry-69", "rxjs-2727"]
MODELS = {study.upper(): f"case-studies/{study}/model.xml" for study in STUDIES}
MODELS |= {f"figure 1{part}": f"case-studies/decisions/figure-1{part}.xml" for part in "abc"}
MODELS |= {case: f"examples/regressions/{case}/model.xml" for case in CASES}
NO_CHAIN = "no chain of definitions and uses"
COUNTS = ["mutants", "killable", "killed", "no chain", "no test", "tests", "steps", "our tests", "our steps"]


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def made(folder, model, strategy):
    """A suite, what is said of it, and the processor's seconds; mutants may stay unknown, which is code 3."""
    path = Path(folder) / "suite.json"
    words = ["testgen", model, "--operators", "all", "--kill", "potential", "--style", "adaptive", "--strategy", strategy]
    begin = processor_time()
    done = subprocess.run(
        [sys.argv[1], *words, "--out", str(path), "--format", "json"], capture_output=True, text=True, check=False
    )
    seconds = processor_time() - begin
    if done.returncode not in (0, 3):
        sys.exit(f"tamper {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout), json.loads(path.read_text())["mutants"], seconds


def compared(folder, name, model, operators):
    ours, our_mutants, our_seconds = made(folder, model, "per-mutant")
    chain, mutants, seconds = made(folder, model, "chain")
    row = {"model": name, "mutants": len(mutants), "seconds": seconds, "our seconds": our_seconds}
    row |= {"tests": chain["tests"], "steps": chain["steps"], "our tests": ours["tests"], "our steps": ours["steps"]}
    for ours, chain in zip(our_mutants, mutants):
        if ours.get("test") is None:
            if chain.get("test") is not None:
                sys.exit(f"{model}: a chain kills {chain['id']}, and nothing can")
            continue
        fate = "killed"
        if chain.get("test") is None:
            fate = "no chain" if chain["reason"].startswith(NO_CHAIN) else "no test"
        for counts in (row, operators.setdefault(chain["id"].split(":")[0].split("/")[-1], {})):
            for key in ("killable", fate):
                counts[key] = counts.get(key, 0) + 1
    return row


def share(row):
    killable = row.get("killable", 0)
    return f"{100 * row.get('killed', 0) / killable:.1f} %" if killable else "–"


def main():
    operators = {}
    with tempfile.TemporaryDirectory() as folder:
        rows = [compared(folder, name, model, operators) for name, model in MODELS.items()]
    total = {"model": "all"}
    for key in [*COUNTS, "seconds", "our seconds"]:
        total[key] = sum(row.get(key, 0) for row in rows)
    print("# Chains of definitions and uses, and exact search\n")
    print("How many mutants do tests along chains of definitions and uses kill ([002] section 4), and what does exact search add?\n")
    print(f"Of {total['killable']} mutants that some test can kill, tests along chains kill {total['killed']} ({share(total)}); exact search kills all.\n")
    print("Made by `results/chains/make.sh`: `tamper testgen MODEL --operators all --kill potential --style adaptive --strategy chain` (or `per-mutant`).\n")
    print("Killed: by a test along a chain, as executed. No chain: none leads from what the mutant changes to an output or a refused input. No test: there are chains, and no test along")
    print("them fails on the mutant. Ours: the shortest test per mutant (exact). Seconds: the processor's, by the build that made this page. `tests/suites/chains.rs` compares chains with a walk through region graphs.\n")
    print("Why chains miss mutants: a chain is a path of the model, so that an output which only the mutant makes, after it went elsewhere (CTG, CSR), is on none; guards that read what is")
    print("affected, but are no outputs', carry it no further (RRS, MAS: Fig. 1c of [002]); and a chain knows neither values nor moments: its test comes at the first moment, where a clock that")
    print("was not set, or was set too often, may have the same value (RRS, ARS), and two values may show the same. Where a mutant is killed by both, our test is the shortest there is.\n")
    print("| model | mutants | killable | killed | share | no chain | no test | tests | steps | seconds | ours: tests | steps | seconds |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in [*rows, total]:
        cells = [row["model"], row["mutants"], row["killable"], row.get("killed", 0), share(row)]
        cells += [row.get("no chain", 0), row.get("no test", 0), row["tests"], row["steps"], f"{row['seconds']:.2f}"]
        cells += [row["our tests"], row["our steps"], f"{row['our seconds']:.2f}"]
        print("| " + " | ".join(str(cell) for cell in cells) + " |")
    print("\n| operator | killable | killed | share | no chain | no test |\n|---|---:|---:|---:|---:|---:|")
    for name, row in sorted(operators.items()):
        cells = [name, row["killable"], row.get("killed", 0), share(row), row.get("no chain", 0), row.get("no test", 0)]
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


main()
