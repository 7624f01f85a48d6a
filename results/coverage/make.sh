#!/usr/bin/env bash
# Suites completed for generated mutation machines: results/coverage/page.md and coverage-growth.csv.
# Usage: results/coverage/make.sh [SEED]; needs Linux (peak memory is read from /proc). The times are this machine's.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1}
cargo build --release --locked --quiet --example coverage_growth
growth=target/release/examples/coverage_growth

"$growth" header >results/coverage/coverage-growth.csv
for n in 10 20 50 100 200 500 1000 1500 2000; do
    "$growth" grow "$n" "$seed" | tee -a results/coverage/coverage-growth.csv
done

{
    echo "# Coverage of mutation machines"
    printf '\n%s\n' "How long does it take to complete the suite of a mutation machine?" "Milliseconds for a machine of the profile of [000], seconds for one of 10^518 mutants."
    echo
    echo "Made by \`results/coverage/make.sh $seed\`. All machines are generated from the seed; nothing but the times and the"
    echo "memory depends on the machine this ran on."
    echo
    echo "## The profile of [000], section 4"
    echo
    echo "14 states, 24 inputs, 336 transitions, 12 suspicious sets of 3 and 17 of 2: 3^12 * 2^17 machines. The paper's"
    echo "controller itself is not published; this one is random. Its suite had 31 tests of 4 to 25 inputs and 69 clauses."
    echo
    "$growth" prefixes "$seed"
    echo
    echo "## Growth with the number of mutated transitions"
    echo
    echo "60 states, 24 inputs, 2 outputs (1,440 transitions). \`seconds\`: from no test to a complete suite; \`proof\`: a"
    echo "second solver shows that it is complete; \`inf\` executions: a test described by positions instead."
    echo
    sed -e 's/,/ | /g; s/^/| /; s/$/ |/' -e '1{p;s/[^|]\+/--:/g}' results/coverage/coverage-growth.csv
} >results/coverage/page.md
