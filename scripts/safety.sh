#!/usr/bin/env bash
# Files are never lost: tries to overwrite every kind of input with every kind of output, through links and other spellings,
# and to have folders removed that tamper did not make. Prints a Markdown table: command, exit code, message, and the
# checksum of what is at stake before and after. Exits with 1 if something was lost or not refused.
# TAMPER names a release binary; without it one is built.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/binary.sh
root=$PWD
work=$(mktemp -d)
holder=
trap '[ -n "$holder" ] && kill "$holder" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
failures=0

# sum PATH: the checksum of a file, or of all names and files of a folder.
sum() {
    if [ -d "$1" ]; then
        (cd "$1" && find . -not -name .tamper.lock | LC_ALL=C sort | while read -r f; do
            echo "$f"
            [ -f "$f" ] && sha256sum <"$f"
        done) | sha256sum | cut -c1-12
    elif [ -e "$1" ]; then
        sha256sum <"$1" | cut -c1-12
    else
        echo "-"
    fi
}

# row CODE KEPT WORDS...: runs tamper; it must exit with CODE and leave KEPT as it is.
row() {
    local code=$1 kept=$2 before after got message
    shift 2
    before=$(sum "$kept")
    message=$("$tamper" "$@" --quiet 2>&1 >out.txt)
    got=$?
    after=$(sum "$kept")
    message=$(printf '%s' "$message" | head -1 | tr '|' '/' | sed "s#$work/##g")
    printf '| `%s` | %s | %s | `%s` | %s | %s |\n' "$(printf '%s' "$*" | sed "s#$work/##g")" "$got" "$message" "$kept" "$before" "$after"
    if [ "$got" != "$code" ] || [ "$before" != "$after" ]; then
        echo "FAILED: expected exit code $code and $kept unchanged" >&2
        failures=$((failures + 1))
    fi
}
quiet() { "$tamper" "$@" --quiet >/dev/null || [ $? -eq 1 ] || exit 2; }
head_of() {
    printf '\n## %s\n\n| command | exit | message | at stake | before | after |\n|---|---|---|---|---|---|\n' "$1"
}

cp "$root/uppaal-models/lamp.xml" m.xml
cp "$root/examples/machines/running-example.fsm" m.fsm
cp "$root/examples/machines/running-example.suite" m.suite
quiet testgen m.xml --operators TMI --out s.json
quiet fmm m.xml --operators TMI --out line
quiet classify m.xml --operators TMI --out run
quiet export m.xml --mutants run --as ecdar-json --out project
mkdir sub
ln -s m.xml soft.xml
ln m.xml hard.xml
ln -s "$work" sub/up

echo "# Files are never lost"
head_of "An output in the place of an input"
row 2 m.xml draw m.xml --out m.xml
row 2 m.xml testgen m.xml --out m.xml
row 2 run testgen m.xml --mutants run --out run/s.json
row 2 m.fsm coverage m.fsm m.suite --suite complete --out m.fsm
row 2 m.suite coverage m.fsm m.suite --suite complete --out m.suite
row 2 m.suite coverage m.fsm m.suite --suite complete --journal m.suite
row 2 line coverage line/fmm.xml --features line/features.uvl --against m.xml --suite complete --out line/features.uvl
row 2 s.json minimise s.json m.xml --out s.json
row 2 m.xml minimise s.json m.xml --out m.xml
row 2 m.xml score s.json m.xml --stryker m.xml
row 2 s.json score s.json m.xml --stryker s.json
row 2 s.json run s.json --against m.xml --junit s.json
row 2 m.xml run s.json --against m.xml --junit m.xml
row 2 line project line/fmm.xml --features line/features.uvl --out line/fmm.xml
row 2 line features line/features.uvl --out line/features.uvl
row 2 line fmm line/fmm.xml --features line/features.uvl --out line
row 2 run export m.xml --mutants run --out run
row 2 project classify project --out project
row 2 project classify project --out project/Components/x
sed 's/"t1"/"m"/g' s.json >named.json
row 2 m.xml view named.json m.xml --only m --out .

head_of "The same file by another name"
for name in ./m.xml sub/../m.xml sub/up/m.xml soft.xml hard.xml "$work/m.xml"; do
    row 2 m.xml draw m.xml --out "$name"
    row 2 m.xml draw "$name" --out m.xml
done

head_of "Two outputs in one place"
row 2 m.fsm coverage m.fsm --suite complete --out a --journal ./a
row 2 m.fsm coverage m.fsm --suite complete --out a.old --journal a
row 2 m.xml reproduce wfas --order 1 --out m.xml

head_of "Links are followed and kept; devices are written to"
mkdir far
ln -s far/m.svg near.svg
ln -s far/run near
row 0 m.xml draw m.xml --out near.svg
row 0 m.xml classify m.xml --operators TMI --out near
row 0 m.xml classify m.xml --operators TMI --out near
[ -L near.svg ] && [ -L near ] && [ -f far/m.svg ] && [ -d far/run.old ] || failures=$((failures + 1))
row 0 m.xml draw m.xml --out /dev/null
[ -c /dev/null ] || failures=$((failures + 1))

head_of "Folders that tamper did not make"
mkdir q
echo thesis >q/thesis.tex
row 2 q classify m.xml --operators TMI --out q
echo '{"manifest_version": 3}' >q/manifest.json
row 2 q classify m.xml --operators TMI --out q
rm -r q
quiet classify m.xml --operators TMI --out q
mkdir q.old
echo years >q.old/notes.txt
row 2 q.old classify m.xml --operators TMI --out q
touch q.old/lock
row 2 q.old classify m.xml --operators TMI --out q
rm -r q.old
echo notes >q/notes.txt
quiet classify m.xml --operators TMI --out q
row 2 q.old classify m.xml --operators TMI --out q
cp m.xml q/model.xml
row 2 q classify q/model.xml --out q
row 2 q.old export m.xml --mutants q.old --out q

head_of "A folder that another command uses"
mkdir used
if command -v flock >/dev/null; then
    flock used/.tamper.lock sleep 1000 &
    holder=$!
    until ! flock --nonblock used/.tamper.lock true; do sleep 0.1; done
    row 2 used classify m.xml --out used
    row 2 used export m.xml --out used
    row 2 used fmm m.xml --out used
    row 2 used view s.json m.xml --out used
    row 2 used reproduce wfas --order 1 --out used
    pkill -P "$holder"
    kill "$holder" 2>/dev/null
    wait "$holder" 2>/dev/null
    holder=
    row 0 m.xml fmm m.xml --operators TMI --out used
else
    echo "(not tried: there is no flock here)"
fi

head_of "After a kill"
"$tamper" classify m.xml --order 3 --quiet --out killed >/dev/null &
child=$!
until [ -e killed/mutants.jsonl ]; do sleep 0.05; done
kill -KILL "$child"
wait "$child" 2>/dev/null
echo torn >killed/.tamper-0123456789abcdef.part
row 0 m.xml classify m.xml --operators TMI --out killed
row 0 m.xml classify m.xml --operators TMI --out killed
left=$(find killed killed.old -name '.tamper*' | wc -l)
echo
echo "Temporary files left: $left."
[ "$left" = 0 ] || failures=$((failures + 1))
echo
echo "Failures: $failures."
[ "$failures" = 0 ]
