//! The connection to a program: lines out, stamped lines in, and nothing left running afterwards.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::error::SutError;
use super::remarks::Remarks;
#[cfg(unix)]
use super::supervisor::Supervised;
use super::target::Target;

/// The longest line of a program, in bytes.
pub(super) const MAX_LINE: usize = 4096;
/// Maximum number of lines that wait to be read; a program that floods is held up here.
const MAX_WAITING: usize = 1024;
/// Time that a program whose output ended may take to end.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Time that a program that is told to quit may take to clean up.
const FAREWELL: Duration = Duration::from_millis(500);
/// Pause between two checks whether it has ended.
const PAUSE: Duration = Duration::from_millis(2);

/// A line of the program, or the end of its output.
pub(super) enum Arrival {
    Line { text: String, at: Instant },
    TooLong,
    Closed,
    Failed(std::io::Error),
}

/// The program to start or to connect to.
#[derive(Clone, Copy)]
pub(super) struct Opening<'a> {
    pub target: &'a Target,
    /// The program that supervises a command, if any.
    pub supervisor: Option<&'a Path>,
    /// Its number among the instances that run side by side: a command finds it in `TAMPER_JOB`.
    pub job: Option<usize>,
}

impl Opening<'_> {
    /// The variables that are added to the environment of a command.
    pub fn environment(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        self.job.map(|job| ("TAMPER_JOB", job.to_string())).into_iter()
    }
}

/// A running program under test.
pub(super) struct Link {
    writer: Box<dyn Write + Send>,
    arrivals: Receiver<Arrival>,
    end: LinkEndpoint,
}

enum LinkEndpoint {
    /// A child process, with the thread that reads its standard error.
    Process(Child, JoinHandle<()>),
    #[cfg(unix)]
    Supervised(Supervised),
    Socket(TcpStream),
}

impl Link {
    /// Starts the command, under the supervisor if any, or connects to the address. `remarks` get the command's standard error.
    pub fn open(opening: Opening<'_>, patience: Duration, remarks: &Arc<Remarks>) -> Result<Self, SutError> {
        let unreachable = |name: &str, source| SutError::Unreachable {
            target: name.to_owned(),
            source,
        };
        match opening.target {
            Target::Command(command) => {
                Self::start(command, opening, Arc::clone(remarks)).map_err(|source| unreachable(command, source))
            }
            Target::Tcp(address) => Self::connect(address, patience).map_err(|source| unreachable(address, source)),
        }
    }

