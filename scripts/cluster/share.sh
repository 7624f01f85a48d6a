#!/usr/bin/env bash
# One share of a run of `tamper classify`: starts it, or goes on where a killed task of the same share stopped.
# usage: share.sh K N DIR MODEL [OPTION...]    (the share is in DIR/K)
set -euo pipefail
index=$1 of=$2 dir=$3 model=$4
shift 4
resume=()
[ -f "$dir/$index/manifest.json" ] && resume=(--resume)
exec "${TAMPER:-tamper}" classify "$model" "$@" --shard "$index/$of" --out "$dir/$index" --quiet "${resume[@]}" > /dev/null
