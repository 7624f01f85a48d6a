#!/usr/bin/env bash
# A task of a Slurm array: one share. Submitted by slurm-submit.sh, with the arguments DIR MODEL [OPTION...].
# A minute before the walltime ends, Slurm asks this shell to end; the share is then told so and goes on in a later task.
#SBATCH --job-name=tamper
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
set -uo pipefail
asked=
trap 'asked=1; kill -TERM "$share" 2> /dev/null' TERM
"$TAMPER_CLUSTER/share.sh" "$SLURM_ARRAY_TASK_ID" "$SLURM_ARRAY_TASK_COUNT" "$@" &
share=$!
wait "$share"
code=$?
# A signal ends the first wait, not the share.
while kill -0 "$share" 2> /dev/null; do
    wait "$share"
    code=$?
done
# Asked to end, or killed (by the system, for want of memory): again, from where it stopped. What tamper itself says (1, 2, 3) stays.
if { [ "$code" -gt 128 ] || { [ -n "$asked" ] && [ "$code" -ne 0 ]; }; } && [ "${SLURM_RESTART_COUNT:-0}" -lt "${TAMPER_RESTARTS:-20}" ]; then
    exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
# 1 and 3 are answers: a guideline is unsound, some verdict is unknown. The merged run says so again.
case $code in 1 | 3) exit 0 ;; *) exit "$code" ;; esac
