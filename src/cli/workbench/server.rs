//! A server for this machine only, bounded in everything that a stranger can make it hold.
//!
//! A separate thread reads one head from each connection: no body, no second request. A head that is too long or too slow is refused. If
//! there are [`MOST`] connections, the oldest one that is not known to have the secret makes room for a new one.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Weak};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The largest number of connections at a time.
const MOST: usize = 64;
/// The largest size of a request line and its headers, in bytes.
const HEAD: usize = 16 << 10;
/// The largest number of headers.
const HEADERS: usize = 64;
/// The time limit for reading a head, and for an answer that makes no progress.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time for which input that follows an answer is read, and the pause before the next connection if none can be accepted.
const SHORT: Duration = Duration::from_millis(300);

/// A server with the requests that it has received.
pub struct Server {
    port: u16,
    requests: Receiver<HttpRequest>,
}

/// The head of a request, before the body.
#[derive(Default, Debug)]
pub struct RequestHead {
    pub method: String,
    /// Path and query.
    pub url: String,
    /// The values of the headers named Host.
    pub hosts: Vec<String>,
    /// Whether a body is announced.
    pub has_body: bool,
}

/// A head, and the connection that waits for the answer.
pub struct HttpRequest {
    pub head: RequestHead,
    connection: Arc<Connection>,
}

/// A connection, which ends when nothing holds it.
struct Connection {
    stream: TcpStream,
    /// Whether it has shown the secret.
    is_known: AtomicBool,
}

impl Server {
    /// Listens at `port` of this machine; 0 stands for a free one.
    pub fn open(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let (sender, requests) = mpsc::channel();
        Builder::new().spawn(move || accept(&listener, &sender))?;
        Ok(Self { port, requests })
    }

    /// The port that the server listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The next request, if one comes soon.
    pub fn next(&self, soon: Duration) -> Option<HttpRequest> {
        self.requests.recv_timeout(soon).ok()
    }
}

impl HttpRequest {
    /// Notes that the browser has the secret.
    pub fn welcome(&self) {
        self.connection.is_known.store(true, Ordering::Relaxed);
    }

    /// Answers in a separate thread, so that a browser that reads slowly holds up nothing.
    pub fn answer(self, status: u16, headers: &[(&str, &str)], body: Vec<u8>) {
        let mut head = format!(
            "HTTP/1.1 {status} \r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            head.extend([*name, ": ", *value, "\r\n"]);
        }
        let answer = [(head + "\r\n").into_bytes(), body].concat();
        // Nobody can be told that the browser has gone, or that there is no thread.
        let _ = Builder::new().spawn(move || self.connection.end_with(&answer));
    }
}

impl Connection {
    /// Sends an answer and closes the connection. Input that is still on its way is read for a moment, as the answer would be lost
    /// otherwise.
    fn end_with(&self, answer: &[u8]) -> io::Result<()> {
        let mut stream = &self.stream;
        stream.write_all(answer)?;
        stream.shutdown(Shutdown::Write)?;
        stream.set_read_timeout(Some(SHORT))?;
        let (since, mut rest) = (Instant::now(), [0; HEAD]);
        while since.elapsed() < SHORT && stream.read(&mut rest)? > 0 {}
        stream.shutdown(Shutdown::Both)
    }

    /// Reads the head of the request; else the status of the refusal.
    fn head(&self) -> Result<RequestHead, u16> {
        let (until, mut bytes, mut more) = (Instant::now() + PATIENCE, Vec::new(), [0; 4096]);
        let mut stream = &self.stream;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            // A time of zero is no limit, and refused.
            stream.set_read_timeout(Some(left)).map_err(|_| 408_u16)?;
            match stream.read(&mut more) {
                Ok(n @ 1..) => bytes.extend_from_slice(&more[..n]),
                _ => return Err(408),
            }
            if bytes.len() > HEAD {
                return Err(431);
            }
            if let Some(head) = parsed(&bytes)? {
                return Ok(head);
            }
        }
    }
}

/// The head of a request, if it is whole; else the status of the refusal.
fn parsed(bytes: &[u8]) -> Result<Option<RequestHead>, u16> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(431),
        Err(_) => return Err(400),
    }
    let text = |part: Option<&str>| part.unwrap_or_default().to_owned();
    let mut head = RequestHead {
        method: text(request.method),
        url: text(request.path),
        ..RequestHead::default()
    };
    for header in request.headers {
        let is = |name: &str| header.name.eq_ignore_ascii_case(name);
        if is("Host") {
            head.hosts.push(String::from_utf8_lossy(header.value).into_owned());
        }
        head.has_body |= is("Transfer-Encoding") || is("Content-Length") && header.value != b"0";
    }
    Ok(Some(head))
}

/// Accepts connections, one after the other, for as long as the program runs.
fn accept(listener: &TcpListener, requests: &Sender<HttpRequest>) {
    let mut open: Vec<Weak<Connection>> = Vec::new();
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // No connection can be accepted now, for want of memory or files.
            std::thread::sleep(SHORT);
            continue;
        };
        open.retain(|connection| connection.strong_count() > 0);
        if open.len() >= MOST && !make_room(&mut open) {
            continue;
        }
        if stream.set_write_timeout(Some(PATIENCE)).is_err() {
            continue;
        }
        let connection = Arc::new(Connection {
            stream,
            is_known: AtomicBool::new(false),
        });
        open.push(Arc::downgrade(&connection));
        let requests = requests.clone();
        let serve = move || {
            let head = connection.head();
            let refused = head.as_ref().err().copied();
            let head = head.unwrap_or_default();
            let request = HttpRequest { head, connection };
            match refused {
                Some(status) => request.answer(status, &[], Vec::new()),
                // The program has ended if nothing receives the request.
                None => drop(requests.send(request)),
            }
        };
        // Without a thread the connection ends here.
        let _ = Builder::new().spawn(serve);
    }
}

/// Ends the oldest connection that has not shown the secret, if there is one.
fn make_room(open: &mut Vec<Weak<Connection>>) -> bool {
    let stranger = open.iter().enumerate().find_map(|(at, connection)| {
        let connection = connection.upgrade()?;
        (!connection.is_known.load(Ordering::Relaxed)).then_some((at, connection))
    });
    let Some((at, stranger)) = stranger else { return false };
    open.remove(at);
    // The connection may have ended already.
    let _ = stranger.stream.shutdown(Shutdown::Both);
    true
}
