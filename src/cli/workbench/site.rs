//! The page's place on this machine, and who is answered there.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, anyhow};
use serde_json::Value;
use tiny_http::{Header, Method, Request, Response, Server};

use super::making::AskedSuite;

/// A server of this machine only, whose addresses begin with a secret.
pub struct Site {
    server: Server,
    port: u16,
    token: String,
}

/// What a request asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// The page.
    Page,
    /// What is newer than this version, once there is something.
    Next(u64),
    /// The counterexample of this mutant.
    Play(String),
    /// The mutants that this condition keeps.
    Keep(String),
    /// What comes of the tests on this mutant.
    Run(String),
    /// A suite is to be made.
    Make(AskedSuite),
    /// No suite is to be made any more.
    Stop,
    /// How far the suite is that is being made.
    Making,
    /// The file of the suite.
    Suite,
}

/// A request as far as it decides who is answered.
#[derive(Clone, Copy, Debug)]
struct Asked<'a> {
    method: &'a Method,
    /// Of the headers called Host.
    hosts: &'a [String],
    /// Path and query.
    url: &'a str,
}

impl Site {
    /// Listens at `port`, or a free one.
    pub fn open(port: Option<u16>) -> Result<Self> {
        let server = Server::http(("127.0.0.1", port.unwrap_or(0)))
            .map_err(|error| anyhow!("cannot listen at port {} of this machine: {error}", port.unwrap_or(0)))?;
        let port = server.server_addr().to_ip().context("the page has no address")?.port();
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).map_err(|error| anyhow!("there are no random numbers: {error}"))?;
        let mut token = String::new();
        for byte in secret {
            // Writing to a string does not fail.
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self { server, port, token })
    }

    /// What is typed into a browser.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// The next request that is to be answered, if one comes soon; all others are refused here.
    pub fn next(&self, soon: std::time::Duration) -> Result<Option<(Wish, Request)>> {
        let Some(request) = self.server.recv_timeout(soon).context("the page cannot be served")? else {
            return Ok(None);
        };
        let hosts = request.headers().iter().filter(|header| header.field.equiv("Host"));
        let hosts: Vec<String> = hosts.map(|header| header.value.to_string()).collect();
        let asked = Asked {
            method: request.method(),
            hosts: &hosts,
            url: request.url(),
        };
        match self.wish(asked) {
            Ok(wish) => Ok(Some((wish, request))),
            Err(code) => {
                let refused = Response::from_string("refused: the address of the page is what `tamper open` printed\n");
                respond(request, refused.with_status_code(code));
                Ok(None)
            }
        }
    }

    /// What is asked for; else the status of the refusal. Other names of this machine are refused, so that no page of another
    /// server can have its own name lead here.
    fn wish(&self, asked: Asked<'_>) -> Result<Wish, u16> {
        let is_own = |host: &String| {
            ["127.0.0.1", "localhost"]
                .iter()
                .any(|name| *host == format!("{name}:{}", self.port))
        };
        let [host] = asked.hosts else { return Err(403) };
        let rest = asked
            .url
            .strip_prefix('/')
            .and_then(|url| url.strip_prefix(self.token.as_str()));
        let rest = rest.filter(|_| is_own(host)).ok_or(403_u16)?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let query = query.split_once('=');
        let text = |query: &str| decoded(query).ok_or(404_u16);
        // What changes something is posted.
        let is_posted = matches!(path, "/make" | "/stop");
        if *asked.method != if is_posted { Method::Post } else { Method::Get } {
            return Err(405);
        }
        match (path, query) {
            ("/", None) => Ok(Wish::Page),
            ("/next", Some(("after", version))) => version.parse().map(Wish::Next).map_err(|_| 404),
            ("/play", Some(("id", id))) => text(id).map(Wish::Play),
            ("/keep", Some(("condition", condition))) => text(condition).map(Wish::Keep),
            ("/run", Some(("id", id))) => text(id).map(Wish::Run),
            ("/make", Some(("strategy", strategy))) => AskedSuite::parse(&text(strategy)?).map(Wish::Make).ok_or(404),
            ("/stop", None) => Ok(Wish::Stop),
            ("/making", None) => Ok(Wish::Making),
            ("/suite.json", None) => Ok(Wish::Suite),
            _ => Err(404),
        }
    }
}

/// A text in which every byte may be written as `%` and two digits.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Answers in a thread of its own: a browser that is slow to read holds up nothing.
fn respond(request: Request, response: Response<std::io::Cursor<Vec<u8>>>) {
    // Nobody is left to be told that the browser has gone.
    std::thread::spawn(move || request.respond(response));
}

