#!/usr/bin/env bash
# Packs a built tamper for a release: an archive, and its SHA-256 sum in a file beside it.
# usage: release-archive.sh BINARY TARGET FOLDER    e.g. target/x86_64-unknown-linux-musl/release/tamper x86_64-unknown-linux-musl dist
set -euo pipefail
binary=$(realpath "$1") target=$2
mkdir -p "$3"
folder=$(realpath "$3")
cd "$(dirname "$0")/.."
version=$("$binary" --version | cut -d' ' -f2)
grep -q "^version = \"$version\"$" Cargo.toml || { echo "release-archive: the binary says $version, Cargo.toml another version" >&2; exit 1; }
case $target in
    # A binary for musl asks nothing of the system that runs it.
    *-musl) ! readelf --program-headers "$binary" | grep -q INTERP || { echo "release-archive: $binary is linked dynamically" >&2; exit 1; } ;;
esac
name=tamper-v$version-$target
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/$name/completions" "$dir/$name/man"
cp "$binary" "$dir/$name/tamper"
cp README.md CHANGELOG.md CITATION.cff LICENSE-APACHE LICENSE-MIT "$dir/$name"
"$binary" man --out "$dir/$name/man" --quiet
for shell in bash zsh fish; do
    "$binary" completions "$shell" > "$dir/$name/completions/tamper.$shell"
done
# The same binary gives the same bytes, whoever packs it and when.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"$(git log -1 --format=%ct)" -C "$dir" -cf - "$name" | gzip -n9 > "$folder/$name.tar.gz"
(cd "$folder" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
