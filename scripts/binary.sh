# To be sourced in the repository's root: `tamper` is the release binary that TAMPER names; without it one is built.
tamper=${TAMPER:-}
if [ -z "$tamper" ]; then
    cargo build --release --locked || exit 2
    tamper=target/release/tamper
fi
tamper=$(realpath "$tamper")
