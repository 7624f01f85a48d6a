#!/bin/sh
# Everything: suites, nginx right and with ten faults, results.md. TAMPER: the program; the rest goes to study.py.
set -eu
command -v nginx >/dev/null || { echo "nginx is missing: apt-get install nginx-light" >&2; exit 2; }
exec python3 "$(dirname "$0")/study.py" --tamper "${TAMPER:-tamper}" "$@"
