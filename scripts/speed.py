"""The tables of results/speed.md: python3 scripts/speed.py TAMPER FOLDER >results/speed.md"""

import filecmp
import math
import os
import re
import subprocess
import sys
import time

TAMPER, FOLDER = sys.argv[1], sys.argv[2]
STUDIES = ["mutex", "hotel", "coffee", "wfas", "accel", "cas"]
METHODS = ["rule", "consistency", "replay", "diagonal", "relation", "product", "fixpoint", "duplicate"]
MULTIPLES = [1, 10, 100, 1000]


def run(model, order, engine, threads, *more):
    """Seconds on the clock and of CPU, peak KiB, the counts per method and the folder of the best of some runs."""
    out = os.path.join(FOLDER, f"{os.path.basename(os.path.dirname(model))}-{order}-{engine}-{threads}")
    command = [TAMPER, "classify", model, "--semantics", "tiga", "--order", str(order), "--engine", engine]
    command += ["--threads", str(threads), "--out", out, "--verbose", "--verbose", *more]
    best = None
    for _ in range(1 if engine == "enumerate" and order == 2 else 3):
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        notes = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        if os.waitstatus_to_exitcode(status) not in (0, 3):
            sys.exit(f"{' '.join(command)}: {notes}")
        cpu = usage.ru_utime + usage.ru_stime
        counts = {method: int(n) for n, method in re.findall(r"(\d+) by (\w+)", notes)}
        if best is None or cpu < best[1]:
            best = (wall, cpu, usage.ru_maxrss, counts, out)
    return best


def seconds(value):
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def studies():
    print("## Engines\n")
    print("| study | order | mutants | engine | threads | clock | CPU | mutants per CPU second | peak memory | CPU ratio |")
    print("|---|---:|---:|---|---:|---:|---:|---:|---:|---:|")
    decided, figures = [], {}
    for order in (1, 2):
        for study in STUDIES:
            model = f"case-studies/{study}/model.xml"
            outs = []
            for engine in ("enumerate", "family"):
                for threads in (1, 2):
                    wall, cpu, peak, counts, out = run(model, order, engine, threads)
                    outs.append(out)
                    figures[study, order, engine, threads] = (wall, cpu, peak)
                    total = sum(counts.values())
                    ratio = figures[study, order, "enumerate", threads][1] / cpu
                    ratio = f"{ratio:.1f}" if engine == "family" else ""
                    print(
                        f"| {study.upper()} | {order} | {total:,} | {engine} | {threads} | {seconds(wall)} | {seconds(cpu)} "
                        f"| {total / cpu:,.0f} | {peak / 1024:.0f} MiB | {ratio} |"
                    )
                    if threads == 1:
                        decided.append((study, order, engine, counts, total))
            for out in outs[1:]:
                if not filecmp.cmp(f"{outs[0]}/mutants.jsonl", f"{out}/mutants.jsonl", shallow=False):
                    sys.exit(f"{out}: other records than {outs[0]}")
    print("\nAll four runs of a study and order wrote the same bytes to `mutants.jsonl`.\n")
    print("## What decided\n")
    print(f"| study | order | engine | {' | '.join(METHODS)} |")
    print(f"|---|---:|---|{'---:|' * len(METHODS)}")
    for study, order, engine, counts, total in decided:
        shares = (f"{100 * counts.get(method, 0) / total:.1f} %" for method in METHODS)
        print(f"| {study.upper()} | {order} | {engine} | {' | '.join(shares)} |")
    return figures


def aims(figures):
    print("\n## Aims\n")
    print("| aim | measured | |")
    print("|---|---:|---|")

    def row(text, value, shown, limit):
        verdict = "met" if value <= limit else f"missed by a factor of {value / limit:.2f}"
        print(f"| {text} | {shown} | {verdict} |")

    def fastest(study, order):
        return min(figures[study, order, "family", threads][0] for threads in (1, 2))

    for study, order, limit in (("cas", 1, 0.02), ("cas", 2, 5.0), ("wfas", 2, 0.15)):
        value = fastest(study, order)
        row(f"{study.upper()} order {order} under {seconds(limit)} on the clock", value, seconds(value), limit)
    peak = max(figures["cas", 2, "family", threads][2] for threads in (1, 2)) / 1024
    row("CAS order 2 under 500 MiB", peak, f"{peak:.0f} MiB", 500)
    for study in ("cas", "accel"):
        ratio = figures[study, 2, "enumerate", 1][1] / figures[study, 2, "family", 1][1]
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
        _, cpu, _, _, out = run(path, 2, "family", 1, "--step", str(factor))
        with open(f"{out}/mutants.jsonl", encoding="utf-8") as file:
            verdicts = [re.search('"verdict":"([^"]*)"', line).group(1) for line in file]
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


def growth():
    print("\n## Growth\n")
    print("Rings of locations (an output to the next between 2 and 5, an input back to the start at every fifth), order 1,")
    print("2,000 mutants drawn; CPU per mutant without the time of a run that draws one mutant, which reads, lowers and explores.\n")
    print("| locations | clocks | engine | one mutant | 2,000 mutants | per mutant |")
    print("|---:|---:|---|---:|---:|---:|")
    per_mutant = {}
    for n_locations, n_clocks in [(10, 2), (100, 2), (1000, 2), (100, 1), (100, 4), (100, 6)]:
        folder = os.path.join(FOLDER, f"ring-{n_locations}-{n_clocks}")
        os.makedirs(folder)
        path = os.path.join(folder, "model.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(ring(n_locations, n_clocks))
        for engine in ("family", "enumerate"):
            one = run(path, 1, engine, 1, "--sample", "1")[1]
            _, many, _, counts, _ = run(path, 1, engine, 1, "--sample", "2000")
            n = sum(counts.values())
            each = max(many - one, 1e-4) / n
            per_mutant[n_locations, n_clocks, engine] = each
            print(f"| {n_locations} | {n_clocks} | {engine} | {seconds(one)} | {seconds(many)} ({n}) | {each * 1e6:.0f} µs |")
    for engine in ("family", "enumerate"):
        exponent = math.log10(per_mutant[1000, 2, engine] / per_mutant[100, 2, engine])
        print(f"\n{engine}: from 100 to 1,000 locations the time per mutant grows with exponent {exponent:.2f}.")


print("# Speed of the engines\n")
print("Written by `scripts/speed.sh`. Semantics `tiga`, the published guidelines in use; the whole pipeline with records on disk.")
print("The least CPU time of three runs (one for `enumerate` at order 2), and the clock of that run; the machine has two cores and")
print("may have had other work, which the clock shows and CPU time hardly. `product` and `fixpoint` are games that were played.")
print("Peak memory is at least that of the script that starts the runs (about 14 MiB).")
print(f"Load average at the start: {os.getloadavg()[0]:.1f}.\n")
MEASURED = studies()
aims(MEASURED)
constants()
growth()
