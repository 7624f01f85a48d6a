//! The transcripts of the README are what the commands print.

use std::path::Path;
use std::process::Command;

/// The commands of the console blocks that run tamper, each with what the README shows of its output.
fn transcripts(readme: &str) -> Vec<(Vec<String>, String)> {
    let blocks = readme
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let shown = blocks.filter_map(|block| {
        let (command, output) = block.strip_prefix("$ ")?.split_once('\n')?;
        let args = command
            .strip_prefix("cargo run --release -- ")
            .or(command.strip_prefix("tamper "))?;
        Some((args.split(' ').map(str::to_owned).collect(), output.to_owned()))
    });
    shown.collect()
}

#[test]
fn every_transcript_of_the_readme_is_what_tamper_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let transcripts = transcripts(&readme);
    assert_eq!(transcripts.len(), 3);
    let folder = tempfile::tempdir().expect("a folder for the results");
    for (args, shown) in transcripts {
        let args: Vec<_> = args
            .iter()
            .map(|arg| {
                if arg.ends_with(".xml") {
                    root.join(arg).into()
                } else {
                    arg.into()
                }
            })
            .collect();
        let args: &[std::ffi::OsString] = &args;
        let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
            .args(args)
            .current_dir(folder.path())
            .output();
        let output = output.expect("tamper runs");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            shown,
            "{args:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
