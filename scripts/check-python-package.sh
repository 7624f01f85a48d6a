#!/usr/bin/env bash
# Builds the Python wheel, installs it into a fresh environment, and compares its tables with what the program writes.
# usage: check-python-package.sh [--if-possible]    needs python3 and a package index
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/build" && "$dir/build/bin/pip" install --quiet 'maturin>=1.8,<2' > "$dir/pip.txt" 2>&1 || lacks "maturin cannot be installed"
(cd packages/python && "$dir/build/bin/maturin" build --release --locked --out "$dir/dist" > "$dir/maturin.txt" 2>&1) || { cat "$dir/maturin.txt"; exit 1; }
echo "built $(basename "$dir"/dist/*.whl), $(wc -c < "$(ls "$dir"/dist/*.whl)") bytes"
python3 -m venv "$dir/fresh"
"$dir/fresh/bin/pip" install --quiet "$dir"/dist/*.whl
"$dir/fresh/bin/tamper" classify case-studies/wfas/model.xml --out "$dir/run" --quiet > /dev/null
env -i HOME="$HOME" "$dir/fresh/bin/python" - "$dir" <<'PYTHON'
import json, sys, tamper
folder = sys.argv[1]
table = tamper.classify("case-studies/wfas/model.xml")
assert list(table) == [json.loads(line) for line in open(folder + "/run/mutants.jsonl")]
assert table.complete and table.count("verdict") == {"non-subsumed": 65, "subsumed": 42, "inconsistent": 14}, table.count("verdict")
few = tamper.classify("case-studies/wfas/model.xml", operators=["CXL", "CCN"], semantics="tiga", out=folder + "/kept")
assert len(few) == 18 and json.load(open(folder + "/kept/manifest.json"))["unmatched"] == "ignore"
suite = folder + "/suite.json"
tamper.call("testgen", "uppaal-models/lamp.xml", out=suite)
score = tamper.call("score", suite, "uppaal-models/lamp.xml", fail_under=80)
assert score["score"] == 1.0 and score["killed"] == 56
for wrong in [lambda: tamper.classify("no such file"), lambda: tamper.classify("case-studies/wfas/model.xml", colour="red")]:
    try:
        wrong()
        raise SystemExit("not refused")
    except tamper.Refused as refused:
        print("refused:", str(refused).splitlines()[0])
print("tamper.classify:", len(table), "mutants,", table.columns)
print(table.count("verdict"))
PYTHON
if "$dir/fresh/bin/pip" install --quiet pyarrow pandas polars duckdb > "$dir/pip.txt" 2>&1; then
    "$dir/fresh/bin/python" - "$dir" <<'PYTHON'
import sys, duckdb, pandas, polars, tamper
file = sys.argv[1] + "/run.parquet"
table = tamper.read_run(sys.argv[1] + "/run")
table.to_parquet(file)
counts = {
    "tamper": table.count("verdict"),
    "pandas": pandas.read_parquet(file).verdict.value_counts().to_dict(),
    "polars": dict(polars.read_parquet(file)["verdict"].value_counts().iter_rows()),
    "duckdb": dict(duckdb.sql(f"select verdict, count(*) from '{file}' group by verdict").fetchall()),
}
for reader, found in counts.items():
    print(reader, dict(sorted(found.items())))
    assert found == counts["tamper"]
assert duckdb.sql(f"select count(*) from '{file}' where list_contains(operators, 'TAD')").fetchall() == [(72,)]
assert pandas.read_parquet(file).id.tolist() == polars.read_parquet(file)["id"].to_list() == [record["id"] for record in table]
PYTHON
else
    echo "check-python-package: no readers of Parquet here"
fi
echo "check-python-package: the wheel's tables are the program's records"
