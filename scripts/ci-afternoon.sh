#!/bin/sh
# An afternoon of a pipeline in a scratch git repository: two survivors are accepted, the model changes twice, one survivor is new, one row
# is lost. Prints a transcript, which docs/book/src/ci.md shows; --sarif also holds SARIF against its schema, by the Python of
# scripts/check-report-formats.sh.
# Usage: scripts/ci-afternoon.sh [--sarif PYTHON]
set -eu
cd "$(dirname "$0")/.."
here=$(pwd)
tamper=${TAMPER:-$here/target/release/tamper}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${2:-}
cp uppaal-models/lamp.xml "$folder/lamp.xml"
cd "$folder"
git init --quiet .
commit() {
    git add --all
    git -c user.name=ci -c user.email=ci@localhost commit --quiet --message "$1"
    echo "== $1"
}
# What the pipeline does with each commit.
pipeline() {
    code=0
    "$tamper" score suite.json lamp.xml --operators CXL,CXS --fail-on new > score.txt 2> notes.txt || code=$?
    grep "accepts nothing" notes.txt || true
    "$tamper" --quiet score suite.json lamp.xml --operators CXL,CXS --as github | grep '^::' | cut -c 1-130 || true
    "$tamper" --quiet score suite.json lamp.xml --operators CXL,CXS --as sarif > lamp.sarif || [ $? = 1 ]
    if [ -n "$python" ]; then
        "$python" -c 'import sys; from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif
Sarif.model_validate_json(open("lamp.sarif").read()); print("SARIF 2.1.0: valid")'
    fi
    rm score.txt notes.txt lamp.sarif
    echo "exit code $code"
}
"$tamper" --quiet testgen lamp.xml --operators SMI --out suite.json > /dev/null
commit "a model and its suite"
pipeline
"$tamper" --quiet accept lamp.xml 'CXL:invariant:Bright:x<=20=>x<=21' --reason 'as bright as you like' > /dev/null
"$tamper" --quiet accept lamp.xml 'CXS:guard:Bright->Off#0:x==20=>x==19' --reason 'no user has a watch' > /dev/null
commit "two survivors are accepted"
pipeline
sed -i 's/>Starting</>Waking</' lamp.xml
commit "a location has another name"
pipeline
edge='<transition controllable="true"><source ref="id4"/><target ref="id0"/><label kind="guard">x\&gt;=5</label><label kind="synchronisation">reset?</label></transition>'
sed -i -e 's/bright, off;/bright, off, reset;/' -e "0,/<transition/s|<transition|$edge\\n    <transition|" lamp.xml
sed -i 's|x==20</label>|&<label kind="assignment">x=0</label>|' lamp.xml
commit "a new edge before the others, and an old one resets the clock"
pipeline
echo "since the last commit:"
"$tamper" --quiet score suite.json lamp.xml --operators CXL,CXS --changed-since HEAD~1 || true
