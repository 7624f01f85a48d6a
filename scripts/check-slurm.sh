#!/usr/bin/env bash
# A run in 16 shares on a real Slurm (one node on loopback, in a folder of its own), with tasks killed and requeued at random:
# the merged run has the bytes of a single one. Needs root and slurmctld, slurmd, munged (Debian: slurmctld slurmd munge).
# usage: check-slurm.sh [--if-possible] [TAMPER]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/needs.sh
PATH=$PATH:/usr/sbin
needs slurmctld slurmd munged sbatch
[ "$(id -u)" = 0 ] || lacks "needs root"
TAMPER=$(realpath "${1:-target/release/tamper}")
export TAMPER
dir=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done; wait; rm -rf "$dir"' EXIT
mkdir -m 755 "$dir/munge"
mkdir "$dir/state" "$dir/spool"
head -c 1024 /dev/urandom > "$dir/munge.key"
chmod 400 "$dir/munge.key"
munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
    --log-file="$dir/munge.log" --seed-file="$dir/munge/seed" 2> "$dir/munge.txt" &
pids+=($!)
host=$(hostname -s)
cat > "$dir/slurm.conf" <<CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${SLURM_PORT:-16817}
SlurmdPort=$((${SLURM_PORT:-16817} + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=1,sched_interval=1
KillWait=1
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
CONF
export SLURM_CONF=$dir/slurm.conf
slurmctld -D -c 2> "$dir/slurmctld.log" &
pids+=($!)
slurmd -D 2> "$dir/slurmd.log" &
pids+=($!)
for _ in $(seq 60); do sinfo -h -o %t 2> /dev/null | grep -q '^idle' && break; sleep 1; done
sinfo -h -o %t | grep -q '^idle' || { cat "$dir"/*.log; exit 1; }

# Each mutant is decided on its own, so that a share takes seconds and can be killed on its way.
model=$(realpath "case-studies/${CASE_STUDY:-cas}/model.xml")
options=(--order 2 --sample "${SAMPLE:-200000}" --engine enumerate --static off --threads 1)
read -r array merge < <(SBATCH_ARGS="${SBATCH_ARGS:---cpus-per-task=1}" scripts/cluster/slurm-submit.sh 16 "$dir/run" "$model" "${options[@]}")
echo "array $array of 16 shares, then job $merge"
killed=0 requeued=0
while squeue -h -o %i -j "$array,$merge" 2> /dev/null | grep -q .; do
    sleep 0.$((RANDOM % 9 + 1))
    task=$(squeue -h -r -t R -o %i -j "$array" 2> /dev/null | shuf -n 1)
    [ -n "$task" ] && [ $((killed + requeued)) -lt "${KILLS:-24}" ] || { sleep 1; continue; }
    if [ $((RANDOM % 2)) = 0 ]; then
        # The process itself, as the system does for want of memory.
        pid=$(pgrep -f -- "classify .* --shard ${task#*_}/16 --out $dir/run.shares" | shuf -n 1 || true)
        [ -n "$pid" ] && kill -KILL "$pid" 2> /dev/null && killed=$((killed + 1))
    else
        # The whole task, as a cluster does for a job that is more urgent.
        scontrol requeue "$task" 2> /dev/null && requeued=$((requeued + 1))
    fi
done
echo "$killed processes killed, $requeued tasks requeued"
cat "$dir/run.shares/logs/merge.txt" | tail -n 1
"$TAMPER" classify "$model" "${options[@]}" --out "$dir/single" --quiet > /dev/null
diff -r "$dir/single" "$dir/run"
for file in "$dir/single"/*; do echo "$(basename "$file"): $(wc -c < "$file") bytes, those of a single run"; done