/// Answers with a text of that type.
pub fn answer_with(request: Request, kind: &str, text: impl Into<Vec<u8>>) {
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    ];
    let headers = headers
        .iter()
        .filter_map(|(name, value)| Header::from_bytes(*name, *value).ok());
    respond(request, headers.fold(Response::from_data(text), Response::with_header));
}

/// Answers with what `value` makes in a thread of its own, which may take long.
pub fn answer_later(request: Request, value: impl FnOnce() -> Value + Send + 'static) {
    std::thread::spawn(move || answer_with(request, "application/json", value().to_string()));
}

/// Answers that there is nothing new.
pub fn answer_nothing(request: Request) {
    respond(request, Response::from_data(Vec::new()).with_status_code(204));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::strategy::StrategyArg;

    #[test]
    fn only_who_knows_the_secret_and_means_this_machine_is_answered() {
        let site = Site::open(None).unwrap();
        let (port, token) = (site.port, site.token.clone());
        assert!(token.len() == 32 && token != Site::open(None).unwrap().token);
        let own = [format!("127.0.0.1:{port}")];
        let wish = |hosts: &[String], url: &str| {
            let method = &Method::Get;
            site.wish(Asked { method, hosts, url })
        };
        assert_eq!(wish(&own, &format!("/{token}/")), Ok(Wish::Page));
        assert_eq!(
            wish(&[format!("localhost:{port}")], &format!("/{token}/")),
            Ok(Wish::Page)
        );
        assert_eq!(wish(&own, &format!("/{token}/next?after=7")), Ok(Wish::Next(7)));
        let play = wish(&own, &format!("/{token}/play?id=CXL%3Ax%3C%3D%C3%BC%2f"));
        assert_eq!(play, Ok(Wish::Play("CXL:x<=ü/".to_owned())));
        for url in [
            "/",
            "/next?after=7",
            "",
            "//",
            &format!("/{}/", &token[1..]),
            &format!("/x{token}/"),
        ] {
            assert_eq!(wish(&own, url), Err(403), "{url}");
        }
        let evil = [
            format!("evil.example:{port}"),
            "127.0.0.1".to_owned(),
            "127.0.0.1:1".to_owned(),
            String::new(),
        ];
        for host in evil {
            assert_eq!(
                wish(std::slice::from_ref(&host), &format!("/{token}/")),
                Err(403),
                "{host}"
            );
        }
        assert_eq!(wish(&[], &format!("/{token}/")), Err(403));
        let two = [own[0].clone(), own[0].clone()];
        assert_eq!(wish(&two, &format!("/{token}/")), Err(403));
        for url in [
            "/x",
            "/next",
            "/next?after=-1",
            "/play?id=%f",
            "/play?id=%ff",
            "/play?x=y",
            "x/",
        ] {
            assert_eq!(wish(&own, &format!("/{token}{url}")), Err(404), "{url}");
        }
        let posted = |hosts: &[String], path: &str| {
            let (method, url) = (&Method::Post, &format!("/{path}"));
            site.wish(Asked { method, hosts, url })
        };
        assert_eq!(posted(&own, &format!("{token}/")), Err(405));
        let make = format!("{token}/make?strategy=minimal%20programs");
        let asked = AskedSuite {
            strategy: StrategyArg::Minimal,
            for_programs: true,
        };
        assert_eq!(posted(&own, &make), Ok(Wish::Make(asked)));
        assert_eq!(posted(&own, &format!("{token}/stop")), Ok(Wish::Stop));
        // A page of another server can neither name this machine otherwise nor know the secret; and a link posts nothing.
        assert_eq!(posted(&[format!("evil.example:{port}")], &make), Err(403));
        assert_eq!(posted(&own, "make?strategy=minimal"), Err(403));
        assert_eq!(wish(&own, &format!("/{make}")), Err(405));
        assert_eq!(wish(&own, &format!("/{token}/stop")), Err(405));
        assert_eq!(posted(&own, &format!("{token}/make?strategy=all")), Err(404));
        assert_eq!(
            posted(&own, &format!("{token}/make?strategy=minimal%20models")),
            Err(404)
        );
        assert_eq!(
            wish(&own, &format!("/{token}/keep?condition=edge%20has%20%27a%3D%3Eb%27")),
            Ok(Wish::Keep("edge has 'a=>b'".to_owned()))
        );
    }
}
