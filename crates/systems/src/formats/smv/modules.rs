//! Modules: each instance is written out, with its path before the names that it declares (NuSMV does the same).
//!
//! A parameter stands for the variable, definition or instance that is passed. Any other argument becomes a definition
//! of the instance, so that it is written, and mutated, once.

use std::collections::{BTreeMap, BTreeSet};

use super::reader::{PROCESS, is_section};
use crate::formats::tokens::{ErrorReported, Token, Tokens};
use tamper_text::Span;

/// The largest total length of the names of all instances written out, and the deepest nesting of instances.
const MOST: usize = 1 << 22;
const DEEPEST: usize = 100;

/// A word or sign of a file whose instances are written out.
pub(super) enum FlattenedToken<'a> {
    Kept(Token<'a>),
    /// A path: `counter.value`.
    Path(String),
    /// A name in an instance that its module does not declare: its path, if that is declared elsewhere; else the plain
    /// name, which is a value of a type or a word of the language.
    Open(String, &'a str),
}
impl FlattenedToken<'_> {
    fn length(&self) -> usize {
        match self {
            Self::Kept(_) => 1,
            Self::Path(path) | Self::Open(path, _) => path.len(),
        }
    }
}
type Stream<'a> = Vec<(FlattenedToken<'a>, Span)>;

/// The sections that declare names.
const DECLARING: [&str; 4] = ["VAR", "IVAR", "FROZENVAR", "DEFINE"];

/// The words that stand between or in place of names.
const WORDS: [&str; 9] = ["case", "esac", "TRUE", "FALSE", "in", "union", "mod", "xor", "xnor"];

struct Module<'a> {
    /// The place of its name.
    name: Span,
    parameters: Vec<(&'a str, Span)>,
    /// The tokens behind the parameters.
    body: std::ops::Range<usize>,
    declared: BTreeSet<&'a str>,
}

/// The argument that a parameter stands for.
#[derive(Clone)]
enum ModuleArgument<'a> {
    /// The variable, definition or instance with that path.
    Path(String),
    /// The definition with that path; in types, a constant stands for itself.
    Value(String, Option<Vec<Token<'a>>>),
}

/// An instance that is being written out.
struct ModuleInstance<'a> {
    module: usize,
    /// The path before its names; empty for `main`.
    path: String,
    passed: BTreeMap<&'a str, ModuleArgument<'a>>,
    /// The modules around it.
    outer: Vec<usize>,
}

/// An instance, and the values of its parameters that become definitions.
type BoundInstance<'a> = (ModuleInstance<'a>, Vec<(&'a str, Stream<'a>)>);

fn joined(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

struct ModuleFlattener<'t, 'a> {
    tokens: &'t mut Tokens<'a>,
    modules: Vec<Module<'a>>,
    by_name: BTreeMap<&'a str, usize>,
    declarations: Stream<'a>,
    rest: Stream<'a>,
    /// The total length of all names.
    length: usize,
}

/// The tokens of `main` with all instances written out; `None` for a file with one module, which is read unchanged.
/// After an error, which is noted, no tokens are returned.
pub(super) fn written_out<'a>(tokens: &mut Tokens<'a>) -> Result<Option<Stream<'a>>, ErrorReported> {
    let starts: Vec<usize> = (0..tokens.all.len())
        .filter(|at| matches!(tokens.all[*at].0, Token::Name("MODULE")) && is_section("MODULE", tokens.all.get(at + 1)))
        .collect();
    if starts.len() < 2 || starts[0] > 0 {
        return Ok(None);
    }
    let mut writer = ModuleFlattener {
        tokens,
        modules: Vec::new(),
        by_name: BTreeMap::new(),
        declarations: Vec::new(),
        rest: Vec::new(),
        length: 0,
    };
    writer.file(&starts)?;
    let end = writer.tokens.all.last().copied();
    let mut all = writer.declarations;
    let (paths, values) = known(&all);
    all.append(&mut writer.rest);
    for (word, _) in &mut all {
        if let FlattenedToken::Open(path, name) = word {
            let is_name = !paths.contains(path) && (values.contains(name) || WORDS.contains(name));
            *word = match is_name {
                true => FlattenedToken::Kept(Token::Name(name)),
                false => FlattenedToken::Path(std::mem::take(path)),
            };
        }
    }
    all.extend(end.map(|(token, span)| (FlattenedToken::Kept(token), span)));
    Ok(Some(all))
}

