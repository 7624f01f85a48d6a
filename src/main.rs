//! The `tamper` command.

fn main() -> std::process::ExitCode {
    tamper::cli::run(std::env::args_os()).into()
}