    fn start(command: &str, opening: Opening<'_>, remarks: Arc<Remarks>) -> std::io::Result<Self> {
        let mut end = match opening.supervisor {
            #[cfg(unix)]
            Some(supervisor) => {
                let mut supervisor = Command::new(supervisor);
                supervisor.envs(opening.environment());
                LinkEndpoint::Supervised(Supervised::start(supervisor, command, remarks)?)
            }
            _ => {
                let mut child = shell(command)
                    .envs(opening.environment())
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()?;
                let stderr = child.stderr.take().ok_or(ErrorKind::BrokenPipe)?;
                LinkEndpoint::Process(child, std::thread::spawn(move || remarks.listen(stderr)))
            }
        };
        let child = match &mut end {
            LinkEndpoint::Process(child, _) => child,
            #[cfg(unix)]
            LinkEndpoint::Supervised(supervised) => &mut supervised.process,
            LinkEndpoint::Socket(_) => return Err(ErrorKind::BrokenPipe.into()),
        };
        let (Some(writer), Some(reader)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        Ok(Self {
            writer: Box::new(writer),
            arrivals: listen(reader),
            end,
        })
    }

    fn connect(address: &str, patience: Duration) -> std::io::Result<Self> {
        let mut last = ErrorKind::AddrNotAvailable.into();
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, patience) {
                Ok(socket) => {
                    socket.set_nodelay(true)?;
                    socket.set_write_timeout(Some(patience))?;
                    return Ok(Self {
                        writer: Box::new(socket.try_clone()?),
                        arrivals: listen(socket.try_clone()?),
                        end: LinkEndpoint::Socket(socket),
                    });
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Sends one line.
    pub fn say(&mut self, line: &str) -> Result<(), SutError> {
        let sent = self
            .writer
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| self.writer.flush());
        match sent {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(self.ended()),
            Err(error) => Err(SutError::Broken(error)),
        }
    }

    /// Says `farewell`, closes the program's input and gives it a moment to end. A program that was only connected to keeps running.
    pub fn part(&mut self, farewell: &str) {
        // An error means that it has ended already.
        let _ = self.say(farewell);
        self.writer = Box::new(std::io::sink());
        self.status(FAREWELL);
    }

    /// The next line; `None` if no line comes until `deadline`.
    pub fn hear(&mut self, deadline: Instant) -> Result<Option<(String, Instant)>, SutError> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.arrivals.recv_timeout(left) {
            Ok(Arrival::Line { text, at }) => Ok(Some((text, at))),
            Ok(Arrival::TooLong) => Err(SutError::LineTooLong { limit: MAX_LINE }),
            Ok(Arrival::Failed(error)) if error.kind() != ErrorKind::ConnectionReset => Err(SutError::Broken(error)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(Arrival::Failed(_) | Arrival::Closed) | Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// The error if an awaited line does not come: the program has ended (while others have its output open), or it hangs.
    pub fn overdue(&mut self, awaited: &'static str, patience: Duration) -> SutError {
        match self.status(Duration::from_millis(50)) {
            None => SutError::Hangs { awaited, patience },
            status => SutError::Ended { status },
        }
    }

    fn ended(&mut self) -> SutError {
        let status = self.status(LAST_WORDS);
        SutError::Ended { status }
    }

    /// The exit status, if the process ends within `moment`.
    fn status(&mut self, moment: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + moment;
        let last_remarks = Instant::now() + moment / 2;
        while Instant::now() < deadline {
            let status = match &mut self.end {
                // Its last remarks come first, unless another process has its standard error open.
                LinkEndpoint::Process(_, remarks) if !remarks.is_finished() && Instant::now() < last_remarks => None,
                LinkEndpoint::Process(child, _) => child.try_wait().ok().flatten(),
                #[cfg(unix)]
                LinkEndpoint::Supervised(supervised) => supervised.status(),
                LinkEndpoint::Socket(_) => return None,
            };
            if status.is_some() {
                return status;
            }
            std::thread::sleep(PAUSE);
        }
        None
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        match &mut self.end {
            // An error means that it has ended already.
            LinkEndpoint::Process(child, _) => {
                kill_group(child);
                let _ = child.kill();
                let _ = child.wait();
            }
            #[cfg(unix)]
            LinkEndpoint::Supervised(supervised) => supervised.end(),
            LinkEndpoint::Socket(socket) => {
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
    }
}

/// A shell with `command`, leader of a new process group so that everything it starts can be ended together.
#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).process_group(0);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]);
    shell
}

#[cfg(unix)]
fn kill_group(child: &Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

/// Reads lines in a separate thread, so that each is stamped when it arrives.
fn listen(reader: impl Read + Send + 'static) -> Receiver<Arrival> {
    let (sender, receiver) = sync_channel(MAX_WAITING);
    std::thread::spawn(move || read_lines(BufReader::new(reader), &sender));
    receiver
}

fn read_lines(mut reader: impl BufRead, sender: &SyncSender<Arrival>) {
    loop {
        let mut bytes = Vec::new();
        let read = reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        let arrival = match read {
            Err(error) => Arrival::Failed(error),
            Ok(0) => Arrival::Closed,
            Ok(_) if bytes.len() > MAX_LINE => Arrival::TooLong,
            Ok(_) => Arrival::Line {
                text: String::from_utf8_lossy(&bytes).trim_end().to_owned(),
                at: Instant::now(),
            },
        };
        let is_last = !matches!(arrival, Arrival::Line { .. });
        // The receiver is dropped when the test is over.
        if sender.send(arrival).is_err() || is_last {
            return;
        }
    }
}
