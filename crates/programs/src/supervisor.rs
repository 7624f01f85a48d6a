//! The process between tamper and a program under test: when tamper ends, however it does, the program and all that it
//! started are ended.
//!
//! tamper starts itself once more, with the program's input and output as its input and output and, as its standard error, one end
//! of a socket: the *leash*. The supervisor leaves the terminal (it starts a session), becomes the parent of every descendant that
//! loses its parent (Linux: child subreaper), starts the program, and reports on the leash what the program writes to its standard
//! error and how it ended. When the other end of the leash is closed, which the system does whatever tamper dies of, it kills all
//! descendants and ends.
//!
//! A line of the leash is a byte for its kind, and the rest: `!` a line of standard error, `-` the number of bytes of standard
//! error that are left out, `=` the exit status of the program. A process that inherits the program's standard error is never held
//! up by it: it is read as it comes, and left out if tamper does not listen.

use std::fs::File;
use std::io::{Read, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, setsid, wait};

use super::remarks::{Remarks, Source, for_lines};

/// The command by which tamper is told to supervise.
pub const COMMAND: &str = "supervise";

/// Maximum time to look for descendants and kill them. Killing takes no time, except for a process that the system holds in a device.
const MOST_PATIENCE: Duration = Duration::from_secs(5);
/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(2);
/// Maximum number of lines of standard error that wait to be sent to tamper; further lines are left out.
const MAX_WAITING: usize = 256;
/// Time that the last lines of a program that ended may take to be read, if others have its standard error open.
const LAST_LINES: Duration = Duration::from_millis(200);

/// Supervises `command`, a command of the shell, until the leash is dropped.
///
/// # Errors
/// The leash cannot be used, or the program cannot be started.
pub fn supervise(command: &str) -> std::io::Result<()> {
    // This fails for the leader of a group; then the terminal's signals may arrive here as well.
    let _ = setsid();
    adopt_orphans();
    let leash = UnixStream::from(std::io::stderr().as_fd().try_clone_to_owned()?);
    let mut program = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::inherit())
        .stdout(Stdio::inherit())
        .stderr(Stdio::piped())
        .spawn()?;
    // The program's input and output then end when the program does.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    let (says, lines) = sync_channel(MAX_WAITING);
    let says_on = leash.try_clone()?;
    std::thread::spawn(move || send(&lines, says_on));
    let (all_read, is_all_read) = channel::<()>();
    let (stderr, says_lines) = (program.stderr.take(), says.clone());
    std::thread::spawn(move || {
        // Dropped when everything is read.
        let _all_read = all_read;
        stderr.map(|stderr| forward(stderr, &says_lines))
    });
    std::thread::spawn(move || {
        if let Ok(status) = program.wait() {
            let _ = is_all_read.recv_timeout(LAST_LINES);
            // An error means that nobody listens any more.
            let _ = says.send(format!("={}", status.into_raw()).into_bytes());
        }
    });
    // Nothing is ever received here: only the end of the leash matters.
    let _ = (&leash).read_to_end(&mut Vec::new());
    end_descendants();
    Ok(())
}

/// Passes on a program's standard error, and leaves out lines that nobody takes.
fn forward(stderr: impl Read, says: &SyncSender<Vec<u8>>) {
    let mut n_left_out = 0;
    for_lines(stderr, |line| {
        if n_left_out > 0 && says.try_send(format!("-{n_left_out}").into_bytes()).is_ok() {
            n_left_out = 0;
        }
        if n_left_out > 0 || says.try_send([b"!", line].concat()).is_err() {
            n_left_out += line.len() + 1;
        }
    });
}

fn send(lines: &Receiver<Vec<u8>>, mut leash: UnixStream) {
    for mut line in lines {
        line.push(b'\n');
        if leash.write_all(&line).is_err() {
            return;
        }
    }
}

/// A program with its supervisor, from tamper's side.
pub(super) struct Supervised {
    /// The supervisor.
    pub process: Child,
    leash: UnixStream,
    /// The exit status of the program, if it has ended.
    ended: Arc<Mutex<Option<ExitStatus>>>,
}

impl Supervised {
    /// Starts `supervisor`, which has to be tamper itself, with pipes to the program, whose standard error becomes `remarks`.
    pub fn start(mut supervisor: Command, command: &str, remarks: Arc<Remarks>) -> std::io::Result<Self> {
        let (leash, end) = UnixStream::pair()?;
        let hears = leash.try_clone()?;
        let process = supervisor
            .args([COMMAND, command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(OwnedFd::from(end)))
            .spawn()?;
        let ended = Arc::new(Mutex::new(None));
        let end = Arc::clone(&ended);
        std::thread::spawn(move || for_lines(hears, |line| hear(line, &remarks, &end)));
        Ok(Self { process, leash, ended })
    }

    /// The exit status of the program, if it has ended.
    pub fn status(&self) -> Option<ExitStatus> {
        *lock(&self.ended)
    }

    /// Ends the program and all that it started, and waits for their end.
    pub fn end(&mut self) {
        let _ = self.leash.shutdown(Shutdown::Both);
        let deadline = Instant::now() + 2 * MOST_PATIENCE;
        while Instant::now() < deadline && matches!(self.process.try_wait(), Ok(None)) {
            std::thread::sleep(PAUSE);
        }
        // Where descendants cannot be listed, the processes of its session's group are left.
        if let Some(group) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn lock(ended: &Mutex<Option<ExitStatus>>) -> MutexGuard<'_, Option<ExitStatus>> {
    ended.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Handles a line of the leash.
fn hear(line: &[u8], remarks: &Remarks, ended: &Mutex<Option<ExitStatus>>) {
    let Some((kind, rest)) = line.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    match kind {
        b'=' => *lock(ended) = text.parse().ok().map(ExitStatus::from_raw),
        b'-' => remarks.dropped(text.parse().unwrap_or(0)),
        _ => remarks.note(Source::Stderr, text.into_owned(), Instant::now()),
    }
}

#[cfg(target_os = "linux")]
fn adopt_orphans() {
    // Without this, a process that leaves its parent and its session is not found at the end.
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

/// A process that ended in the meantime, or that belongs to another user, is left alone.
fn signal(pid: Pid, signal: Signal) {
    let _ = kill_process(pid, signal);
}

fn reap() {
    while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
}

/// All descendants of this process, without ended ones that wait to be reaped.
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

/// The parent of a process that has not ended. In `/proc/PID/stat` the name may contain anything, even brackets: the last bracket
/// ends it, and the state and the parent follow.
#[cfg(target_os = "linux")]
fn parent(pid: i32) -> Option<i32> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?;
    let parent = words.next()?.parse().ok()?;
    (state != "Z" && state != "X").then_some(parent)
}

/// On other systems the processes of the session's group are killed together: tamper does that.
#[cfg(not(target_os = "linux"))]
fn descendants() -> Vec<Pid> {
    Vec::new()
}
