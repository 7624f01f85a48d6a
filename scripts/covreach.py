#!/usr/bin/env python3
"""Compositions beside TChecker's `covreach`: zones stored and seconds, on TChecker's own examples, in one run.

    scripts/covreach.py TAMPER TCK-REACH EXAMPLES      EXAMPLES: TChecker's folder of that name, whose scripts make the models

Each model is made once, and both programs read the same file, one after the other, on one thread; of `REPEAT` (3) runs the
fastest counts. Seconds are those of the processor for the whole command. tamper also writes the composition; *exploring* is
what it takes up to the last zone, at which `--max-states` ends it. The ratio is that of exploring. A run that takes longer
than `LIMIT` (60) seconds has no figures.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from measured import measured

LIMIT = int(os.environ.get("LIMIT", 60))
REPEAT = int(os.environ.get("REPEAT", 3))
FAMILIES = [
    ("fischer", [[str(n)] for n in range(4, 10)]),
    ("csmacd", [[str(n)] for n in range(2, 9)]),
    ("fddi", [[str(n)] for n in range(4, 11)]),
    ("critical-region", [[str(n)] for n in range(2, 5)]),
    ("leader-election", [[str(n), "10"] for n in range(2, 6)]),
]


def fastest(command, code=0):
    """The fastest of some runs; none if one of them ends in another way or takes too long."""
    runs = [measured(command, LIMIT) for _ in range(REPEAT)]
    return min(runs, key=lambda run: run.cpu) if all(run.code == code for run in runs) else None


def theirs(reach, model, folder):
    run = fastest([reach, "-a", "covreach", "-o", str(folder / "graph"), str(model)])
    found = dict(re.findall(r"^(\w+) (\S+)$", run.out, re.MULTILINE)) if run else {}
    return run and (int(found["STORED_STATES"]), int(found["VISITED_STATES"]), run)


def ours(tamper, model, folder):
    command = [tamper, "compose", str(model), "--out", str(folder / "one.xml"), "--threads", "1", "-q", "--format", "json"]
    run = fastest(command)
    found = json.loads(run.out[run.out.index("{"):]) if run else {}
    if not run:
        return None
    exploring = fastest([*command, "--max-states", str(found["symbolic_states"] - 1)], 3)
    return found["symbolic_states_kept"], found["symbolic_states"], found["locations"], run, exploring


def main(tamper, reach, examples):
    print("| model | discrete states | TChecker: stored | visited | seconds | MiB | tamper: stored | visited | seconds | exploring | MiB |"
          " stored, ratio | seconds, ratio |")
    print("|---|" + "---:|" * 12)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for family, sizes in FAMILIES:
            for size in sizes:
                model = folder / "model.tck"
                made = subprocess.run(["bash", f"{examples}/{family}.sh", *size], capture_output=True, check=True)
                model.write_bytes(made.stdout)
                other, own = theirs(reach, model, folder), ours(tamper, model, folder)
                cells = [f"`{family}` {size[0]}", f"{own[2]:,}" if own else "–"]
                cells += [f"{other[0]:,}", f"{other[1]:,}", f"{other[2].cpu:.2f}", other[2].mebibytes] if other else ["–"] * 4
                cells += [f"{own[0]:,}", f"{own[1]:,}", f"{own[3].cpu:.2f}"] if own else ["–"] * 3
                cells += [f"{own[4].cpu:.2f}" if own and own[4] else "–", own[3].mebibytes if own else "–"]
                is_long = own and own[4] and other and other[2].cpu >= 0.05
                cells += [f"{own[0] / other[0]:.2f}" if own and other else "–"]
                cells += [f"{own[4].cpu / other[2].cpu:.2f}" if is_long else "–"]
                print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
