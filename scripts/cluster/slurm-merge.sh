#!/usr/bin/env bash
# The job behind a Slurm array: merges its shares. Submitted by slurm-submit.sh, with the arguments of merge.sh.
#SBATCH --job-name=tamper-merge
#SBATCH --ntasks=1
set -euo pipefail
exec "$TAMPER_CLUSTER/merge.sh" "$@"
