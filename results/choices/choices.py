"""Refinement with choices: results/choices/page.md. Called by results/choices/make.sh."""
import statistics
import sys
import tempfile
from pathlib import Path

# What several pages share.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import plant  # noqa: E402
from measured import measured  # noqa: E402

HERE = Path(__file__).parent
SIZES = [(stations, clocks) for clocks in (2, 3) for stations in (5, 10, 20, 40)]
# Nothing takes longer than this (seconds of the processor).
PATIENCE = 15
# Nor a question about a random game.
IMPATIENCE = 2
N_GAMES = 40


def within(seconds, command):
    """Runs it until it has used so much of the processor; then its exit code is negative."""
    limited = ["bash", "-c", f'ulimit -t {seconds}; exec "$@"', "_", *map(str, command)]
    return measured(limited, 60 * seconds)


def main():
    before, now, page = sys.argv[1:4]
    folder = Path(tempfile.mkdtemp())
    out = Path(page).open("w")

    def say(text=""):
        print(text, file=out, flush=True)

    say("# Refinement with choices\n")
    say("What is saved by following one answer of the responder instead of all?\n\nOn plants up to some hundred times the time; random games of three and four clocks are decided that were not before, and no verdict differs.\n")
    say("Made by `results/choices/make.sh`, one run, one thread; processor time, so compare within a table. *Before* is the version that explored all answers and")
    say(f"then solved the whole game, *now* the one that follows the responder's strategy (`docs/notes/0011-choices.md`). What takes more than {PATIENCE} s of the processor is stopped.\n")
    plants(before, now, folder, say)
    random_games(before, now, folder, say)


def written(folder, stations, clocks, is_twin):
    file = folder / f"{'twin' if is_twin else 'plant'}-{stations}-{clocks}.xml"
    file.write_text(plant.Plant(stations, clocks, is_twin).xml())
    return file


def plants(before, now, folder, say):
    say("## Plants\n")
    say("`results/choices/plant.py STATIONS CLOCKS`: in every station `finish!` leads on or, from another time on, to rework; the *twin* calls the second one `rework!` and is")
    say("deterministic. *Self*: `refine` of the specification with itself. Then `classify` of all first-order mutants, per mutant in milliseconds; the games are")
    say("decided by the number of mutants that no guideline names. *Of twin*: now, plant / twin.\n")
    say("| clocks | stations | mutants | self, before (s) | self, now (s) | before (ms) | now (ms) | twin, now (ms) | of twin | the same verdicts |")
    say("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|")
    for stations, clocks in SIZES:
        model = written(folder, stations, clocks, False)
        twin = written(folder, stations, clocks, True)
        cells = [itself(tool, model) for tool in (before, now)]
        old, old_records = classified(before, model, folder / "old")
        new, new_records = classified(now, model, folder / "new")
        deterministic, twin_records = classified(now, twin, folder / "twin")
        n = len(new_records)
        # A run that was stopped has records of fewer mutants.
        shown = f"{n}" if n == len(twin_records) else f"{n} of {len(twin_records)}, stopped"
        same = "yes" if old_records == new_records[: len(old_records)] else "NO"
        same = same if old_records else "none to compare"
        same += "" if len(old_records) in (0, n) else f" ({len(old_records)} compared)"
        ratio = (new / n) / (deterministic / len(twin_records))
        old_cell = f"{1000 * old / len(old_records):.2f}" if old_records else f"over {PATIENCE} s for none"
        new_cell, twin_cell = f"{1000 * new / n:.3f}", f"{1000 * deterministic / len(twin_records):.3f}"
        say(f"| {clocks} | {stations} | {shown} | {' | '.join(cells)} | {old_cell} | {new_cell} | {twin_cell} | {ratio:.1f} | {same} |")
    say()


def itself(tool, model):
    run = within(PATIENCE, [tool, "--threads", "1", "refine", model, "Plant", "Plant"])
    return f"{run.cpu:.3f}" if run.code == 0 else "stopped"


def classified(tool, model, out):
    """Seconds, and the records that were written."""
    command = [tool, "--quiet", "--threads", "1", "classify", model, "--out", out]
    runs = [within(PATIENCE, command)]
    if runs[0].cpu < 1:
        runs += [within(PATIENCE, command) for _ in range(4)]
    records = (out / "mutants.jsonl").read_text().splitlines() if (out / "mutants.jsonl").exists() else []
    return min(run.cpu for run in runs), records


def random_games(before, now, folder, say):
    say("## Random games\n")
    say(f"`results/choices/random_games.py SEED CLOCKS`: {N_GAMES} games per number of clocks, 12 locations, 36 edges, each with a mutant; `refine FILE Mutant Game` and")
    say(f"`refine FILE Game Game` with {IMPATIENCE} s each.\n")
    say("| clocks | question | decided before | now | median before (ms) | now (ms) | subsumed | different verdicts |")
    say("|---:|---|---:|---:|---:|---:|---:|---:|")
    for clocks in (1, 2, 3, 4):
        files = []
        for seed in range(N_GAMES):
            file = folder / f"random-{seed}-{clocks}.xml"
            made = measured([sys.executable, str(HERE / "random_games.py"), str(seed), str(clocks)], 60)
            file.write_text(made.out)
            files.append(file)
        for question in (["Mutant", "Game"], ["Game", "Game"]):
            answers = {tool: [answer(tool, file, question) for file in files] for tool in (before, now)}
            n_known = {tool: sum(run[0] is not None for run in runs) for tool, runs in answers.items()}
            median = {tool: 1000 * statistics.median(run[1] for run in runs) for tool, runs in answers.items()}
            both = list(zip(answers[before], answers[now]))
            different = sum(old[0] != new[0] for old, new in both if old[0] is not None and new[0] is not None)
            subsumed = sum(run[0] == 0 for run in answers[now])
            say(f"| {clocks} | {' / '.join(question)} | {100 * n_known[before] // N_GAMES} % | {100 * n_known[now] // N_GAMES} % | {median[before]:.0f} | {median[now]:.0f} | {subsumed} | {different} |")
    say()


def answer(tool, file, question):
    """Exit code 0 or 1, or none where nothing was decided in time; seconds."""
    run = within(IMPATIENCE, [tool, "--quiet", "--threads", "1", "refine", file, *question])
    return (run.code if run.code in (0, 1) else None), run.cpu


if __name__ == "__main__":
    main()
