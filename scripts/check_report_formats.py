"""Checks results that tamper wrote against the schemas other tools publish; see check-report-formats.sh.

Usage: check_report_formats.py JUNIT_SCHEMA STRYKER_SCHEMA FOLDER
"""

import json
import pathlib
import sys

import jsonschema
import xmlschema
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif


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
            # Of networks it is not known which tests come to a place.
            covered = mutant.get("coveredBy", mutant["killedBy"])
            assert tests.issuperset(covered) and set(covered).issuperset(mutant["killedBy"]), mutant["id"]
            start, end = mutant["location"]["start"], mutant["location"]["end"]
            assert (start["line"], start["column"]) < (end["line"], end["column"]), mutant["id"]
        print(f"{path.name}: a mutation testing report of {len(mutants)} mutants")
        check_sarif(path.with_name(path.name.replace(".stryker.json", ".sarif")), mutants)


def check_sarif(path, mutants):
    """The results are the survivors of the mutation testing report, at the same places."""
    text = path.read_text(encoding="utf-8")
    Sarif.model_validate_json(text)
    (run,) = json.loads(text)["runs"]
    # An accepted mutant is a suppressed result there, and ignored here.
    survived = [mutant for mutant in mutants if mutant["status"] in ("Survived", "NoCoverage")]
    suppressed = {result["partialFingerprints"]["tamperMutant/v1"] for result in run["results"] if "suppressions" in result}
    accepted = [mutant for mutant in mutants if mutant["id"] in suppressed]
    assert all(mutant["status"] == "Ignored" for mutant in accepted), path
    survivors = {mutant["id"]: mutant["location"] for mutant in survived + accepted}
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {result["ruleId"] for result in run["results"]}
    found = {}
    for result in run["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        found[result["partialFingerprints"]["tamperMutant/v1"]] = {
            "start": {"line": region["startLine"], "column": region["startColumn"]},
            "end": {"line": region["endLine"], "column": region["endColumn"]},
        }
    assert found == survivors, path
    print(f"{path.name}: SARIF with {len(found)} survivors, {len(accepted)} of them accepted")


main()
