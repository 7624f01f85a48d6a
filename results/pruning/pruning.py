"""The page results/pruning/page.md; results/pruning/make.sh calls it: python3 results/pruning/pruning.py TAMPER [MODEL...]"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# What several pages share.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import network_models as models  # noqa: E402
from measured import measured  # noqa: E402
from regressions_cases import ROOT  # noqa: E402
from regressions_table import table  # noqa: E402

LEVELS = ["none", "published", "extended", "exact"]
STUDIES = ["mutex", "hotel", "coffee", "wfas", "accel", "cas"]
# Of more mutants of order 2 than that, that number is drawn: the same for all levels.
SAMPLE = {"accel": 20_000, "cas": 10_000}
SEEN = ",".join(f"Contender({p}).{l}" for p in (1, 2, 3) for l in ("Outside", "Writing", "Waiting", "Inside"))
STATIONS = ",".join([f"Station({n}).Idle" for n in (1, 2, 3)] + [f"Station({n}).wants" for n in range(5)])
# Name, how the file ends, its text, options.
NETWORKS = [
    ("lamp and user", "xml", models.committed("lamp-and-user"), ""),
    ("collision avoidance", "xml", models.committed("collision-avoidance"), ""),
    ("gear controller", "xml", models.committed("gear-controller"), ""),
    ("car alarm", "xml", models.committed("car-alarm"), "--system Alarm"),
    ("Fischer, 3", "xml", models.sized("fischer", 3), f"--observe {SEEN}"),
    ("crossing, 3", "xml", models.sized("crossing", 3), ""),
    ("crossing, 4", "xml", models.sized("crossing", 4), ""),
    ("FDDI, 2", "xta", models.fddi(2), ""),
    ("FDDI, 3", "xta", models.fddi(3), ""),
    ("pacemaker", "xta", models.pacemaker(), "--observe Atrium.Open"),
    ("token ring, 5", "xta", models.token_ring(5), f"--observe Station(0).Looks,{STATIONS}"),
    ("production cells, 2", "xta", models.cells(2), "--observe turn,Cell(1).Checks,Cell(1).Works,Cell(1).Tests"),
    ("production cells, 3", "xta", models.cells(3), "--observe turn,Cell(1).Checks,Cell(2).Checks,Cell(3).Checks,Cell(1).Tests,Cell(2).Tests"),
]
# A run of less than that many seconds is repeated, and the mean is of that many runs.
SHORT, REPEATED = 0.3, 8
MOST_SECONDS = 300
# A model whose share of time is worth a word takes at least this many seconds.
LONG = 0.1

HEAD = """# Pruning mutants before test generation

How much does it save to leave mutants out before tests are looked for?

{answer}

Made by `results/pruning/make.sh`.

The levels are those of `testgen --prune`. *none*: a test of each mutant is looked for. *published*: not of those that Lemmata 1 to 7 of [003] name. *extended*: nor of those that the identity
check names (`docs/notes/0002-identity-check.md`; proved for single games, so networks have no such row). *exact*: each mutant is classified first, and what refines the model is left out. A mutant
that refines the model and may answer an input in two ways is never left out, whatever names it, as a test can fail on the wrong answer (`docs/notes/0010-killing.md`); CAS has six of them at order 1, and tests fail on three.

