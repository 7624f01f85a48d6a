#!/usr/bin/env bash
# Lines of code per room: without comments, blank lines and tests (`tests.rs`, and what follows `mod tests {`).
#
# Usage: scripts/lines.sh [REVISION]     without one: the files as they are
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    git archive "$1" | tar -x -C "$folder"
    cd "$folder"
fi
find src crates -name '*.rs' 2> /dev/null | grep -E '(^|/)src/' | grep -vE '(^|/)tests(\.rs$|/)' | sort | xargs awk '
    FNR == 1 {
        over = 0
        n = split(FILENAME, part, "/")
        room = part[1] == "crates" ? "crates/" part[2] : n > 2 ? part[2] : "(root)"
        files[room]++
        n_files++
    }
    /^mod tests \{/ { over = 1 }
    !over && !/^[[:space:]]*(\/\/.*)?$/ { lines[room]++; all++ }
    END {
        for (room in files) printf "%-20s %4d files %7d lines\n", room, files[room], lines[room] | "sort"
        close("sort")
        printf "%-20s %4d files %7d lines\n", "all", n_files, all
    }'
