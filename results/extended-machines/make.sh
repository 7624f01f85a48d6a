#!/usr/bin/env bash
# Machines with variables and hierarchy, decided: results/extended-machines/page.md, and suites and proofs of case-studies/damper.
# Usage: results/extended-machines/make.sh; TAMPER names a release binary, without it one is built. Nothing depends on the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/binary.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

show() { # the words of a command of tamper, and what it prints
    echo '```console'
    echo "\$ tamper $*"
    "$tamper" "$@" || true
    echo '```'
    echo
}
study() { # the name of a file of case-studies/damper
    local machine=case-studies/damper/$1.scxml suite=case-studies/damper/$1.suite proof=case-studies/damper/$1.proof
    "$tamper" coverage "$machine" --suite complete,minimised --quiet --out "$suite" --proof "$proof" >/dev/null
    show coverage "$machine" --show count
    show coverage "$machine" "$suite" --show count
    show coverage "$machine" "$suite" --check-proof "$proof"
    awk '!changed && /^refutation [-0-9]/ { $2 = -$2; changed = 1 } 1' "$proof" >"$work/changed.proof"
    echo "The proof ($(wc -l <"$proof") lines) with a sign changed in the first clause that it adds:"
    echo
    echo '```console'
    echo "\$ tamper coverage $machine $suite --check-proof changed.proof"
    "$tamper" coverage "$machine" "$suite" --check-proof "$work/changed.proof" || true
    echo '```'
    echo
    sed '$d' "$suite" >"$work/cut.suite"
    echo "The suite without its last test, and what it misses:"
    echo
    echo '```console'
    echo "\$ tamper coverage $machine cut.suite --show survivors=3"
    "$tamper" coverage "$machine" "$work/cut.suite" --show survivors=3 || true
    echo '```'
    echo
    echo "The fewest tests of all (\`docs/notes/0015-smallest-suites.md\`), and that they are complete:"
    echo
    show coverage "$machine" --suite smallest
    "$tamper" coverage "$machine" --suite smallest --quiet --out "$work/smallest.suite" >/dev/null
    echo '```console'
    echo "\$ tamper coverage $machine smallest.suite --show count"
    "$tamper" coverage "$machine" "$work/smallest.suite" --show count || true
    echo '```'
    echo
}

{
    echo "# Machines with variables and hierarchy"
    printf '\n%s\n' "Are machines with variables and hierarchy decided like plain ones?" "Yes: their mutants are counted, killed and proved equivalent in the same ways, without unfolding them first."
    echo
    echo "Made by \`results/extended-machines/make.sh\`; nothing in it depends on the machine it ran on. The models are described in \`case-studies/damper/README.md\`, how they are decided in"
    echo "\`docs/notes/0014-extended-machines.md\`; \`tests/machines/extended\` compares every answer with enumeration on random machines and charts."
    echo
    echo "## A hierarchical controller of the profile of [000], section 4"
    echo
    study model
    echo "## The same with values"
    echo
    study with-values
    echo "## A machine as text"
    echo
    show coverage examples/machines/purse.efsm --suite complete --show count
} >results/extended-machines/page.md
