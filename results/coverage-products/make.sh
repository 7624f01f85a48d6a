#!/usr/bin/env bash
# All combinations of mutations of the studies: results/coverage-products/page.md. The times are this machine's.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --locked --quiet --example coverage_products
{
    echo "# All combinations of mutations"
    printf '\n%s\n' "Which combinations of mutations do the tests for single mutations miss?" "Fewer than one in twenty of those that can be killed, and a few more tests find these."
    echo
    echo "Made by \`results/coverage-products/make.sh\`. The suite is the fewest tests (adaptive, potential kills) that kill every"
    echo "killable mutant of order 1, proved minimal; it is executed on all products of up to that many mutations at once."
    echo "\`undetected\`: products that it misses and some test kills; \`added\`: tests that complete it. The original is a"
    echo "product, too, and conforms. All numbers but the times are exact; at orders 1 and 2 they are compared with"
    echo "enumeration by \`tests/suites/fault_domain.rs\`. \`nodes\`: of the decision diagram of the products that the suite"
    echo "kills; \`classes\`: in which the conforming ones were found (note 0009)."
    echo
    echo "| study | mutations | features | products | conforming | tests | killed | undetected | score | added | nodes | classes | s |"
    echo "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    target/release/examples/coverage_products potential coffee hotel mutex wfas
    echo
    echo "## Definite kills"
    echo
    echo "Products of which every run can be made to fail. \`only potentially\`: some test can fail them, but they can always"
    echo "avoid it; \`undecided\`: not known, since some of their edges overlap. \`killed\`: by the same suite, definitely;"
    echo "\`added\`: strategies that kill all that can be killed so; \`classes\`: of products excluded together. All combinations"
    echo "of WFAS are left out: after 90 seconds, with 9,721 classes of products that can avoid to fail, there were more."
    echo
    echo "| study | mutations | products | killable | only potentially | undecided | killed | added | classes | s |"
    echo "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    target/release/examples/coverage_products definite coffee hotel mutex wfas
    echo
    echo "## By clauses"
    echo
    echo "All combinations, potential kills, without sets of products (note 0009): nothing is counted, so that nothing gets too"
    echo "large. \`added\`: tests that complete the same suites; \`states\`: of the graph of all runs; \`excluded\`: how often"
    echo "products were met that no test kills. \`compared\`: of 1,000 products, half of them of few mutations and half of many,"
    echo "those that some test kills by a game of their own; the completed suite kills these, and no other one."
    echo
    echo "| study | features | tests | added | states | clauses | excluded | s | compared |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    target/release/examples/coverage_products clauses coffee hotel mutex wfas accel cas
} >results/coverage-products/page.md
