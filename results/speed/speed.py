"""The tables of results/speed/page.md: python3 results/speed/speed.py TAMPER FOLDER >results/speed/page.md"""

import filecmp
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

TAMPER, FOLDER = sys.argv[1], sys.argv[2]
STUDIES = ["mutex", "hotel", "coffee", "wfas", "accel", "cas"]
# What decided, as the table names it.
KINDS = {
    "rule": ["rule"],
    "consistency": ["consistency"],
    "replay": ["replay"],
    "diagonal": ["diagonal"],
    "relation": ["relation"],
    "game": ["product", "fixpoint"],
    "duplicate": ["duplicate"],
}
RUNS = [("enumerate", 1), ("enumerate", 2), ("family", 1), ("family", 2)]
# Sequences of order 3 that both engines decide.
SMALL = 20_000
# Seconds of CPU after which a measurement is not repeated.
LONG = 4.0
MULTIPLES = [1, 10, 100, 1000]


def run(model, order, engine, threads, *more):
    """Seconds on the clock and of CPU, peak KiB, states, the counts per method and the folder of the best of up to three runs."""
    out = os.path.join(FOLDER, f"{os.path.basename(os.path.dirname(model))}-{order}-{engine}-{threads}")
    command = [TAMPER, "classify", model, "--semantics", "tiga", "--order", str(order), "--engine", engine]
    command += ["--threads", str(threads), "--out", out, "--verbose", "--verbose", *more]
    best, spent = None, 0.0
    for _ in range(3):
        # Else removing what an earlier run wrote is part of the time.
        for old in (out, f"{out}.old"):
            shutil.rmtree(old, ignore_errors=True)
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        notes = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        if os.waitstatus_to_exitcode(status) not in (0, 3):
            sys.exit(f"{' '.join(command)}: {notes}")
        cpu = usage.ru_utime + usage.ru_stime
        counts = {method: int(n) for n, method in re.findall(r"(\d+) by (\w+)", notes)}
        states = int(re.search(r"explored: (\d+) symbolic states", notes).group(1))
        if best is None or cpu < best.cpu:
            best = Measured(wall, cpu, usage.ru_maxrss, states, counts, out)
        spent += cpu
        if spent > LONG:
            break
    return best


class Measured(NamedTuple):
    """What the best of some runs took and said."""

    wall: float
    cpu: float
    peak: int
    states: int
    counts: dict
    out: str

    @property
    def total(self):
        return sum(self.counts.values())

    def share(self, methods):
        return f"{100 * sum(self.counts.get(method, 0) for method in methods) / self.total:.1f} %"


def seconds(value):
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def studies():
    print("## Engines\n")
    titles = ["study", "order", "mutants", "engine", "threads", "clock", "CPU", "mutants per CPU second", "peak memory", "states"]
    titles += [*KINDS, "CPU ratio"]
    print(f"| {' | '.join(titles)} |")
    print(f"|---|---:|---:|---|{'---:|' * (len(titles) - 4)}")
    figures = {}
    for order in (1, 2):
        for study in STUDIES:
            model = f"case-studies/{study}/model.xml"
            for engine, threads in RUNS:
                found = run(model, order, engine, threads)
                figures[study, order, engine, threads] = found
                ratio = figures[study, order, "enumerate", threads].cpu / found.cpu
                row = [study.upper(), order, f"{found.total:,}", engine, threads, seconds(found.wall), seconds(found.cpu)]
                row += [f"{found.total / found.cpu:,.0f}", f"{found.peak / 1024:.0f} MiB", f"{found.states:,}"]
                row += [found.share(methods) for methods in KINDS.values()]
                row += [f"{ratio:.1f}" if engine == "family" else ""]
                print(f"| {' | '.join(map(str, row))} |", flush=True)
            check_same(*(figures[study, order, engine, threads] for engine, threads in RUNS))
            for engine in ("enumerate", "family"):
                if len({figures[study, order, engine, threads].states for threads in (1, 2)}) > 1:
                    sys.exit(f"{study} {order} {engine}: the number of threads changes what is explored")
    print("\nAll four runs of a study and order wrote the same bytes to `mutants.jsonl`.")
    return figures


def check_same(first, *others):
    """Some runs wrote the same records."""
    for other in others:
        if not filecmp.cmp(f"{first.out}/mutants.jsonl", f"{other.out}/mutants.jsonl", shallow=False):
            sys.exit(f"{other.out}: other records than {first.out}")


