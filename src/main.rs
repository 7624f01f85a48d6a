//! The `tamper` command.

use cap::Cap;
use mimalloc::MiMalloc;

mod cli;

/// Counts allocated bytes, for `--max-memory`; nothing is refused here.
#[global_allocator]
static MEMORY: Cap<MiMalloc> = Cap::new(MiMalloc, usize::MAX);

/// Bytes of a process that has allocated nothing: the resident part of its code, tables and stacks.
const PROGRAM: u64 = 8 << 20;

fn main() -> std::process::ExitCode {
    tamper::text::count_memory(|| PROGRAM + MEMORY.allocated() as u64);
    cli::run(std::env::args_os()).into()
}
