#!/usr/bin/env python3
"""Asks z3 about certificates that the tests wrote, and compares with what tamper-check said about them.

Usage: TAMPER_CERTIFICATES=DIR cargo test -p tamper-game --test differential certificates
       TAMPER=PROGRAM scripts/check-certificates.py DIR [MOST]

PROGRAM is target/release/tamper without the variable, and MOST is the number of files. Each file of DIR is named NUMBER-accepted.txt
or NUMBER-refused.txt. z3 must prove all conditions of the former; where it also proves those of the latter, the checker is stricter than
the definitions, which is counted. Exit code 1 if z3 does not prove what was accepted.
"""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile

TAMPER = os.environ.get("TAMPER", pathlib.Path(__file__).parent.parent / "target/release/tamper")


def asked(queries):
    command = ["z3", "-t:2000", "-T:60", "-in"]
    answers = subprocess.run(command, input=queries, capture_output=True, text=True, check=False)
    return collections.Counter(answers.stdout.split())


def judged(path):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "queries.smt2")
        command = [TAMPER, "verify", path, "--queries", file]
        code = subprocess.run(command, capture_output=True, check=False).returncode
        if not file.exists():
            return "refused" if code == 1 else "malformed", 0
        queries = file.read_text(encoding="utf-8")
    answers = asked(queries)
    if answers["unknown"] or answers["timeout"]:
        # z3's own quantifier elimination settles in no time what its default loses itself in.
        answers = asked(queries.replace("(check-sat)", "(check-sat-using (then simplify qe smt))"))
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