def aims(figures):
    print("\n## Aims\n")
    print("| aim | measured | |")
    print("|---|---:|---|")

    def row(text, value, shown, limit):
        verdict = "met" if value <= limit else f"missed by a factor of {value / limit:.2f}"
        print(f"| {text} | {shown} | {verdict} |")

    def fastest(study, order):
        return min(figures[study, order, "family", threads].wall for threads in (1, 2))

    for study, order, limit in (("cas", 1, 0.02), ("cas", 2, 5.0), ("wfas", 2, 0.15)):
        value = fastest(study, order)
        row(f"{study.upper()} order {order} under {seconds(limit)} on the clock", value, seconds(value), limit)
    peak = max(figures["cas", 2, "family", threads].peak for threads in (1, 2)) / 1024
    row("CAS order 2 under 500 MiB", peak, f"{peak:.0f} MiB", 500)
    for study in ("cas", "accel"):
        ratio = figures[study, 2, "enumerate", 1].cpu / figures[study, 2, "family", 1].cpu
        row(f"{study.upper()} order 2: family at least 10 times faster (CPU, 1 thread)", 10 / ratio, f"{ratio:.1f}", 1)


def constants():
    """[001] Table 1's experiment: all constants of CAS multiplied."""
    print("\n## Time constants\n")
    print("CAS at order 2 with every constant (and the step of CXL and CXS) multiplied; the family engine, 1 thread.\n")
    print("| constants | CPU | against x1 | verdicts |")
    print("|---|---:|---:|---|")
    with open("case-studies/cas/model.xml", encoding="utf-8") as file:
        text = file.read()
    reference = None
    for factor in MULTIPLES:
        folder = os.path.join(FOLDER, f"cas-x{factor}")
        os.makedirs(folder)
        path = os.path.join(folder, "model.xml")
        scaled = re.sub(
            r"((?:&[lg]t;|<|>|=)=?=?\s*)(\d+)(?=[^<]*</label>)",
            lambda found: f"{found.group(1)}{int(found.group(2)) * factor}",
            text,
        )
        with open(path, "w", encoding="utf-8") as file:
            file.write(scaled)
        found = run(path, 2, "family", 1, "--step", str(factor))
        cpu = found.cpu
        with open(f"{found.out}/mutants.jsonl", encoding="utf-8") as file:
            # Not the list: what the script holds counts as memory of the programs it starts.
            verdicts = hashlib.sha256()
            for line in file:
                verdicts.update(re.search('"verdict":"([^"]*)"', line).group(1).encode())
            verdicts = verdicts.hexdigest()
        if reference is None:
            reference = (cpu, verdicts)
        same = "the same" if verdicts == reference[1] else "OTHERS"
        print(f"| x{factor} | {seconds(cpu)} | {100 * cpu / reference[0]:.0f} % | {same} |")


def ring(n_locations, n_clocks):
    """A ring of locations: an output within 5, an input back to the start from every fifth, clocks in turn."""
    clocks = [f"x{clock}" for clock in range(n_clocks)]
    parts = ["<nta><declaration></declaration><template><name>Ring</name>"]
    parts.append(f"<declaration>clock {', '.join(clocks)};</declaration>")
    for at in range(n_locations):
        clock = clocks[at % n_clocks]
        parts.append(f'<location id="id{at}"><name>l{at}</name><label kind="invariant">{clock}&lt;=5</label></location>')
    parts.append('<init ref="id0"/>')

    def edge(source, target, label, guard, reset):
        parts.append(f'<transition><source ref="id{source}"/><target ref="id{target}"/>')
        if guard:
            parts.append(f'<label kind="guard">{guard}</label>')
        parts.append(f'<label kind="synchronisation">{label}</label>')
        parts.append(f'<label kind="assignment">{reset}=0</label></transition>')

    for at in range(n_locations):
        after = (at + 1) % n_locations
        edge(at, after, "step!", f"{clocks[at % n_clocks]}&gt;=2", clocks[after % n_clocks])
        if at % 5 == 4:
            edge(at, 0, "back?", "", clocks[0])
    parts.append("</template><system>system Ring;</system></nta>")
    declared = "".join(parts).replace("<declaration></declaration>", "<declaration>chan step, back;</declaration>")
    return '<?xml version="1.0" encoding="utf-8"?>' + declared


