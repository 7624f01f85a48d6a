#!/usr/bin/env python3
"""Both engines on random games with 1 to 10 clocks: the processor time of each, per number of clocks, and whether they agree.

A game has four locations, invariants and guards over many of its clocks, and outputs that are ignored (--semantics
tiga) or refused (strict). Both engines classify all its first-order mutants on one thread. A call that is not done
in 20 seconds counts as 20. Prints a Markdown table; exits with 1 where verdicts differ, or where one engine takes more than
three times as long as the other one for all games of a size and more than a tenth of a second a game.

    TAMPER=target/release/tamper results/engines/engines.py [GAMES PER SIZE [CLOCKS...]]
"""

import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAMPER = pathlib.Path(os.environ.get("TAMPER", ROOT / "target/release/tamper")).resolve()
MOST = 20
FORMS = ("family", "enumerate")


def game(clocks, r):
    """A random game; every location that bounds time has an output that is always possible."""
    n = 4
    bounds = lambda most, op, low, high: " &amp;&amp; ".join(
        f"c{c} {op} {r.randint(low, high)}" for c in r.sample(range(clocks), r.randint(1, most))
    )
    places, edges = [], []
    for i in range(n):
        invariant = bounds(clocks, "&lt;=", 3, 9) if r.random() < 0.5 else ""
        label = f'<label kind="invariant">{invariant}</label>' if invariant else ""
        places.append(f'<location id="l{i}"><name>L{i}</name>{label}</location>')
        if invariant:
            resets = ", ".join(f"c{c} = 0" for c in range(clocks))
            edges.append((i, 0, "false", f"u{r.randrange(2)}!", "", resets))
        for _ in range(r.randint(1, 2)):
            is_input = r.random() < 0.6
            guard = bounds(min(clocks, 3), r.choice(["&lt;=", "&gt;="]), 0, 6)
            resets = ", ".join(f"c{c} = 0" for c in range(clocks) if r.random() < 0.5)
            word = f"a{r.randrange(2)}?" if is_input else f"u{r.randrange(2)}!"
            edges.append((i, r.randrange(n), "true" if is_input else "false", word, guard, resets))
    rows = "".join(
        f'<transition controllable="{side}"><source ref="l{i}"/><target ref="l{j}"/>'
        + (f'<label kind="guard">{guard}</label>' if guard else "")
        + f'<label kind="synchronisation">{word}</label>'
        + (f'<label kind="assignment">{resets}</label>' if resets else "")
        + "</transition>"
        for i, j, side, word, guard, resets in edges
    )
    names = ", ".join(f"c{c}" for c in range(clocks))
    return (
        "<nta><declaration>broadcast chan a0, a1, u0, u1;</declaration><template><name>Spec</name>"
        f"<declaration>clock {names};</declaration>{''.join(places)}<init ref=\"l0\"/>{rows}</template>"
        "<system>system Spec;</system></nta>\n"
    )


def processor_time():
    """Seconds of the processor that calls have taken: others may use the machine."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def classify(folder, engine, semantics):
    """Seconds and verdicts; none where the game is refused or the time is up."""
    words = ["classify", "game.xml", "--semantics", semantics, "--engine", engine, "--out", engine]
    words += ["--threads", "1", "--quiet", "--total-timeout", str(MOST)]
    before = processor_time()
    code = subprocess.run([TAMPER, *words], cwd=folder, capture_output=True, check=False).returncode
    taken = processor_time() - before
    if code not in (0, 1):
        return (float(MOST) if code == 3 else None), None
    return taken, (folder / engine / "mutants.jsonl").read_text()


def main():
    per_size = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("| clocks | semantics | games | mutants | family s | enumerate s | ratio | family slower, worst | not done | differences |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    is_wrong = False
    for clocks in [int(word) for word in sys.argv[2:]] or range(1, 11):
        for semantics in ("strict", "tiga"):
            r = random.Random(f"{clocks} {semantics}")
            games = mutants = differences = late = 0
            total, worst = dict.fromkeys(FORMS, 0.0), 0.0
            for _ in range(20 * per_size):
                if games == per_size:
                    break
                with tempfile.TemporaryDirectory() as name:
                    folder = pathlib.Path(name)
                    (folder / "game.xml").write_text(game(clocks, r))
                    results = {form: classify(folder, form, semantics) for form in FORMS}
                if any(taken is None for taken, _ in results.values()):
                    continue
                games += 1
                for form, (taken, _) in results.items():
                    total[form] += taken
                worst = max(worst, results["family"][0] / results["enumerate"][0])
                texts = [text for _, text in results.values()]
                late += sum(text is None for text in texts)
                mutants += (texts[0] or texts[1] or "").count("\n")
                differences += None not in texts and texts[0] != texts[1]
            ratio = total["family"] / max(total["enumerate"], 1e-9)
            most = 0.1 * games
            is_wrong |= differences > 0 or (max(ratio, 1 / max(ratio, 1e-9)) > 3 and max(total.values()) > most)
            print(
                f"| {clocks} | {semantics} | {games} | {mutants} | {total['family']:.2f} | {total['enumerate']:.2f} "
                f"| {ratio:.2f} | {worst:.2f} | {late} | {differences} |",
                flush=True,
            )
    return is_wrong


if __name__ == "__main__":
    sys.exit(main())
