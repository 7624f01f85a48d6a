"""Checks results that tamper wrote against the schemas other tools publish; see check-report-formats.sh.

Usage: check_report_formats.py JUNIT_SCHEMA STRYKER_SCHEMA FOLDER
"""

import json
import pathlib
import sys

import jsonschema
import xmlschema


def main():
    junit, stryker, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    junit = xmlschema.XMLSchema(junit)
    with open(stryker, encoding="utf-8") as file:
        stryker = jsonschema.Draft7Validator(json.load(file))
    results = sorted(folder.glob("*.xml"))
    reports = sorted(folder.glob("*.stryker.json"))
    if not results or not reports:
        sys.exit(f"nothing to check in {folder}")
    for path in results:
        junit.validate(path)
        print(f"{path.name}: JUnit XML")
    for path in reports:
        report = json.loads(path.read_text(encoding="utf-8"))
        stryker.validate(report)
        mutants = [mutant for file in report["files"].values() for mutant in file["mutants"]]
        tests = {test["id"] for file in report["testFiles"].values() for test in file["tests"]}
        # What the schema cannot say: ids are unique, tests exist, what kills covers, places have an order.
        assert len({mutant["id"] for mutant in mutants}) == len(mutants), path
        for mutant in mutants:
            assert tests.issuperset(mutant["coveredBy"]), mutant["id"]
            assert set(mutant["coveredBy"]).issuperset(mutant["killedBy"]), mutant["id"]
            start, end = mutant["location"]["start"], mutant["location"]["end"]
            assert (start["line"], start["column"]) < (end["line"], end["column"]), mutant["id"]
        print(f"{path.name}: a mutation testing report of {len(mutants)} mutants")


main()
