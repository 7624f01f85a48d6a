//! The page's address on this machine, and the requests that are answered there.

use std::fmt::Write as _;

use std::time::Duration;

use anyhow::{Result, anyhow};
use serde_json::Value;

use super::making::AskedSuite;
use super::server::{HttpRequest, RequestHead, Server};

/// A server for this machine only, with addresses that begin with a secret.
pub struct WorkbenchSite {
    server: Server,
    token: String,
}

/// A request of a browser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// The page.
    Page,
    /// The news since this version, once there are any.
    Next(u64),
    /// The counterexample of this mutant.
    Play(String),
    /// The mutants that this condition keeps.
    Keep(String),
    /// The results of the tests on this mutant.
    Run(String),
    /// To make a suite.
    Make(AskedSuite),
    /// To stop making a suite.
    Stop,
    /// The progress of the suite that is being made.
    Making,
    /// The progress of the decision.
    Deciding,
    /// The file of the suite.
    Suite,
}

impl WorkbenchSite {
    /// Listens at `port`, or a free one.
    pub fn open(port: Option<u16>) -> Result<Self> {
        let port = port.unwrap_or(0);
        let server =
            Server::open(port).map_err(|error| anyhow!("cannot listen at port {port} of this machine: {error}"))?;
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).map_err(|error| anyhow!("there are no random numbers: {error}"))?;
        let mut token = String::new();
        for byte in secret {
            // Writing to a string does not fail.
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self { server, token })
    }

    /// The address to type into a browser.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.server.port(), self.token)
    }

    /// The next request to be answered, if one comes soon; all others are refused here.
    pub fn next(&self, soon: Duration) -> Option<(Wish, HttpRequest)> {
        let request = self.server.next(soon)?;
        match self.options(&request.head) {
            Ok(options) => {
                request.welcome();
                Some((options, request))
            }
            Err(code) => {
                let refused = "refused: the address of the page is what `tamper open` printed\n";
                request.answer(code, &[("Content-Type", "text/plain")], refused.into());
                None
            }
        }
    }

    /// The request that `asked` stands for; else the status of the refusal. Other host names than this machine's are refused, so that no
    /// page of another server can have its own name lead here.
    fn options(&self, asked: &RequestHead) -> Result<Wish, u16> {
        let is_own = |host: &String| {
            ["127.0.0.1", "localhost"]
                .iter()
                .any(|name| *host == format!("{name}:{}", self.server.port()))
        };
        let [host] = &asked.hosts[..] else { return Err(403) };
        let rest = asked
            .url
            .strip_prefix('/')
            .and_then(|url| url.strip_prefix(self.token.as_str()));
        let rest = rest.filter(|_| is_own(host)).ok_or(403_u16)?;
        if asked.has_body {
            return Err(413);
        }
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let query = query.split_once('=');
        let text = |query: &str| decoded(query).ok_or(404_u16);
        // A request that changes something is posted.
        let is_posted = matches!(path, "/make" | "/stop");
        if asked.method != if is_posted { "POST" } else { "GET" } {
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
            ("/deciding", None) => Ok(Wish::Deciding),
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

/// Answers with a text of that type.
pub fn answer_with(request: HttpRequest, kind: &str, text: impl Into<Vec<u8>>) {
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    ];
    request.answer(200, &headers, text.into());
}

/// Answers with the result of `value`, which may take long and is computed in a separate thread.
pub fn answer_later(request: HttpRequest, value: impl FnOnce() -> Value + Send + 'static) {
    std::thread::spawn(move || answer_with(request, "application/json", value().to_string()));
}

/// Answers that there is nothing new.
pub fn answer_nothing(request: HttpRequest) {
    request.answer(204, &[], Vec::new());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::strategy::StrategyArg;

    fn head(method: &str, hosts: &[String], url: &str) -> RequestHead {
        RequestHead {
            method: method.to_owned(),
            url: url.to_owned(),
            hosts: hosts.to_owned(),
            has_body: false,
        }
    }

    #[test]
    fn only_who_knows_the_secret_and_means_this_machine_is_answered() {
        let site = WorkbenchSite::open(None).unwrap();
        let (port, token) = (site.server.port(), site.token.clone());
        assert!(token.len() == 32 && token != WorkbenchSite::open(None).unwrap().token);
        let own = [format!("127.0.0.1:{port}")];
        let options = |hosts: &[String], url: &str| site.options(&head("GET", hosts, url));
        assert_eq!(options(&own, &format!("/{token}/")), Ok(Wish::Page));
        assert_eq!(
            options(&[format!("localhost:{port}")], &format!("/{token}/")),
            Ok(Wish::Page)
        );
        assert_eq!(options(&own, &format!("/{token}/next?after=7")), Ok(Wish::Next(7)));
        assert_eq!(options(&own, &format!("/{token}/deciding")), Ok(Wish::Deciding));
        let play = options(&own, &format!("/{token}/play?id=CXL%3Ax%3C%3D%C3%BC%2f"));
        assert_eq!(play, Ok(Wish::Play("CXL:x<=ü/".to_owned())));
        for url in [
            "/",
            "/next?after=7",
            "",
            "//",
            &format!("/{}/", &token[1..]),
            &format!("/x{token}/"),
        ] {
            assert_eq!(options(&own, url), Err(403), "{url}");
        }
        let evil = [
            format!("evil.example:{port}"),
            "127.0.0.1".to_owned(),
            "127.0.0.1:1".to_owned(),
            String::new(),
        ];
        for host in evil {
            assert_eq!(
                options(std::slice::from_ref(&host), &format!("/{token}/")),
                Err(403),
                "{host}"
            );
        }
        assert_eq!(options(&[], &format!("/{token}/")), Err(403));
        let two = [own[0].clone(), own[0].clone()];
        assert_eq!(options(&two, &format!("/{token}/")), Err(403));
        for url in [
            "/x",
            "/next",
            "/next?after=-1",
            "/play?id=%f",
            "/play?id=%ff",
            "/play?x=y",
            "x/",
        ] {
            assert_eq!(options(&own, &format!("/{token}{url}")), Err(404), "{url}");
        }
        let posted = |hosts: &[String], path: &str| site.options(&head("POST", hosts, &format!("/{path}")));
        assert_eq!(posted(&own, &format!("{token}/")), Err(405));
        let make = format!("{token}/make?strategy=minimal%20programs");
        // A request with a body is refused, but a client without the secret is not told that.
        for (url, code) in [(format!("/{make}"), 413), ("/make".to_owned(), 403)] {
            let mut long = head("POST", &own, &url);
            long.has_body = true;
            assert_eq!(site.options(&long), Err(code), "{url}");
        }
        let asked = AskedSuite {
            strategy: StrategyArg::Minimal,
            for_programs: true,
        };
        assert_eq!(posted(&own, &make), Ok(Wish::Make(asked)));
        assert_eq!(posted(&own, &format!("{token}/stop")), Ok(Wish::Stop));
        // A page of another server can neither name this machine otherwise nor know the secret; and a link posts nothing.
        assert_eq!(posted(&[format!("evil.example:{port}")], &make), Err(403));
        assert_eq!(posted(&own, "make?strategy=minimal"), Err(403));
        assert_eq!(options(&own, &format!("/{make}")), Err(405));
        assert_eq!(options(&own, &format!("/{token}/stop")), Err(405));
        assert_eq!(posted(&own, &format!("{token}/make?strategy=all")), Err(404));
        assert_eq!(
            posted(&own, &format!("{token}/make?strategy=minimal%20models")),
            Err(404)
        );
        assert_eq!(
            options(&own, &format!("/{token}/keep?condition=edge%20has%20%27a%3D%3Eb%27")),
            Ok(Wish::Keep("edge has 'a=>b'".to_owned()))
        );
    }
}