*Searched*: mutants of which a test is looked for. *Games*: refinement games that classifying took before that. *Seconds*: wall time of the whole command, with two threads, in two runs (of less than {short} s the mean of {repeated}); *of none*: the
share of the time of *none* in the same run. *MiB*: peak memory, the larger of both (at least that of the script that starts the runs). *Killed*: of the mutants that can be killed, by `tamper score`; a suite of the same tests is scored once. In all rows
the suites of all levels are the same tests, and kill the same mutants.
"""


class Wrong(Exception):
    """A command failed, or two suites differ."""


def run(tamper, words):
    done = measured([tamper, *words], MOST_SECONDS)
    if done.code != 0:
        raise Wrong(f"{' '.join(map(str, words))}: exit code {done.code}\n{done.out}")
    return done


def timed(tamper, words):
    """Seconds (a mean of runs that take short), MiB, and the answer."""
    runs = [run(tamper, words)]
    if runs[0].wall < SHORT:
        runs += [run(tamper, words) for _ in range(REPEATED)]
        runs.pop(0)
    return sum(one.wall for one in runs) / len(runs), max(one.mebibytes for one in runs), json.loads(runs[-1].out)


def killed(tamper, folder, suite, words):
    """The mutants that a suite kills, and how many can be killed."""
    out = folder / "score.json"
    with out.open("w") as file:
        done = subprocess.run([tamper, "score", suite, *words, "-q", "--format", "json"], stdout=file, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1, 3):
        raise Wrong(f"score {suite}: exit code {done.returncode}\n{done.stderr}")
    score = json.loads(out.read_text())
    matrix = score["matrix"]
    positions = {at for row in matrix["tests"] for at in row["kills"]}
    return frozenset(matrix["mutants"][at] for at in positions), score["killable"]


def rows(tamper, folder, model):
    """The rows of a model, and the seconds of each level in both runs."""
    name, file, options, levels, kill = model
    words, seconds, memory, said = options.split(), {}, {}, {}
    for _ in range(2):
        for level in levels:
            command = ["testgen", file, *words, "--kill", kill, "--prune", level, "--threads", "2"]
            command += ["--out", folder / f"{level}.json", "-q", "--format", "json"]
            taken, mebibytes, said[level] = timed(tamper, command)
            seconds.setdefault(level, []).append(taken)
            memory[level] = max(mebibytes, memory.get(level, 0))
    suites = {level: json.loads((folder / f"{level}.json").read_text())["tests"] for level in levels}
    kills = {}
    for level in levels:
        alike = next((other for other in kills if suites[other] == suites[level]), None)
        kills[level] = kills[alike] if alike else killed(tamper, folder, folder / f"{level}.json", [file, *words])
    if len(set(kills.values())) != 1:
        raise Wrong(f"{name}: the suites kill different mutants: {[(level, len(found)) for level, (found, _) in kills.items()]}")
    found, killable = kills["none"]
    lines = []
    for level in levels:
        pruning = said[level].get("pruning", {"left_out": 0, "games": 0})
        shares = [f"{100 * own / none:.0f} %" for own, none in zip(seconds[level], seconds["none"])]
        lines.append([
            name, f"{said[level]['mutants']:,}", level, f"{said[level]['mutants'] - pruning['left_out']:,}", f"{pruning['games']:,}",
            *(f"{taken:.3f}" for taken in seconds[level]), *shares, memory[level], said[level]["tests"], f"{len(found):,} of {killable:,}",
        ])
    return lines, seconds


def all_models(folder):
    """By heading, the models: name, file, options, levels, which tests."""
    study = lambda name: ROOT / "case-studies" / name / "model.xml"
    first = [(name.upper(), study(name), "", LEVELS, "potential") for name in STUDIES]
    surest = [(name.upper(), study(name), "", LEVELS, "both") for name in STUDIES]
    second = [(name.upper(), study(name), f"--order 2 --sample {SAMPLE[name]}" if name in SAMPLE else "--order 2", LEVELS, "potential") for name in STUDIES]
    networks = []
    for at, (name, end, text, options) in enumerate(NETWORKS):
        file = folder / f"network{at}.{end}"
        file.write_text(text)
        networks.append((name, file, options, [level for level in LEVELS if level != "extended"], "potential"))
    return [
        ("Order 1, tests that can fail", first),
        ("Order 1, tests that always fail, if a mutant has one", surest),
        ("Order 2, tests that can fail; of ACCEL 20,000 and of CAS 10,000 mutants, drawn by seed 0, the same for all levels", second),
        ("Networks, all processes, order 1, tests that can fail", networks),
    ]


def answer(spent):
    """In one sentence, the share of the time of `none` that each level takes."""
    parts = []
    for level in LEVELS[1:]:
        both = [seconds for seconds in spent if level in seconds]
        if not both:
            continue
        share = lambda of, nth: 100 * sum(one[level][nth] for one in of) / sum(one["none"][nth] for one in of)
        # Of what takes no time to speak of the share says nothing.
        by_model = [share([one], nth) for one in both for nth in (0, 1) if one["none"][nth] > LONG]
        span = f" ({min(by_model):.0f} % to {max(by_model):.0f} % by model, of those of more than {LONG} s)" if by_model else ""
        parts.append(f"`{level}` takes {share(both, 0):.0f} % and {share(both, 1):.0f} %{span}")
    return f"For the same tests, of the time that `none` takes for all models together, {', '.join(parts[:-1])} and {parts[-1]}, in two runs."


def main(tamper, *only):
    spent, text = [], ""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for heading, listed in all_models(folder):
            lines = []
            for model in listed:
                if only and model[0] not in only:
                    continue
                own, seconds = rows(tamper, folder, model)
                lines += own
                spent.append(seconds)
                print(f"{heading}: {model[0]}", file=sys.stderr)
            columns = ["model", "mutants", "level", "searched", "games", "seconds", "again", "of none", "again", "MiB", "tests", "killed"]
            text += f"\n## {heading}\n\n" + table(columns, lines) if lines else ""
    print(HEAD.format(answer=answer(spent), short=SHORT, repeated=REPEATED) + text, end="")


try:
    main(*sys.argv[1:])
except Wrong as error:
    sys.exit(str(error))
