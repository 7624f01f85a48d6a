"""The cases of examples/regressions: what they are, and how their programs are installed."""
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "examples" / "regressions"
# What every program under Node is installed with.
TIMERS = "@sinonjs/fake-timers@15.5.0"


@dataclass
class Case:
    """A case.toml. `set`: choosing or judging; `time`: options of `tamper run` about time; `command`: what runs the adapter."""

    name: str
    issue: str
    kind: str
    set: str
    language: str
    package: str
    good: str
    bad: str
    fault: str
    shows: str  # What it takes to see the fault.
    time: str = "--accelerated"
    command: str = ""
    like: str = ""  # The case whose model and adapter it has, if not its own.
    besides: list = field(default_factory=list)  # Packages that it needs besides; of Rust, lines of dependencies.
    features: list = field(default_factory=list)  # Of a Rust package.
    suites: list = field(default_factory=list)  # Of Debian, where its package of Python is.

    @property
    def folder(self):
        return CASES / (self.like or self.name)

    @property
    def model(self):
        return self.folder / "model.xml"

    @property
    def adapter(self):
        return next(self.folder.glob("adapter.*"))

    def lines(self):
        """Lines of the adapter that hold something."""
        return sum(bool(line.strip()) for line in self.adapter.read_text().splitlines())


def read_cases(only):
    found = []
    for file in sorted(CASES.glob("*/case.toml")):
        if not only or file.parent.name in only:
            found.append(Case(name=file.parent.name, **tomllib.loads(file.read_text())))
    return found


def read_strategies():
    return tomllib.loads((CASES / "strategies.toml").read_text())["strategy"]


def call(words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600, **options)
    if done.returncode:
        sys.exit(f"{words}:\n{done.stdout}{done.stderr}")


def install_rust(case, version, folder, adapter):
    """Builds the adapter as a package of its own; both versions share what is built below the folder's parent."""
    (folder / "src").mkdir()
    shutil.move(adapter, folder / "src" / "main.rs")
    lines = [
        '[workspace]\n[package]\nname = "adapter"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]',
        f'tamper-sut = {{ path = "{ROOT / "packages" / "rust"}", features = ["tokio"] }}',
        f'{case.package} = {{ version = "={version}", features = {case.features} }}',
        *case.besides,
    ]
    (folder / "Cargo.toml").write_text("\n".join(lines) + "\n")
    built = folder.parent / f"{case.name}-target"
    call(["cargo", "build", "--release", "--quiet"], cwd=folder, env={**os.environ, "CARGO_TARGET_DIR": str(built)})
    program = shutil.copy(built / "release" / "adapter", folder)  # The next version is built in its place.
    return f"'{program}'"


def unpack_debian(case, version, folder):
    """Unpacks a package of Debian's archive, of whatever suite; nothing is installed on this machine. Where its modules are."""
    apt = folder.parent / "apt"
    places = {"Etc::SourceList": apt / "sources.list", "Etc::SourceParts": "/dev/null", "State::Lists": apt / "lists", "Cache": apt / "cache"}
    apt_get = ["apt-get", "--option=Acquire::Languages=none", *(f"--option=Dir::{name}={place}" for name, place in places.items())]
    if not apt.exists():
        (apt / "lists" / "partial").mkdir(parents=True)
        (apt / "cache" / "archives" / "partial").mkdir(parents=True)
        asked = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"]
        archive = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()[0]
        places["Etc::SourceList"].write_text("".join(f"deb {archive} {suite} main\n" for suite in case.suites))
        call([*apt_get, "update"])
    call([*apt_get, "download", f"{case.package}={version}"], cwd=folder)
    call(["dpkg-deb", "--extract", next(folder.glob("*.deb")), folder / "deb"])
    return folder / "deb" / "usr" / "lib" / "python3" / "dist-packages"


def install(case, version, folder):
    """Installs a version into a fresh folder; the command that runs the adapter with it."""
    folder.mkdir(parents=True)
    adapter = shutil.copy(case.adapter, folder)
    if case.language == "node":
        (folder / "package.json").write_text('{ "private": true }\n')
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--install-links"]
        call(["npm", "install", *quiet, ROOT / "packages" / "node", TIMERS, f"{case.package}@{version}", *case.besides], cwd=folder)
        program = folder / case.command if case.command else "node"
        return f"'{program}' '{adapter}'"
    if case.language == "rust":
        return install_rust(case, version, folder, adapter)
    call([sys.executable, "-m", "venv", folder / "venv"])
    pip = [folder / "venv" / "bin" / "pip", "install", "--quiet"]
    path = str(ROOT / "packages" / "python" / "python")
    if case.language == "debian":
        call([*pip, *case.besides])
        path += f":{unpack_debian(case, version, folder)}"
    else:
        call([*pip, f"{case.package}=={version}", *case.besides])
    return f"PYTHONPATH='{path}' '{os.path.join(folder, 'venv', 'bin', 'python')}' '{adapter}'"
