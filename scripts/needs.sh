# To be sourced by checks that need other programs: takes --if-possible from the words, with which what is lacking is said
# and is no failure.
name=$(basename "$0" .sh)
# The make.sh of a page is called as its folder.
[ "$name" != make ] || name=$(basename "$(dirname "$0")")
if_possible=
[ "${1:-}" = --if-possible ] && { if_possible=1; shift; }
lacks() {
    echo "$name: $1"
    [ -n "$if_possible" ] && exit 0 || exit 2
}
needs() {
    local program
    for program in "$@"; do
        command -v "$program" > /dev/null || lacks "needs $program"
    done
}
