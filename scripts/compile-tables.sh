#!/usr/bin/env bash
# Compiles results/tables.tex to target/tables/tables.pdf. Needs pdflatex with booktabs and geometry
# (Debian: apt-get install texlive-latex-base texlive-latex-recommended); not part of the checks of every change.
set -euo pipefail
cd "$(dirname "$0")/../results"
mkdir -p ../target/tables
pdflatex -halt-on-error -interaction=nonstopmode -output-directory ../target/tables tables.tex
