# What continuous integration runs (`.ci/run`), and its parts.

# Everything.
check: fmt clippy test doc

fmt:
    cargo fmt --all --check

clippy:
    cargo clippy --workspace --all-targets --locked -- -D warnings

test:
    cargo test --locked -p tamper-zones -p tamper-features -p tamper-game --lib --test differential
    cargo test --release --locked

doc:
    RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --locked

bench:
    cargo bench --locked

# Peak memory and wall time of the binary on every study.
memory:
    scripts/bench.sh
