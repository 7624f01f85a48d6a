#!/usr/bin/env bash
# Decides the mutants of a model on a Slurm cluster: an array of N shares, then one job that merges them into OUT.
# usage: slurm-submit.sh N OUT MODEL [OPTION of classify...]     e.g. slurm-submit.sh 16 tamper.out model.xml --order 2
# Shares lie in OUT.shares/, their logs too; TAMPER is the program (default: tamper on the path), which all nodes must see,
# SBATCH_ARGS more words for sbatch, e.g. '--time=2:00:00 --cpus-per-task=8'. Prints the ids of both jobs.
set -euo pipefail
[ $# -ge 3 ] && [[ $1 =~ ^[1-9][0-9]*$ ]] || { sed -n '2,5p' "$0" | cut -c3- >&2; exit 2; }
n=$1 out=$2 model=$(realpath -- "$3")
shift 3
TAMPER=$(command -v "${TAMPER:-tamper}")
TAMPER_CLUSTER=$(cd "$(dirname "$0")" && pwd)
export TAMPER TAMPER_CLUSTER
mkdir -p -- "$out.shares/logs"
shares=$(realpath -- "$out.shares")
read -ra more <<< "${SBATCH_ARGS:-}"
logs=${shares//%/%%}/logs # a `%` in a name of a log stands for something, two of them for itself
array=$(sbatch --parsable --array="1-$n" --output="$logs/%a.txt" "${more[@]}" \
    "$TAMPER_CLUSTER/slurm-task.sh" "$shares" "$model" "$@")
# Words of a user reach the jobs as arguments only: no shell reads them again.
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --output="$logs/merge.txt" "${more[@]}" \
    "$TAMPER_CLUSTER/slurm-merge.sh" "$n" "$shares" "$(realpath -m -- "$out")" "$model" "$@")
echo "$array $merge"
