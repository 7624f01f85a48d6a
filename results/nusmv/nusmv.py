"""Reachable states and trap properties of all SMV models of the project, by tamper and by NuSMV, as a page."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

tamper, nusmv = sys.argv[1:3]
SECONDS = 60
models = sorted(pathlib.Path("case-studies").rglob("*.smv"))


def ask(path, commands):
    """What NuSMV says after these commands."""
    with tempfile.NamedTemporaryFile("w", suffix=".commands") as script:
        script.write("\n".join(["go", *commands, "quit", ""]))
        script.flush()
        words = [nusmv, "-dcx", "-source", script.name, str(path)]
        try:
            said = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return "out of time"
        return said.stdout + said.stderr


def answer(*words):
    said = subprocess.run([tamper, *words], capture_output=True, text=True)
    return said.returncode, said.stdout


def n_inputs(text):
    """How many values the inputs have together that are variables of the state for NuSMV."""
    names = [name.strip() for line in re.findall(r"^-- inputs:(.*)", text, re.M) for name in line.split(",")]
    text = re.sub(r"--.*", "", text)
    text = re.sub(r"\bIVAR\b.*?(?=\b(VAR|ASSIGN|DEFINE|FROZENVAR)\b)", "", text, flags=re.S)
    values = 1
    for name in names:
        kind = re.search(rf"\b{re.escape(name)}\s*:\s*([^;]*);", text)
        if not kind:
            continue
        kind = kind[1].strip()
        ends = re.fullmatch(r"(-?\d+)\s*\.\.\s*(-?\d+)", kind)
        values *= 2 if kind == "boolean" else int(ends[2]) - int(ends[1]) + 1 if ends else len(kind.split(","))
    return values


def states(path):
    code, found = answer("check", str(path), "--format", "json")
    said = ask(path, ["print_reachable_states"])
    reached = re.search(r"reachable states: (\S+) \(", said)
    return json.loads(found)["states"] if code == 0 else None, n_inputs(path.read_text()), reached and int(float(reached[1]))


def property_of(path, fails):
    said = ask(path, ["check_invar", "check_ctlspec", "check_ltlspec"])
    if "cannot assign value" in said or "single-value" in said:
        return "refused"
    expected = (0, 3) if fails else (3, 0)
    return "same" if (said.count("is true"), said.count("is false")) == expected else "other"


def traps(path, pool):
    """By kind of kill: how many properties fail, hold, are refused by NuSMV, and have another answer there."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "traps")
        code, _ = answer("export", str(path), "--as", "trap", "--out", str(out))
        if code != 0:
            return None
        files = json.loads((out / "index.json").read_text())["files"]
        said = list(pool.map(lambda file: property_of(out / file["file"], file["fails"]), files))
    rows = {}
    for file, same in zip(files, said):
        row = rows.setdefault("weak" if "kills" in file else "strong", [0, 0, 0, 0])
        row[2 if same == "refused" else 3 if same == "other" else 0 if file["fails"] else 1] += 1
    return rows


rows, totals = [], {"strong": [0] * 4, "weak": [0] * 4}
n_same = n_models = 0
others = []
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for path in models:
        own, inputs, reached = states(path)
        if own is None:
            continue
        n_models += 1
        n_same += own * inputs == reached
        if own * inputs != reached:
            others.append(f"{path}: {own} states times {inputs} inputs, and {reached}")
        found = traps(path, pool) or {}
        for kind, row in found.items():
            totals[kind] = [one + other for one, other in zip(totals[kind], row)]
        cells = [found.get(kind, ["-"] * 4) for kind in ("strong", "weak")]
        rows.append([path.stem, own, inputs, reached, *cells[0], *cells[1]])

n_asked = sum(totals["strong"][:2] + totals["weak"][:2])
n_other = totals["strong"][3] + totals["weak"][3]
print("# NuSMV beside tamper\n")
print("Does a checker that shares no code with tamper find the same states, and the same trap properties to fail?\n")
print(
    f"In {n_same} of {n_models} models NuSMV 2.6 reaches as many states; of {n_asked + n_other} trap properties, each as INVARSPEC, LTLSPEC "
    f"and CTLSPEC, it says of {n_asked} what tamper says, of {n_other} something else.\n"
)
print("Made by `NUSMV=PROGRAM results/nusmv/make.sh`, which also has NuSMV judge random files: every value of 600 random expressions of words, the states of random")
print("files with modules as they are and as tamper writes them, and trap properties of random programs (`crates/systems/tests/words.rs`, `modules.rs`, `traps.rs`).\n")
print("*Inputs*: values of inputs that are part of the state for NuSMV. *Refused*: NuSMV refuses values outside of a type also where no run comes, and mutants of tamper's may")
print("have such; `-`: the model has choices, of which trap properties say nothing.\n")
for other in others:
    print(f"- {other}")
print("| model | states | inputs | NuSMV reaches | kills: fail | hold | refused | other | weak kills: fail | hold | refused | other |")
print("|---|" + "---|" * 11)
for row in rows:
    print("| " + " | ".join(map(str, row)) + " |")
print("| all | | | | " + " | ".join(map(str, totals["strong"] + totals["weak"])) + " |")
