//! The process between tamper and a program under test: when tamper ends, however it does, the program and all that it
//! started are ended.
//!
//! tamper starts itself once more, with the program's input and output as its own and, as its standard error, one end of
//! a socket: the *leash*. It leaves the terminal (a session of its own), becomes the parent of every descendant that
//! loses its own (Linux: child subreaper), starts the program, and says on the leash how that ended. When the other end
//! of the leash is closed, which the system does whatever tamper dies of, it kills all descendants and ends.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, setsid, wait};

/// The word by which tamper is told to supervise.
pub const COMMAND: &str = "supervise";

/// How long the descendants are looked for and killed. Killing takes no time, but for a process that the system holds in a
/// device.
const MOST_PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(2);

/// Supervises `command`, a command of the shell, until the leash is dropped.
///
/// # Errors
/// The leash is none, or the program cannot be started.
pub fn supervise(command: &str) -> std::io::Result<()> {
    // A leader of a group cannot; then the terminal's signals may come here as well.
    let _ = setsid();
    adopt_orphans();
    let leash = UnixStream::from(std::io::stderr().as_fd().try_clone_to_owned()?);
    let mut program = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::inherit())
        .stdout(Stdio::inherit())
        .stderr(Stdio::null())
        .spawn()?;
    // The program's input and output end when it does.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    let mut says = leash.try_clone()?;
    std::thread::spawn(move || {
        if let Ok(status) = program.wait() {
            // Nobody may be there to hear it.
            let _ = writeln!(says, "{}", status.into_raw());
        }
    });
    // Nothing is ever said here: the end of it is the news.
    let _ = (&leash).read_to_end(&mut Vec::new());
    end_descendants();
    Ok(())
}

/// A program with its supervisor, as tamper holds it.
pub(super) struct Supervised {
    /// The supervisor.
    pub process: Child,
    leash: UnixStream,
    /// What was said of the program's end so far.
    said: Vec<u8>,
}

impl Supervised {
    /// Starts `supervisor`, which is to be tamper itself, with pipes to the program.
    pub fn start(supervisor: &Path, command: &str) -> std::io::Result<Self> {
        let (leash, end) = UnixStream::pair()?;
        leash.set_nonblocking(true)?;
        let process = Command::new(supervisor)
            .args([COMMAND, command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(OwnedFd::from(end)))
            .spawn()?;
        Ok(Self {
            process,
            leash,
            said: Vec::new(),
        })
    }

    /// How the program ended, if it has.
    pub fn status(&mut self) -> Option<ExitStatus> {
        // It would block until there is more.
        let _ = self.leash.read_to_end(&mut self.said);
        let line = String::from_utf8_lossy(&self.said);
        line.trim().parse().ok().map(ExitStatus::from_raw)
    }

    /// Ends the program and all that it started, and waits for that.
    pub fn end(&mut self) {
        let _ = self.leash.shutdown(Shutdown::Both);
        let deadline = Instant::now() + 2 * MOST_PATIENCE;
        while Instant::now() < deadline && matches!(self.process.try_wait(), Ok(None)) {
            std::thread::sleep(PAUSE);
        }
        // Where descendants cannot be listed, those of its session's group are left.
        if let Some(group) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(target_os = "linux")]
fn adopt_orphans() {
    // Without it a process that leaves its parent and its session is not found at the end.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

#[cfg(not(target_os = "linux"))]
fn adopt_orphans() {}

/// Stops all descendants so that none starts another, kills them, and waits until none is left.
fn end_descendants() {
    let deadline = Instant::now() + MOST_PATIENCE;
    loop {
        let mut stopped = Vec::new();
        loop {
            let found = descendants();
            let new: Vec<Pid> = found.into_iter().filter(|pid| !stopped.contains(pid)).collect();
            if new.is_empty() || Instant::now() > deadline {
                break;
            }
            new.iter().for_each(|pid| signal(*pid, Signal::STOP));
            stopped.extend(new);
        }
        stopped.iter().for_each(|pid| signal(*pid, Signal::KILL));
        reap();
        if descendants().is_empty() || Instant::now() > deadline {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// A process that ended in the meantime, or that belongs to somebody else, stays as it is.
fn signal(pid: Pid, signal: Signal) {
    let _ = kill_process(pid, signal);
}

fn reap() {
    while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
}

/// All processes that come from this one, the ended ones that wait to be reaped left out.
#[cfg(target_os = "linux")]
fn descendants() -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse::<i32>().ok();
    let parents: Vec<(i32, i32)> = entries
        .filter_map(|entry| {
            let pid = number(entry.ok()?)?;
            Some((pid, parent(pid)?))
        })
        .collect();
    let mut found = vec![rustix::process::getpid().as_raw_nonzero().get()];
    let mut at = 0;
    while at < found.len() {
        let children = parents.iter().filter(|(_, parent)| *parent == found[at]);
        let children: Vec<i32> = children
            .map(|(pid, _)| *pid)
            .filter(|pid| !found.contains(pid))
            .collect();
        found.extend(children);
        at += 1;
    }
    found.into_iter().skip(1).filter_map(Pid::from_raw).collect()
}

/// The parent of a process that has not ended. In `/proc/PID/stat` the name may hold anything, also brackets: the last one ends
/// it; the state and the parent follow.
#[cfg(target_os = "linux")]
fn parent(pid: i32) -> Option<i32> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?;
    let parent = words.next()?.parse().ok()?;
    (state != "Z" && state != "X").then_some(parent)
}

/// Elsewhere those of the session's group are killed together: tamper does that.
#[cfg(not(target_os = "linux"))]
fn descendants() -> Vec<Pid> {
    Vec::new()
}
