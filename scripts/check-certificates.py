#!/usr/bin/env python3
"""Asks z3 about certificates that the tests wrote, and compares with what tamper-check said about them.

Usage: TAMPER_CERTIFICATES=DIR cargo test -p tamper-game --test differential certificates
       scripts/check-certificates.py DIR [MOST]

Each file of DIR is named NUMBER-accepted.txt or NUMBER-refused.txt. z3 must prove all conditions of the former; where it also proves
those of the latter, the checker is stricter than the definitions, which is counted. Exit code 1 if z3 does not prove what was accepted.
"""

import collections
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).with_name("certificate-smt2.py")


def asked(queries):
    answers = subprocess.run(["z3", "-T:60", "-in"], input=queries, capture_output=True, text=True, check=False)
    return collections.Counter(answers.stdout.split())


def judged(path):
    made = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
    if made.returncode:
        return "malformed" if "Traceback" in made.stderr else "refused", 0
    answers = asked(made.stdout)
    if answers["unknown"] or answers["timeout"]:
        # z3's own quantifier elimination settles in no time what its default loses itself in.
        answers = asked(made.stdout.replace("(check-sat)", "(check-sat-using (then simplify qe smt))"))
    if set(answers) <= {"unsat"}:
        return "proved", answers["unsat"]
    return "refused" if answers["sat"] else "unknown", sum(answers.values())


def main():
    counts, queries, wrong = collections.Counter(), 0, []
    files = sorted(pathlib.Path(sys.argv[1]).glob("*-*.txt"))
    for path in files[: int(sys.argv[2]) if len(sys.argv) > 2 else None]:
        said = path.stem.split("-")[1]
        found, n = judged(path)
        counts[said, found] += 1
        queries += n
        if said == "accepted" and found != "proved":
            wrong.append(f"{path}: {found}")
    for (said, found), n in sorted(counts.items()):
        print(f"{n:6} {said} by tamper-check, {found} by z3")
    print(f"{queries} queries")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
