//! Remarks of a program beside the protocol: its `log` lines and its standard error. The last ones of each test are kept.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use num_rational::BigRational;
use num_traits::Zero as _;
use serde::{Deserialize, Serialize};

use super::runs::lines::time;

/// Maximum number of bytes that are kept of a test's remarks: the last ones.
const MAX_KEPT: usize = 64 * 1024;
/// Maximum length of a part of a line of standard error, in bytes; longer lines come in parts.
const MAX_PART: u64 = 4096;

/// A line that a program said beside the protocol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// The time of arrival, in time units since the test began; 0 if the remark arrived before that.
    #[serde(with = "time")]
    pub at: BigRational,
    /// The source of the remark.
    #[serde(rename = "from")]
    pub source: Source,
    /// The line, without its line ending.
    pub text: String,
}

/// The source of a remark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A line `log TEXT` of the protocol.
    Log,
    /// A line of the program's standard error.
    Stderr,
}

/// A remark, with the moments at which it arrived: on the wall, and by the tester's sum of waits.
pub(super) struct Noted {
    pub wall: Instant,
    pub now: BigRational,
    pub source: Source,
    pub text: String,
}

/// The remarks since they were last taken. Several threads add to them.
#[derive(Default)]
pub(super) struct Remarks(Mutex<RemarkBuffer>);

#[derive(Default)]
struct RemarkBuffer {
    lines: VecDeque<Noted>,
    /// The length of all lines, in bytes.
    n_bytes: usize,
    n_dropped: usize,
    now: BigRational,
}

impl Remarks {
    fn kept(&self) -> MutexGuard<'_, RemarkBuffer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the current time by the tester's sum of waits.
    pub fn set_now(&self, now: BigRational) {
        self.kept().now = now;
    }

    /// Adds a wait to the tester's sum.
    pub fn pass(&self, time: &BigRational) {
        self.kept().now += time;
    }

    /// Notes a line that arrived at `wall`.
    pub fn note(&self, source: Source, text: String, wall: Instant) {
        let mut kept = self.kept();
        kept.n_bytes += text.len() + 1;
        let now = kept.now.clone();
        kept.lines.push_back(Noted {
            wall,
            now,
            source,
            text,
        });
        while kept.n_bytes > MAX_KEPT {
            let Some(oldest) = kept.lines.pop_front() else { return };
            kept.n_bytes -= oldest.text.len() + 1;
            kept.n_dropped += oldest.text.len() + 1;
        }
    }

    /// Counts bytes that were not kept elsewhere.
    #[cfg(unix)]
    pub fn dropped(&self, n_bytes: usize) {
        self.kept().n_dropped += n_bytes;
    }

    /// Takes all lines, and the number of bytes before them that were not kept.
    pub fn take(&self) -> (VecDeque<Noted>, usize) {
        let mut kept = self.kept();
        kept.n_bytes = 0;
        (std::mem::take(&mut kept.lines), std::mem::take(&mut kept.n_dropped))
    }

    /// Notes every line of a program's standard error until all processes have closed it.
    pub fn listen(&self, stderr: impl Read) {
        for_lines(stderr, |bytes| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            self.note(Source::Stderr, text, Instant::now());
        });
    }
}

/// Calls `each` with every line, without its line ending; long lines come in parts.
pub(super) fn for_lines(reader: impl Read, mut each: impl FnMut(&[u8])) {
    let mut reader = BufReader::new(reader);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(MAX_PART).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => each(bytes.trim_ascii_end()),
        }
    }
}

impl Remark {
    /// The remark that this number of bytes was not kept.
    pub(super) fn dropped(n_bytes: usize) -> Self {
        Self {
            at: BigRational::zero(),
            source: Source::Stderr,
            text: format!("({n_bytes} bytes before this are not kept)"),
        }
    }
}
