#!/usr/bin/env bash
# Suites for the case studies: results/killing.md. Usage: scripts/killing.sh [PLAYS [SAMPLE]]; times go to standard error.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked --example killing
target/release/examples/killing "$@" >results/killing.md.new
mv results/killing.md.new results/killing.md
