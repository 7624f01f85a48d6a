//! Files that come with a program: completions for shells, manual pages, and adapters to begin with.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::exit::ExitCode;
use super::headings;
use super::terminal::Terminal;
use crate::cli::arguments::packaging_args::{AdapterLanguage, CompletionsArgs, ManArgs, NewAdapterArgs};
use tamper::experiment::{FolderLock, write_file};

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs, terminal: &Terminal) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut headings::command(), "tamper", &mut text);
    terminal.part(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::Yes)
}

/// Writes the manual pages.
pub fn man(args: &ManArgs, terminal: &Terminal) -> Result<ExitCode> {
    let _lock = FolderLock::make(&args.out)?;
    let mut command = headings::command();
    command.build();
    let mut n = 1;
    page(&args.out, &command, "tamper")?;
    for one in command
        .get_subcommands()
        .filter(|one| !one.is_hide_set() && one.get_name() != "help")
    {
        page(&args.out, one, &format!("tamper-{}", one.get_name()))?;
        n += 1;
    }
    terminal.note(&format!("{n} pages in {}", args.out.display()));
    Ok(ExitCode::Yes)
}

fn page(folder: &Path, command: &clap::Command, name: &str) -> Result<()> {
    let man = clap_mangen::Man::new(command.clone()).title(name);
    let mut text = Vec::new();
    man.render(&mut text).context("a page cannot be made")?;
    Ok(write_file(&folder.join(format!("{name}.1")), text)?)
}

/// A file of a kit: its name, below the folder of the adapter, and its text.
type KitFile = (&'static str, &'static str);

const C_KIT: KitFile = ("tamper_sut.h", include_str!("../../examples/adapters/tamper_sut.h"));
const JAVA_KIT: KitFile = ("TamperSut.java", include_str!("../../examples/adapters/TamperSut.java"));

/// The kit for Node, and the package of an adapter that uses it.
const NODE_KIT: [KitFile; 9] = [
    ("package.json", include_str!("adapters/package.json")),
    (
        "tamper-sut/package.json",
        include_str!("../../packages/node/package.json"),
    ),
    ("tamper-sut/index.js", include_str!("../../packages/node/index.js")),
    (
        "tamper-sut/lib/fraction.js",
        include_str!("../../packages/node/lib/fraction.js"),
    ),
    (
        "tamper-sut/lib/generation.js",
        include_str!("../../packages/node/lib/generation.js"),
    ),
    (
        "tamper-sut/lib/output.js",
        include_str!("../../packages/node/lib/output.js"),
    ),
    (
        "tamper-sut/lib/real.js",
        include_str!("../../packages/node/lib/real.js"),
    ),
    (
        "tamper-sut/lib/system.js",
        include_str!("../../packages/node/lib/system.js"),
    ),
    (
        "tamper-sut/lib/virtual.js",
        include_str!("../../packages/node/lib/virtual.js"),
    ),
];

/// The kit for asyncio: the adapter's `tamper.sut`.
const ASYNCIO_KIT: [KitFile; 3] = [
    (
        "tamper/__init__.py",
        "\"\"\"The part of tamper's Python package that an adapter needs.\"\"\"\n",
    ),
    (
        "tamper/sut.py",
        include_str!("../../packages/python/python/tamper/sut.py"),
    ),
    (
        "tamper/_virtual_loop.py",
        include_str!("../../packages/python/python/tamper/_virtual_loop.py"),
    ),
];

/// An adapter to begin with.
struct AdapterTemplate {
    /// The usual name of its file.
    file: &'static str,
    text: &'static str,
    /// The files beside it.
    kit: &'static [KitFile],
    /// Its command, and what is to be done in the folder before it runs.
    command: &'static str,
}

impl NewAdapterArgs {
    /// With a kit, one text serves both clocks.
    fn template(&self) -> AdapterTemplate {
        let real = self.real;
        let (file, text, kit, command): (_, _, &[KitFile], _) = match self.language {
            AdapterLanguage::Python => {
                let text = match real {
                    true => include_str!("../../examples/adapters/real_time.py"),
                    false => include_str!("../../examples/adapters/adapter.py"),
                };
                ("adapter.py", text, &[], "python3 adapter.py")
            }
            AdapterLanguage::C => (
                "adapter.c",
                include_str!("../../examples/adapters/adapter.c"),
                &[C_KIT],
                "./adapter, after: cc -o adapter adapter.c",
            ),
            AdapterLanguage::Java => (
                "Adapter.java",
                include_str!("../../examples/adapters/Adapter.java"),
                &[JAVA_KIT],
                "java Adapter, after: javac Adapter.java TamperSut.java",
            ),
            // The kit itself is a package, which cargo fetches.
            AdapterLanguage::Rust => (
                "src/main.rs",
                include_str!("../../examples/adapters/adapter.rs"),
                &[("Cargo.toml", include_str!("adapters/rust.toml"))],
                "target/debug/adapter, after: cargo build",
            ),
            AdapterLanguage::Tokio => (
                "src/main.rs",
                include_str!("../../examples/adapters/tokio.rs"),
                &[("Cargo.toml", include_str!("adapters/tokio.toml"))],
                "target/debug/adapter, after: cargo build",
            ),
            AdapterLanguage::Node => (
                "adapter.js",
                include_str!("../../examples/adapters/node.js"),
                &NODE_KIT,
                "node adapter.js, after: npm install",
            ),
            AdapterLanguage::Asyncio => (
                "adapter.py",
                include_str!("../../examples/adapters/asyncio_loop.py"),
                &ASYNCIO_KIT,
                "python3 adapter.py",
            ),
        };
        AdapterTemplate {
            file,
            text,
            kit,
            command,
        }
    }
}

/// Writes an adapter to begin with: into a folder with its kit; as a file, beside which a kit of a single file is written; or to standard
/// output.
pub fn new_adapter(args: &NewAdapterArgs, terminal: &Terminal) -> Result<ExitCode> {
    let AdapterTemplate {
        file,
        text,
        kit,
        command,
    } = args.template();
    match &args.out {
        Some(folder) if folder.extension().is_none() => {
            let files: Vec<KitFile> = kit.iter().copied().chain([(file, text)]).collect();
            if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
                bail!("{} is there already: name another folder", folder.join(name).display());
            }
            for (name, text) in files {
                write_below(folder, name, text)?;
            }
            terminal.note(&format!("in {}: --sut runs {command}", folder.display()));
        }
        Some(path) => {
            write_file(path, text)?;
            if let (AdapterLanguage::C | AdapterLanguage::Java, [(name, kit)]) = (args.language, kit) {
                write_file(&path.with_file_name(name), kit)?;
            }
        }
        None => {
            terminal.part(text)?;
            match (args.language, kit) {
                (AdapterLanguage::C | AdapterLanguage::Java, [(name, _)]) => {
                    terminal.note(&format!("it needs {name}, which --out writes beside it"));
                }
                (AdapterLanguage::Node | AdapterLanguage::Asyncio, _) => {
                    terminal.note("it needs a kit, which --out DIR writes beside it");
                }
                _ => {}
            }
        }
    }
    Ok(ExitCode::Yes)
}

/// Writes the file `name` below `folder`, which is made if need be.
fn write_below(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    let folder = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    Ok(write_file(&path, text)?)
}
