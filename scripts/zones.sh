#!/usr/bin/env bash
# Zone operations, before there were kernels per dimension and now, in one run: writes results/zones.md. Takes some
# minutes; a machine that does little else gives steadier figures, though the two take turns and the fastest pass counts.
set -euo pipefail
cd "$(dirname "$0")/.."

tables=$(cargo bench --quiet --locked -p tamper-zones --bench compare)
{
    echo "# Zone operations, before and now"
    echo
    echo "Made by \`scripts/zones.sh\`. *Before*: the zones as they were without kernels per dimension (\`crates/zones/benches/compare/old\`, frozen). Both do the same on the same 192 operands,"
    echo "in turns, and every bound of every result is compared, also the order of the zones of a union; a figure is the fastest pass over 16 operands, averaged. *dim* counts the reference clock."
    echo "Operations from *up* to *extrapolate*, *intersect* and *constrain* include the copy of their operand (*copy*), *close* the copy of the draft. Unions have four zones; what is said of them includes the copy of the first (*fed copy*) where it changes."
    echo "*pieces*: zones in all results of *safe_past*. Passes of each: ${ROUNDS:-9}."
    echo
    echo "$tables"
} >results/zones.md
