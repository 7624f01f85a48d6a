#!/usr/bin/env bash
# Builds the book with mdBook, and follows every link inside what was built: files, anchors, pictures. (Links in the sources are
# checked by `cargo test --test all documents`, which needs no mdBook.)
# usage: check-book.sh [--if-possible]    needs Python, and cargo's package index for the first time; mdBook is kept in target/mdbook
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
needs python3
version=0.5.4
root=$(realpath -m "${CARGO_TARGET_DIR:-target}")/mdbook/$version
if [ ! -x "$root/bin/mdbook" ]; then
    # A minute and a half on two cores, once.
    mkdir -p "$root"
    cargo install mdbook --locked --quiet --version "$version" --no-default-features --root "$root" --target-dir "$root/build" > "$root/install.txt" 2>&1 ||
        lacks "mdBook cannot be installed: $(tail -n 1 "$root/install.txt")"
    rm -rf "$root/build"
fi
book=$(realpath -m target/book)
rm -rf "$book"
"$root/bin/mdbook" build --dest-dir "$book" docs/book 2>&1 | tee "$root/build.txt"
! grep -q 'WARN\|ERROR' "$root/build.txt" || exit 1
python3 scripts/check_book.py "$book"