def orders(figures):
    """How many mutants a second at each order, and that both engines agree on a sample of order 3."""
    print("\n## Growth with the order\n")
    print("Mutants per CPU second with 1 thread. At order 3 the family engine decides all sequences, or 1,000,000 drawn from them; the")
    print(f"enumerative one {SMALL:,} drawn from them, and the family engine the same for the comparison: the same records. Few sequences")
    print("of a sample are duplicates and few share two mutations, so a sample costs more per mutant than all of them.\n")
    print("| study | order 1 | order 2 | order 3 | sequences | decided | clock | states | peak memory | game | order 3, enumerate | same sample, family |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for study in STUDIES:
        model = f"case-studies/{study}/model.xml"
        samples = [run(model, 3, engine, 1, "--sample", str(SMALL)) for engine in ("enumerate", "family")]
        check_same(*samples)
        most = run(model, 3, "family", 1, "--sample", "1000000")
        with open(f"{most.out}/manifest.json", encoding="utf-8") as file:
            sequences = json.load(file)["mutants"]
        row = [study.upper()]
        row += [f"{figures[study, order, 'family', 1].total / figures[study, order, 'family', 1].cpu:,.0f}" for order in (1, 2)]
        row += [f"{most.total / most.cpu:,.0f}", f"{sequences:,}", f"{most.total:,}", seconds(most.wall), f"{most.states:,}"]
        row += [f"{most.peak / 1024:.0f} MiB", most.share(KINDS["game"])]
        row += [f"{found.total / found.cpu:,.0f}" for found in samples]
        print(f"| {' | '.join(row)} |", flush=True)


def fit(points):
    """The exponents a and b and the factor c of y = c * u^a * v^b, by least squares on logarithms, and the worst factor off."""
    rows = [([1.0, math.log(u), math.log(v)], math.log(y)) for (u, v), y in points.items()]
    matrix = [[sum(x[i] * x[j] for x, _ in rows) for j in range(3)] + [sum(x[i] * y for x, y in rows)] for i in range(3)]
    for i in range(3):
        for j in range(3):
            if j != i:
                factor = matrix[j][i] / matrix[i][i]
                matrix[j] = [a - factor * b for a, b in zip(matrix[j], matrix[i])]
    found = [matrix[i][3] / matrix[i][i] for i in range(3)]
    worst = max(abs(sum(f * a for f, a in zip(found, x)) - y) for x, y in rows)
    return found[1], found[2], math.exp(worst)


def models():
    print("\n## Growth with the model\n")
    print("Rings of locations (an output to the next between 2 and 5, an input back to the start at every fifth), order 1, 2,000 mutants")
    print("drawn; CPU per mutant without the time of a run that draws one mutant, which reads, lowers and explores the ring itself.\n")
    print("| locations | clocks | engine | one mutant | 2,000 mutants | per mutant | states per game |")
    print("|---:|---:|---|---:|---:|---:|---:|")
    each, states = {"family": {}, "enumerate": {}}, {}
    for n_locations in (10, 100, 1000):
        for n_clocks in range(1, 7):
            folder = os.path.join(FOLDER, f"ring-{n_locations}-{n_clocks}")
            os.makedirs(folder)
            path = os.path.join(folder, "model.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(ring(n_locations, n_clocks))
            for engine, points in each.items():
                one = run(path, 1, engine, 1, "--sample", "1")
                many = run(path, 1, engine, 1, "--sample", "2000")
                points[n_locations, n_clocks] = max(many.cpu - one.cpu, 1e-4) / many.total
                games = sum(many.counts.get(method, 0) for method in KINDS["game"])
                per_game = many.states / max(games, 1)
                if engine == "enumerate":
                    states[n_locations, n_clocks] = per_game
                print(
                    f"| {n_locations} | {n_clocks} | {engine} | {seconds(one.cpu)} | {seconds(many.cpu)} ({many.total}) "
                    f"| {points[n_locations, n_clocks] * 1e6:.0f} µs | {per_game:,.0f} |",
                    flush=True,
                )
    print()
    for engine, points in each.items():
        large = {at: y for at, y in points.items() if at[0] >= 100}
        a, b, worst = fit(large)
        print(
            f"{engine}, from 100 locations on: time per mutant ~ locations^{a:.2f} * clocks^{b:.2f} "
            f"(least squares on logarithms; at most a factor of {worst:.1f} off).\n"
        )
    a, b, worst = fit({at: y for at, y in states.items() if at[0] >= 100})
    print(f"States per game of the enumerative engine ~ locations^{a:.2f} * clocks^{b:.2f} (at most a factor of {worst:.1f} off).\n")
    print("What dominates at order 1 are the games that no earlier mutant can shorten: each explores the product from the start to where the")
    print("mutant differs, so their states grow with the locations; a state costs a matrix of (2 clocks + 1)^2 entries, closed again after")
    print("each guard. How many zones a location has depends less on the number of clocks than on how their turns meet the inputs at every")
    print("fifth location, so the exponent of the clocks is a rough one. At 10 locations it is the fixed cost of a mutant: its fingerprint,")
    print("its record and the file.")


print("# Speed of the engines\n")
print("Which engine is faster, and by how much?\n\nThe family engine: hardly at order 1 on the smallest studies, more than twenty times at order 2 on the largest.\n")
print("Written by `results/speed/make.sh`. Semantics `tiga`, the published guidelines in use; the whole pipeline with records on disk.")
print("The least CPU time of up to three runs (one where that takes over four seconds), and the clock of that run; the machine has two")
print("cores and may have had other work, which the clock shows and CPU time hardly. *States*: symbolic states explored, those of the")
print("specification's own zone graph among them for the family engine. *Rule* to *duplicate*: the share of mutants decided so; *game*: played,")
print("by exploring the product or by the two-player fixpoint. Peak memory is at least that of the script that starts the runs (about 14 MiB).")
print(f"Load average at the start: {os.getloadavg()[0]:.1f}.\n", flush=True)
MEASURED = studies()
aims(MEASURED)
constants()
orders(MEASURED)
models()
