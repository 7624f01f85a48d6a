#!/usr/bin/env python3
"""Limits and signals: every command of tamper on an input that is far too large for it.

Each command is asked to end in three ways: by a limit of 2 seconds, by TERM after 2 seconds, by INT (the first Ctrl-C)
after 2 seconds. The table says what was asked and what it took. A row holds if the command ends at most a second later
(or by itself before), leaves no draft, and says the right exit code. A row that does not hold is measured again, twice at
most: others may use the machine. Exits with 1 if a row did not hold.

    TAMPER=target/release/tamper scripts/limits.py > results/limits/page.md
    scripts/limits.py draw testgen      only rows whose words begin so
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAMPER = pathlib.Path(os.environ.get("TAMPER", ROOT / "target/release/tamper")).resolve()
ASKED = 2.0
SLACK = 1.0
MOST = 60


def grid_game(clocks, locations, seed=1):
    """A game whose zones are many: random resets and guards over many clocks."""
    r = random.Random(seed)
    rows = [f"<location id='l{i}'><name>L{i}</name></location>" for i in range(locations)]
    edges = []
    for i in range(locations):
        for k in range(4):
            c, d = r.randrange(clocks), r.randrange(clocks)
            word = f"a{k}?" if k % 2 == 0 else f"b{k}!"
            side = "true" if k % 2 == 0 else "false"
            guard = f"x{c} &gt;= {r.randrange(1, 9)} &amp;&amp; x{d} &lt;= {r.randrange(900, 999)}"
            edges.append(
                f"<transition controllable='{side}'><source ref='l{i}'/><target ref='l{(i + 1) % locations if k == 0 else r.randrange(locations)}'/>"
                f"<label kind='guard'>{guard}</label><label kind='synchronisation'>{word}</label>"
                f"<label kind='assignment'>x{r.randrange(clocks)} = 0</label></transition>"
            )
    names = ", ".join(f"x{c}" for c in range(clocks))
    channels = "broadcast chan a0, b1, a2, b3;"
    return (
        f"<nta><declaration>{channels}</declaration><template><name>Spec</name><declaration>clock {names};</declaration>"
        + "".join(rows) + "<init ref='l0'/>" + "".join(edges) + "</template><system>system Spec;</system></nta>\n"
    )


def pair(text):
    """A file with the game and one that differs from it in a bound."""
    template = text[text.index("<template>") : text.index("</template>") + len("</template>")]
    other = template.replace("'l", "'r").replace("<name>Spec<", "<name>Other<").replace("&gt;= 1 ", "&gt;= 0 ", 1)
    return text.replace("</template>", "</template>" + other, 1).replace("system Spec;", "system Spec, Other;")


def server(processes, locations, seed=2):
    """Processes that share integers, as a database server and its workers do."""
    r = random.Random(seed)
    body = []
    for p in range(processes):
        rows = [f"<location id='p{p}l{i}'><name>S{i}</name></location>" for i in range(locations)]
        edges = []
        for i in range(locations):
            for k in range(2):
                v = r.randrange(4)
                word = f"q{p}{k}?" if k == 0 else f"r{p}{k}!"
                side = "true" if k == 0 else "false"
                edges.append(
                    f"<transition controllable='{side}'><source ref='p{p}l{i}'/><target ref='p{p}l{(i + 1 + k) % locations}'/>"
                    f"<label kind='guard'>v{v} &lt; 7 &amp;&amp; x{p} &gt;= {r.randrange(3)}</label><label kind='synchronisation'>{word}</label>"
                    f"<label kind='assignment'>x{p} = 0, v{v} = (v{v} + {1 + k}) % 8, v{(v + 1) % 4} = v{v} &gt; 3 ? 0 : v{v}</label></transition>"
                )
        body.append(
            f"<template><name>P{p}</name><declaration>clock x{p};</declaration>" + "".join(rows)
            + f"<init ref='p{p}l0'/>" + "".join(edges) + "</template>"
        )
    channels = ", ".join(f"q{p}0, r{p}1" for p in range(processes))
    names = ", ".join(f"P{p}" for p in range(processes))
    return (
        f"<nta><declaration>broadcast chan {channels}; int[0,7] v0, v1, v2, v3;</declaration>"
        + "".join(body) + f"<system>system {names};</system></nta>\n"
    )


def chain(locations):
    """A game of very many locations."""
    rows = "".join(f"<location id='l{i}'><name>L{i}</name></location>" for i in range(locations))
    edges = "".join(
        f"<transition controllable='{'true' if i % 2 else 'false'}'><source ref='l{i}'/><target ref='l{i * 7919 % locations if i % 3 == 0 else (i + 1) % locations}'/>"
        f"<label kind='guard'>x &gt;= 1</label><label kind='synchronisation'>{'a?' if i % 2 else 'b!'}</label>"
        f"<label kind='assignment'>x = 0</label></transition>"
        for i in range(locations)
    )
    return (
        "<nta><declaration>broadcast chan a, b; clock x;</declaration><template><name>Spec</name>" + rows
        + "<init ref='l0'/>" + edges + "</template><system>system Spec;</system></nta>\n"
    )


def machine(states, inputs, outputs, seed=7):
    r = random.Random(seed)
    lines = ["initial s0"]
    for s in range(states):
        for a in range(inputs):
            lines.append(f"s{s} i{a} / o{r.randrange(outputs)} -> s{r.randrange(states) if a else (s + 1) % states}")
    return "\n".join(lines) + "\n"


def clauses(variables, n, seed=3):
    r = random.Random(seed)
    rows = [f"c {v} f{v}" for v in range(1, variables + 1)] + [f"p cnf {variables} {n}"]
    rows += [" ".join(str(r.choice((-1, 1)) * r.randint(1, variables)) for _ in range(3)) + " 0" for _ in range(n)]
    return "\n".join(rows) + "\n"


def group(bounds, n, constraint=None):
    rows = ["features", "\troot", f"\t\t{bounds}"] + [f"\t\t\tf{i}" for i in range(1, n + 1)]
    return "\n".join(rows + (["constraints", f"\t{constraint}"] if constraint else [])) + "\n"


def counters(last):
    """An SMV model of more states than can be met."""
    names = "abcd"
    domains = " ".join(f"{name} : 0..1023;" for name in names)
    start = " ".join(f"init({name}) := 0;" for name in names)
    return (
        f"-- outputs: o\nMODULE main\nIVAR i : 0..7;\nVAR {domains}\nASSIGN {start}\n"
        "next(a) := (a + i) mod 1024; next(b) := (b + a * i + 1) mod 1024; next(c) := (c + b + i) mod 1024;\n"
        f"next(d) := (d + c * i) mod 1024;\nDEFINE o := d mod {last};\n"
    )


WORDS = """1 sort bitvec 24
2 sort bitvec 1
3 sort bitvec 3
4 input 3 i
5 state 1 s
6 state 1 t
7 zero 1
8 init 1 5 7
9 init 1 6 7
10 uext 1 4 21
11 add 1 5 10
12 mul 1 6 5
13 add 1 12 11
14 next 1 5 11
15 next 1 6 13
16 slice 2 6 7 7
17 output 16 o
"""

# A program that answers nothing.
DEAF = "#!/usr/bin/env python3\nimport sys\nfor line in sys.stdin:\n    pass\n"


def once(arguments, how, folder, limit):
    words = arguments + (limit if how == "limit" else [])
    before = time.monotonic()
    with open(folder / "out.txt", "wb") as out, open(folder / "err.txt", "wb") as err:
        process = subprocess.Popen([TAMPER, *words, "--quiet"], cwd=folder, stdin=subprocess.PIPE, stdout=out, stderr=err)
        try:
            if how in ("TERM", "INT"):
                try:
                    process.wait(ASKED)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGTERM if how == "TERM" else signal.SIGINT)
            code = process.wait(MOST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = "killed"
    taken = time.monotonic() - before
    process.stdin.close()
    drafts = [str(path) for path in folder.rglob(".tamper-*.part")]
    for path in drafts:
        os.remove(folder / path)
    return taken, code, drafts


def row(arguments, how, folder, limit):
    for _ in range(3):
        taken, code, drafts = once(arguments, how, folder, limit)
        by_itself = taken < ASKED
        right = code in ((0, 1, 3) if how == "limit" else (0, 1, 3, 130)) if by_itself else code in ((0, 1, 3) if how == "limit" else (130,))
        held = taken <= ASKED + SLACK and right and not drafts
        if held:
            break
    asked = " ".join(limit) if how == "limit" else f"{how} after {ASKED:.0f} s"
    print(f"| `{' '.join(arguments)}` | {asked} | {taken:.2f} s | {code} | {'yes' if held else 'NO'}{' (by itself)' if by_itself else ''} |", flush=True)
    if not held:
        print((folder / "err.txt").read_text(errors="replace")[:300], file=sys.stderr, flush=True)
    return held


def inputs(folder):
    """Writes what the commands read; small on the disk."""
    made = {
        "grid.xml": grid_game(7, 12),
        "pair.xml": pair(grid_game(7, 12)),
        "server.xml": server(5, 7),
        "chain.xml": chain(5000),
        "machine.fsm": machine(20, 5, 4),
        "small.fsm": machine(7, 2, 2),
        "large.fsm": machine(4000, 5, 4),
        "hard.dimacs": clauses(500, 1750),
        "counters.smv": counters(3),
        "others.smv": counters(5),
        "words.btor2": WORDS,
        "deaf.py": DEAF,
        "half.uvl": group("[1000..1000]", 2000, "f1 => f2"),
    }
    for name, text in made.items():
        (folder / name).write_text(text)
    (folder / "deaf.py").chmod(0o755)
    lamp = ROOT / "uppaal-models/lamp.xml"
    cas = ROOT / "case-studies/cas/model.xml"
    for name, path in (("lamp.xml", lamp), ("cas.xml", cas)):
        (folder / name).write_bytes(path.read_bytes())
    prepare = [
        "testgen lamp.xml --out lamp.json",
        "fmm cas.xml --order any --out cas-fmm",
        "testgen cas.xml --out cas.json",
        "classify cas.xml --out run-cas",
        "classify cas.xml --order 2 --shard 1/2 --out half-1",
        "classify cas.xml --order 2 --shard 2/2 --out half-2",
        "coverage small.fsm --complete --faults all --out small.txt",
        "coverage small.fsm small.txt --faults all --proof small.proof",
    ]
    for words in prepare:
        subprocess.run([TAMPER, *words.split(), "--quiet"], cwd=folder, stdout=subprocess.DEVNULL, check=False, timeout=120)


TOTAL = "--total-timeout 2"
OWN = "--timeout 2"
MEMORY = "--max-memory 1M"
# The words, and the limit that it is asked for.
COMMANDS = [
    ("check grid.xml", TOTAL),
    ("check server.xml", TOTAL),
    ("check chain.xml", TOTAL),
    ("refine pair.xml Spec Other", OWN),
    ("compose server.xml --out composed.xml", TOTAL),
    ("classify cas.xml --order 3 --sample 5000000 --out run", TOTAL),
    ("classify grid.xml --semantics tiga --out run-grid", TOTAL),
    ("classify chain.xml --out run-chain", TOTAL),
    ("classify cas.xml --semantics tiga --out run-memory", MEMORY),
    ("check counters.smv", TOTAL),
    ("classify counters.smv", TOTAL),
    ("refine counters.smv others.smv", OWN),
    ("testgen counters.smv --out counters.json", TOTAL),
    ("check words.btor2", TOTAL),
    ("classify words.btor2", TOTAL),
    ("merge half-1 half-2 --model cas.xml --out merged", TOTAL),
    ("report run-cas --model cas.xml --suite cas.json --out page.html", TOTAL),
    ("view cas.json cas.xml --out view", TOTAL),
    ("harness cas.json --as pytest --out test_cas.py", TOTAL),
    ("classify server.xml --mutate P0 --out run-server", TOTAL),
    ("export cas.xml --order 3 --keep non-subsumed --out exported", TOTAL),
    ("export chain.xml --out exported-chain", TOTAL),
    ("fmm chain.xml --out fmm-chain", TOTAL),
    ("fmm cas.xml --order 3 --out fmm-cas", TOTAL),
    ("features hard.dimacs --cover 2", OWN),
    ("features half.uvl", OWN),
    ("features half.uvl --sample 10000000", TOTAL),
    ("project cas-fmm/fmm.xml --features cas-fmm/features.uvl --product Spec,TMI_l7_to_l6_0 --out p.xml", TOTAL),
    ("families cas-fmm/fmm.xml --features cas-fmm/features.uvl --against cas.xml", OWN),
    ("coverage machine.fsm --complete --faults all", OWN),
    ("coverage machine.fsm --complete --minimise --faults all", TOTAL),
    ("coverage machine.fsm --count --faults all", OWN),
    ("coverage small.fsm small.txt --faults all --check-proof small.proof", TOTAL),
    ("coverage large.fsm --complete --faults all", OWN),
    ("coverage cas.xml --complete --out o.json", OWN),
    ("coverage chain.xml --complete --out o.json", OWN),
    ("oracle machine.fsm", TOTAL),
    ("draw chain.xml --out chain.svg", TOTAL),
    ("testgen server.xml --network --operators all --strategy minimal --out server.json", TOTAL),
    ("testgen grid.xml --operators all --strategy minimal --out grid.json", TOTAL),
    ("testgen cas.xml --order 3 --sample 10000000 --out s.json", TOTAL),
    ("testgen chain.xml --out chain.json", TOTAL),
    ("score cas.json cas.xml --order 3 --sample 10000000", TOTAL),
    ("minimise cas.json cas.xml --order 2 --out small.json", TOTAL),
    ("run lamp.json --against lamp.xml --plays 1000000000", TOTAL),
    # Real time: it ends when the tests do.
    ("run lamp.json --sut ./deaf.py", ""),
    ("reproduce --out reproduced", TOTAL),
]


def main():
    wanted = sys.argv[1:]
    print("# Limits and signals\n")
    print("Does every command end when it is told to?\n\nYes: each one within the time allowed, and with the exit code that says why.\n")
    print("Made by `TAMPER=... scripts/limits.py`; each input is far too large for its command, or the command waits.\n")
    print("| command | asked | taken | exit code | held |")
    print("|---|---|---|---|---|")
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs(folder)
        for words, limit in COMMANDS:
            if wanted and not any(words.startswith(start) for start in wanted):
                continue
            for how in ("limit", "TERM", "INT") if limit else ("TERM", "INT"):
                failures += not row(words.split(), how, folder, limit.split())
    print(f"\nRows that did not hold: {failures}.")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
