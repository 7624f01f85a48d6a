#!/bin/sh
# Checks what `tamper run --junit`, `tamper score --stryker` and `--as sarif` write against the published schemas: junit-10.xsd of the
# xUnit plugin of Jenkins (as pytest's sources have it), npm's mutation-testing-report-schema, and SARIF 2.1.0 (pydantic-sarif).
# Usage: scripts/check-report-formats.sh [--if-possible]
# Needs python3, npm and their package indexes, and takes less than a minute; with --if-possible it says so and is content
# where it cannot get them.
set -eu
cd "$(dirname "$0")/.."
if_possible=no
if [ "${1:-}" = --if-possible ]; then
    if_possible=yes
fi
folder=target/tmp/report-formats
tools=target/tmp/report-formats-tools-2
# The mark is made last: an installation that was interrupted is made again.
if [ ! -f "$tools/installed" ]; then
    rm -rf "$tools"
    mkdir -p "$tools"
    if ! { python3 -m venv "$tools/venv" &&
        "$tools/venv/bin/pip" install --quiet --retries 1 --timeout 20 jsonschema==4.23.0 xmlschema==3.4.3 \
            pydantic-sarif==0.1.1 &&
        "$tools/venv/bin/pip" download --quiet --retries 1 --timeout 20 --no-deps --no-binary :all: \
            --dest "$tools" pytest==8.3.4 &&
        (cd "$tools" && npm pack --silent mutation-testing-report-schema@3.8.4 >/dev/null) &&
        tar xzf "$tools/pytest-8.3.4.tar.gz" -C "$tools" pytest-8.3.4/testing/example_scripts/junit-10.xsd &&
        tar xzf "$tools/mutation-testing-report-schema-3.8.4.tgz" -C "$tools"; }; then
        echo "NOT CHECKED: the schemas or their validators cannot be installed here" >&2
        [ $if_possible = yes ]
        exit
    fi
    touch "$tools/installed"
fi
rm -rf "$folder"
mkdir -p "$folder"
cargo build --quiet --release --locked -p tamper -p lamp --bins
tamper=target/release/tamper
# A test that fails is one of the answers here.
answers() {
    "$@" >/dev/null || [ $? = 1 ]
}
model=uppaal-models/lamp.xml
answers $tamper -q testgen $model --delays middle --strategy minimal --out "$folder/suite.json"
answers $tamper -q export $model --operators TMI,CXL --out "$folder/mutants"
answers $tamper -q run "$folder/suite.json" --against "$folder/mutants" --junit "$folder/exhaustive.xml"
answers $tamper -q run "$folder/suite.json" --against "$folder/mutants" --random 20 --junit "$folder/plays.xml"
for options in "" "--fault crash" "--fault wrong-output"; do
    answers $tamper -q run "$folder/suite.json" --sut "target/release/lamp $options" --accelerated \
        --junit "$folder/program$(echo "$options" | tr -d ' ').xml"
done
network=uppaal-models/networks/lamp-and-user.xml
answers $tamper -q testgen $network --operators SMI --out "$folder/suite.json"
answers $tamper -q score "$folder/suite.json" $network --operators all --stryker "$folder/network.stryker.json"
$tamper -q score "$folder/suite.json" $network --operators all --as sarif > "$folder/network.sarif" || [ $? = 1 ]
for study in case-studies/*/model.xml; do
    name=$(basename "$(dirname "$study")")
    answers $tamper -q testgen "$study" --operators CXL,CXS --out "$folder/suite.json"
    answers $tamper -q score "$folder/suite.json" "$study" --stryker "$folder/$name.stryker.json"
    # A suite for some operators leaves survivors of others.
    $tamper -q score "$folder/suite.json" "$study" --as sarif > "$folder/$name.sarif" || [ $? = 1 ]
done
answers $tamper -q testgen $model --operators SMI --out "$folder/suite.json"
$tamper -q accept $model 'CXL:invariant:Bright:x<=20=>x<=21' --reason 'as bright as you like' \
    --accepted "$folder/accepted.toml" >/dev/null
answers $tamper -q score "$folder/suite.json" $model --accepted "$folder/accepted.toml" --stryker "$folder/accepted.stryker.json"
$tamper -q score "$folder/suite.json" $model --accepted "$folder/accepted.toml" --as sarif > "$folder/accepted.sarif" || [ $? = 1 ]
"$tools/venv/bin/python" scripts/check_report_formats.py \
    "$tools/pytest-8.3.4/testing/example_scripts/junit-10.xsd" \
    "$tools/package/dist/src/mutation-testing-report-schema.json" "$folder"
