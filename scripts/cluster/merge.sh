#!/usr/bin/env bash
# Merges the shares of a run of `tamper classify`. The options are those of the shares: what says how the model is read goes on to
# `tamper merge`, all else stands in the shares.
# usage: merge.sh N DIR OUT MODEL [OPTION...]    (share K is in DIR/K)
set -euo pipefail
n=$1 dir=$2 out=$3 model=$4
shift 4
reading=()
while [ $# -gt 0 ]; do
    case $1 in
        --network | --system=* | --environment=* | --internal=* | --observe=* | --io=* | --input-enabling=* | --config=*)
            reading+=("$1") ;;
        --system | --environment | --internal | --observe | --io | --input-enabling | --config)
            reading+=("$1" "$2")
            shift ;;
    esac
    shift
done
folders=()
for ((k = 1; k <= n; k++)); do folders+=("$dir/$k"); done
exec "${TAMPER:-tamper}" merge "${folders[@]}" --model "$model" --out "$out" "${reading[@]}"
