#!/usr/bin/env python3
"""Public families of networks: what composing them costs, and how many of their mutants are decided in a minute.

    results/networks/network_families.py TAMPER [FAMILY ...]      SECONDS=60 in the environment; FAMILY: only those whose name has this word

The models are those of scripts/network_models.py. `tamper compose` on one thread; `tamper classify --mutate all` with all
operators of the paper, on all threads, ended after SECONDS; seconds are those on the wall, and of composing those of the
processor. Nothing else is typed. *Beside* counts what was decided without a game on the mutant's composition.
"""

import json
import os
import pathlib
import re
import sys
import tempfile

# What several pages share.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from measured import measured  # noqa: E402
from network_models import FAMILIES  # noqa: E402

SECONDS = int(os.environ.get("SECONDS", 60))


def thousands(number):
    return f"{number:,}"


def composed(tamper, model, folder):
    """Locations, zones kept and explored, zones per second, seconds."""
    out = str(folder / "one.xml")
    run = measured([tamper, "compose", model, "--out", out, "--threads", "1", "-q", "--format", "json"], SECONDS)
    if run.code != 0:
        return ["–", "–", "–", "–", f"> {SECONDS}"]
    found = json.loads(run.out[run.out.index("{"):])
    explored = found["symbolic_states"]
    per_second = thousands(round(explored / run.cpu)) if run.cpu >= 0.05 else "–"
    cells = [found["locations"], found["symbolic_states_kept"], explored]
    return [*map(thousands, cells), per_second, f"{run.cpu:.2f}"]


def classified(tamper, model, folder):
    """Mutants, decided, beside, seconds, mebibytes."""
    out = folder / "run"
    command = [tamper, "classify", model, "--mutate", "all", "--total-timeout", str(SECONDS), "--out", str(out), "-v"]
    run = measured(command, SECONDS + 30)
    manifest = out / "manifest.json"
    if not manifest.is_file():
        return ["–", "–", "–", f"{run.wall:.1f}", run.mebibytes]
    files = [file for name in ("mutants.jsonl", "ahead.jsonl") if (file := out / name).is_file()]
    records = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    verdicts = [record.get("record", record)["verdict"] for record in records]
    decided = sum(verdict != "unknown" for verdict in verdicts)
    mutants = json.loads(manifest.read_text())["mutants"]
    beside = sum(int(n) for n in re.findall(r"(\d+) by beside", run.out))
    return [thousands(mutants), thousands(decided), thousands(beside), f"{run.wall:.1f}", run.mebibytes]


def main(tamper, words):
    print("| family | size | locations | zones kept | explored | per second | seconds | mutants | decided | beside | seconds | MiB |")
    print("|---|" + "---:|" * 11)
    for name, sizes, ending, made in FAMILIES:
        if words and not any(word in name for word in words):
            continue
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                model = folder / f"model.{ending}"
                model.write_text(made(size))
                cells = [name, size or "–", *composed(tamper, str(model), folder), *classified(tamper, str(model), folder)]
            print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
