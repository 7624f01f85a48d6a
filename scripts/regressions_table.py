"""The text of results/regressions/page.md from what scripts/regressions.py found."""

from regressions_cases import read_cases

HEAD = """# Dated regressions of published libraries

Do suites find faults that published libraries had?

Most of them with `--for programs`, more than random walks of the same length, and none of its tests fails on a good version.

Written by `results/regressions/make.sh` from `examples/regressions`, one folder per case: a model of the feature, made from its documentation; an adapter; two published versions. The model was
committed before the bad version was first run (`git log` shows it; two READMEs tell of versions that were taken for good ones). Cases marked *choosing* may be used to choose operators and strategies; nobody tunes on those marked
*judging*.

*Random*: walks by the same model and judged by it, until as many inputs and outputs were seen as a run of the suite on the good version gives and sees (*events*); in how many of 20 seeds one fails. In the first table these chances are added up: so many cases are to be expected. *False alarms*: of
five runs on the good version, those with a failing test. *Time* is that of one run on the bad version; the time of the models is virtual, but for nodejs/node#27363, where a unit is 250 ms; on a busy machine its good version may seem late. The good lodash has false alarms by a fault of its own, which its README describes.
"""


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else 0


def cell(suite):
    return "not run" if suite is None else "found" if suite.failing else "**missed**"


def chance(walks, suite):
    return walks.found(suite.steps) / len(walks.firsts)


def overview(found, names):
    """A row per strategy: on how many cases it finds the fault, and what chance finds in as many steps."""
    header = ["strategy", "found, choosing", "random", "found, judging", "random", "tests", "events", "time", "false alarms"]
    rows = []
    for name in names:
        row = [name]
        for which in ("choosing", "judging"):
            cases = [(suites[name], walks) for case, suites, walks, _ in found if case.set == which and name in suites]
            row.append(f"{sum(suite.failing > 0 for suite, _ in cases)} of {len(cases)}")
            row.append(f"{sum(chance(walks, suite) for suite, walks in cases):.1f}")
        every = [suites[name] for _, suites, _, _ in found if name in suites]
        row += [sum(suite.tests for suite in every), sum(suite.steps for suite in every), f"{sum(suite.seconds for suite in every):.1f} s"]
        rows.append([*row, f"{sum(suite.alarms for suite in every)} of {5 * len(every)}"])
    return table(header, rows)


def cases(found, names):
    header = ["case", "kind", "set", "good, bad", "locations, edges", "adapter", *names, "random as long as the longest"]
    rows = []
    for case, suites, walks, size in found:
        longest = max(suites.values(), key=lambda suite: suite.steps)
        row = [f"{case.issue}", case.kind, case.set, f"{case.package} {case.good}, {case.bad}", f"{size[0]['locations']}, {size[0]['edges']}"]
        row += [f"{case.lines()} lines", *(cell(suites.get(name)) for name in names), f"{walks.found(longest.steps)} of {len(walks.firsts)}"]
        rows.append(row)
    return table(header, rows)


def details(found, names):
    header = ["case", "strategy", "tests", "events", "time", "tests that fail", "inconclusive", "random", "false alarms", "operators of the failing tests"]
    rows = []
    for case, suites, walks, _ in found:
        for name in (name for name in names if name in suites):
            suite = suites[name]
            row = [case.issue, name, suite.tests, suite.steps, f"{suite.seconds:.1f} s", suite.failing or "**none**", suite.unsure]
            rows.append([*row, f"{walks.found(suite.steps)} of {len(walks.firsts)}", suite.alarms, " ".join(suite.operators)])
    return table(header, rows)


def faults(found):
    rows = []
    for case, suites, _, _ in found:
        missed = [name for name, suite in suites.items() if not suite.failing]
        rows.append([case.issue, case.fault, case.shows, "all" if len(missed) == len(suites) else ", ".join(missed) or "none"])
    return table(["case", "the bad version", "what shows it", "missed by"], rows)


def alarms(found):
    """Random walks that fail on a good version: the model is then wrong, or the version is not good."""
    wrong = [f"{case.issue} ({walks.alarms} of 5)" for case, _, walks, _ in found if walks.alarms]
    return "Random walks on the good versions: " + (f"false alarms in {', '.join(wrong)}." if wrong else "no false alarm in five seeds each.") + "\n"


def left_out(found):
    """Cases that the page does not have."""
    there = {case.name for case, *_ in found}
    others = [case.issue for case in read_cases([]) if case.name not in there]
    return f"Not run for this page: {', '.join(others)}.\n" if others else ""


def report(found, names):
    parts = [HEAD + left_out(found), overview(found, names), "## Cases\n", cases(found, names), "## Faults\n", faults(found), "## Suites\n", details(found, names), alarms(found)]
    return "\n".join(parts)