/// The declared paths, and the names in types, which include the values of enumerations.
fn known<'a>(declarations: &Stream<'a>) -> (BTreeSet<String>, BTreeSet<&'a str>) {
    let (mut paths, mut values) = (BTreeSet::new(), BTreeSet::new());
    let (mut section, mut begins) = ("", false);
    for (word, _) in declarations {
        let was_begun = std::mem::replace(&mut begins, matches!(word, FlattenedToken::Kept(Token::Sign(";"))));
        match word {
            // A variable cannot have this name: its name would be a path.
            FlattenedToken::Kept(Token::Name(name)) if DECLARING.contains(name) => (section, begins) = (name, true),
            FlattenedToken::Path(path) if was_begun => drop(paths.insert(path.clone())),
            FlattenedToken::Kept(Token::Name(name)) if section != "DEFINE" => drop(values.insert(*name)),
            _ => {}
        }
    }
    (paths, values)
}

impl<'a> ModuleFlattener<'_, 'a> {
    fn file(&mut self, starts: &[usize]) -> Result<(), ErrorReported> {
        for (number, start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied();
            self.module(*start, end.unwrap_or(self.tokens.all.len() - 1))?;
        }
        let Some(main) = self.by_name.get("main").copied() else {
            let span = self.modules[0].name;
            return Err(self.refuse("no module is called `main`", span, "call the outermost one so"));
        };
        if let Some((_, span)) = self.modules[main].parameters.first().copied() {
            return Err(self.refuse("`main` has no parameters", span, "remove them"));
        }
        let span = self.modules[main].name;
        let head = ["MODULE", "main"].map(|word| (FlattenedToken::Kept(Token::Name(word)), span));
        self.declarations.extend(head);
        self.instance(&ModuleInstance {
            module: main,
            path: String::new(),
            passed: BTreeMap::new(),
            outer: Vec::new(),
        })?;
        Ok(())
    }
    fn refuse(&mut self, message: impl Into<String>, span: Span, help: &str) -> ErrorReported {
        self.tokens.refuse(message, span, help)
    }

    /// Notes the module between two places, the first of which is the place of `MODULE`.
    fn module(&mut self, start: usize, end: usize) -> Result<(), ErrorReported> {
        self.tokens.at = start + 1;
        let (Token::Name(name), span) = self.tokens.peek() else {
            let span = self.tokens.here();
            return Err(self.refuse("a module has a name", span, "write it after `MODULE`"));
        };
        if let Some(first) = self.by_name.insert(name, self.modules.len()) {
            let first = self.modules[first].name;
            let message = format!("the module `{name}` is there already");
            return Err(self.tokens.refuse_second(message, span, first, "rename one of them"));
        }
        self.tokens.advance();
        let mut parameters: Vec<(&'a str, Span)> = Vec::new();
        if self.tokens.take("(") {
            while !self.tokens.take(")") {
                let (Token::Name(parameter), span) = self.tokens.peek() else {
                    let span = self.tokens.here();
                    return Err(self.refuse("a parameter is expected here", span, "parameters are names"));
                };
                if let Some((_, first)) = parameters.iter().find(|(other, _)| *other == parameter).copied() {
                    let message = format!("`{parameter}` is a parameter twice");
                    return Err(self.tokens.refuse_second(message, span, first, "rename one of them"));
                }
                self.tokens.advance();
                parameters.push((parameter, span));
                if !self.tokens.is(")") {
                    self.tokens.expect(",")?;
                }
            }
        }
        let body = self.tokens.at..end;
        let declared = self.declared(body.clone());
        self.modules.push(Module {
            name: span,
            parameters,
            body,
            declared,
        });
        Ok(())
    }
    fn declared(&self, body: std::ops::Range<usize>) -> BTreeSet<&'a str> {
        let mut declared = BTreeSet::new();
        let (mut section, mut begins, mut cases) = ("", false, 0_usize);
        for at in body {
            let next = self.tokens.all.get(at + 1);
            let sign = if section == "DEFINE" { ":=" } else { ":" };
            begins = match self.tokens.all[at].0 {
                Token::Name(name) if is_section(name, next) => {
                    section = name;
                    true
                }
                Token::Name(name) if begins && DECLARING.contains(&section) => {
                    if next.is_some_and(|(token, _)| *token == Token::Sign(sign)) {
                        declared.insert(name);
                    }
                    false
                }
                // After a `;` within a case, which may be an argument, the next condition of the case follows.
                token => {
                    match token {
                        Token::Name("case") => cases += 1,
                        Token::Name("esac") => cases = cases.saturating_sub(1),
                        _ => {}
                    }
                    token == Token::Sign(";") && cases == 0
                }
            };
        }
        declared
    }
    /// Whether the declaration at a place declares an instance: no type begins with its name.
    fn declares_instance(&self, at: usize) -> bool {
        let is_type = |name: &str| {
            matches!(
                name,
                "boolean" | "array" | "word" | "unsigned" | "signed" | "real" | "integer"
            )
        };
        let words = &self.tokens.all[at..(at + 4).min(self.tokens.all.len())];
        matches!(words, [_, (Token::Sign(":"), _), (Token::Name(name), _), (next, _)]
            if *name == "process" || !is_type(name) && matches!(next, Token::Sign("(" | ";")))
    }

    /// Writes out an instance. Returns the parameters that it uses as values.
    fn instance(&mut self, scope: &ModuleInstance<'a>) -> Result<BTreeSet<&'a str>, ErrorReported> {
        let body = self.modules[scope.module].body.clone();
        let (mut section, mut begins) = ("", false);
        let mut used = BTreeSet::new();
        let mut inner = Vec::new();
        let mut at = body.start;
        while at < body.end {
            let (token, span) = self.tokens.all[at];
            let was_begun = std::mem::replace(&mut begins, token == Token::Sign(";"));
            let mut length = 1;
            let words = match token {
                Token::Name(name) if is_section(name, self.tokens.all.get(at + 1)) => {
                    (section, begins) = (name, true);
                    vec![(FlattenedToken::Kept(token), span)]
                }
                Token::Name(_) if was_begun && section == "VAR" && self.declares_instance(at) => {
                    let (instance, end) = self.inner(scope, at, &mut used)?;
                    inner.push((instance, span));
                    (begins, length) = (true, end - at);
                    Vec::new()
                }
                Token::Name(_) => {
                    let is_type = DECLARING.contains(&section) && section != "DEFINE" && !was_begun;
                    let (words, read) = self.name(scope, at, is_type, &mut used);
                    length = read;
                    words
                }
                _ => vec![(FlattenedToken::Kept(token), span)],
            };
            let stream = match DECLARING.contains(&section) {
                true => &mut self.declarations,
                false => &mut self.rest,
            };
            self.length += words.iter().map(|(word, _)| word.length()).sum::<usize>();
            stream.extend(words);
            at += length;
            if self.length > MOST {
                let message = "the instances of this file are too many to be written out";
                return Err(self.refuse(message, span, "use fewer of them"));
            }
        }
        for ((scope, values), span) in inner {
            let asked = self.instance(&scope)?;
            for (parameter, words) in values {
                if !asked.contains(parameter) {
                    continue;
                }
                let span = words.first().map_or(span, |(_, first)| *first);
                let sign = |token| (FlattenedToken::Kept(token), span);
                let name = FlattenedToken::Path(joined(&scope.path, parameter));
                self.declarations
                    .extend([sign(Token::Name("DEFINE")), (name, span), sign(Token::Sign(":="))]);
                self.declarations.extend(words);
                self.declarations.push(sign(Token::Sign(";")));
            }
        }
        Ok(used)
    }

    /// The expansion of the name at a place, including the path after its dots, and the number of tokens it takes.
    fn name(
        &self,
        scope: &ModuleInstance<'a>,
        at: usize,
        is_type: bool,
        used: &mut BTreeSet<&'a str>,
    ) -> (Stream<'a>, usize) {
        let all = &self.tokens.all;
        let (Token::Name(head), span) = all[at] else {
            return (Vec::new(), 1);
        };
        let kept = || (vec![(FlattenedToken::Kept(all[at].0), span)], 1);
        let passed = scope.passed.get(head);
        match passed {
            Some(ModuleArgument::Value(_, Some(constant))) if is_type => {
                return (
                    constant
                        .iter()
                        .map(|token| (FlattenedToken::Kept(*token), span))
                        .collect(),
                    1,
                );
            }
            _ => {}
        }
        if let Some(ModuleArgument::Value(..)) = passed {
            used.insert(head);
        }
        // A type names constants, and values that nothing declares.
        if is_type && passed.is_none() && !self.modules[scope.module].declared.contains(head) {
            return kept();
        }
        match self.path(scope, at) {
            Some((path, length)) => {
                let span = span.to(all[at + length - 1].1);
                (vec![(FlattenedToken::Path(path), span)], length)
            }
            // Names of functions such as `next(…)`; and names in `main`, which are their own paths.
            None if scope.path.is_empty() || all.get(at + 1).is_some_and(|next| next.0 == Token::Sign("(")) => kept(),
            None => (vec![(FlattenedToken::Open(joined(&scope.path, head), head), span)], 1),
        }
    }
    /// The whole path of the name at a place, if it is declared here or passed, and the number of tokens it takes.
    fn path(&self, scope: &ModuleInstance<'a>, at: usize) -> Option<(String, usize)> {
        let all = &self.tokens.all;
        let Token::Name(head) = all[at].0 else { return None };
        let mut path = match scope.passed.get(head) {
            Some(ModuleArgument::Path(path) | ModuleArgument::Value(path, _)) => path.clone(),
            None if head == "self" => scope.path.clone(),
            None => joined(&scope.path, self.modules[scope.module].declared.get(head)?),
        };
        let mut length = 1;
        while let (Some((Token::Sign("."), _)), Some((Token::Name(part), _))) =
            (all.get(at + length), all.get(at + length + 1))
        {
            path = joined(&path, part);
            length += 2;
        }
        Some((path, length))
    }

    /// The instance declared at a place, with the values of its parameters, and the place behind it.
    fn inner(
        &mut self,
        scope: &ModuleInstance<'a>,
        at: usize,
        used: &mut BTreeSet<&'a str>,
    ) -> Result<(BoundInstance<'a>, usize), ErrorReported> {
        self.tokens.at = at;
        let (name, span) = self.tokens.peek();
        self.tokens.at += 2;
        let (module, place) = self.tokens.peek();
        let (Token::Name(name), Token::Name(called)) = (name, module) else {
            return Err(ErrorReported);
        };
        if called == "process" {
            return Err(self.refuse("`process` is not read", place, PROCESS));
        }
        let Some(number) = self.by_name.get(called).copied() else {
            return Err(self.refuse(
                format!("`{called}` is no module and no type"),
                place,
                "write boolean, a range `0..7`, an enumeration `{idle, busy}` or the name of a module",
            ));
        };
        let outer: Vec<usize> = scope.outer.iter().copied().chain([scope.module]).collect();
        if outer.len() > DEEPEST {
            return Err(self.refuse("instances are nested too deep", place, "write some of them out"));
        }
        if outer.contains(&number) {
            return Err(self.refuse(
                format!("the module `{called}` contains itself"),
                place,
                "break the circle",
            ));
        }
        self.tokens.advance();
        let mut given = Vec::new();
        if self.tokens.take("(") {
            while !self.tokens.take(")") {
                given.push(self.argument()?);
                if !self.tokens.is(")") {
                    self.tokens.expect(",")?;
                }
            }
        }
        self.tokens.expect(";")?;
        let end = self.tokens.at;
        let parameters: Vec<&'a str> = self.modules[number].parameters.iter().map(|(name, _)| *name).collect();
        if given.len() != parameters.len() {
            let message = format!(
                "`{called}` has {} parameters, and {} are given",
                parameters.len(),
                given.len()
            );
            return Err(self.refuse(message, span, "give each parameter a value"));
        }
        let path = joined(&scope.path, name);
        let (mut passed, mut values) = (BTreeMap::new(), Vec::new());
        for (parameter, words) in parameters.into_iter().zip(given) {
            let (what, value) = self.passed(scope, words, joined(&path, parameter), used);
            values.extend(value.map(|value| (parameter, value)));
            passed.insert(parameter, what);
        }
        let scope = ModuleInstance {
            module: number,
            path,
            passed,
            outer,
        };
        Ok(((scope, values), end))
    }
    /// The positions of the tokens of an argument.
    fn argument(&mut self) -> Result<std::ops::Range<usize>, ErrorReported> {
        let start = self.tokens.at;
        let mut open = 0_usize;
        loop {
            let (token, span) = self.tokens.peek();
            match token {
                Token::End | Token::Sign(";") if open == 0 || token == Token::End => {
                    return Err(self.refuse("the values of the parameters do not end", span, "close them with `)`"));
                }
                Token::Sign("," | ")") if open == 0 => break,
                Token::Sign("(" | "{" | "[") | Token::Name("case") => open += 1,
                Token::Sign(")" | "}" | "]") | Token::Name("esac") => open = open.saturating_sub(1),
                _ => {}
            }
            self.tokens.advance();
        }
        match self.tokens.at == start {
            true => {
                let span = self.tokens.here();
                Err(self.refuse("a value is expected here", span, "write what the parameter stands for"))
            }
            false => Ok(start..self.tokens.at),
        }
    }
    /// The meaning of the parameter of that path for the argument `words`, and the body of its definition if it has
    /// one.
    fn passed(
        &self,
        scope: &ModuleInstance<'a>,
        words: std::ops::Range<usize>,
        parameter: String,
        used: &mut BTreeSet<&'a str>,
    ) -> (ModuleArgument<'a>, Option<Stream<'a>>) {
        let all = &self.tokens.all[words.clone()];
        // A parameter is passed on unchanged.
        if let [(Token::Name(name), _)] = all
            && let Some(passed) = scope.passed.get(name)
        {
            used.extend(matches!(passed, ModuleArgument::Value(..)).then_some(*name));
            return (passed.clone(), None);
        }
        if let Some((path, length)) = self.path(scope, words.start)
            && length == words.len()
        {
            return (ModuleArgument::Path(path), None);
        }
        let constant = match all {
            [(Token::Number(_) | Token::Word(_) | Token::Name(_), _)]
            | [(Token::Sign("-"), _), (Token::Number(_), _)] => Some(all.iter().map(|(token, _)| *token).collect()),
            _ => None,
        };
        let mut value = Stream::new();
        let mut at = words.start;
        while at < words.end {
            let (written, length) = match self.tokens.all[at] {
                (Token::Name(_), _) => self.name(scope, at, false, used),
                (token, span) => (vec![(FlattenedToken::Kept(token), span)], 1),
            };
            value.extend(written);
            at += length;
        }
        (ModuleArgument::Value(parameter, constant), Some(value))
    }
}
