#!/usr/bin/env bash
# Suites for the case studies: results/killing/page.md. Usage: results/killing/make.sh [PLAYS [SAMPLE]]; times go to standard error.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --locked --example killing
target/release/examples/killing "$@" >results/killing/page.md.new
mv results/killing/page.md.new results/killing/page.md
