//! The spelling of the labels of a game that name constants: the model knows only the values.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node;

use crate::document::{Document, TextPlace};
use crate::grammar::built_in::{BUILT_IN, BuiltIn};
use crate::grammar::lexer::{TokenKind, lex};
use crate::text::text_of;
use crate::writing::declared::{Declared, DeclaredKind, find};
use tamper_text::IndexVec;
use tamper_timed::model::{Automaton, EdgeId, LocId};

/// The labels that name constants, in their file's spelling, without comments and line ends.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Spelling {
    /// The invariants.
    pub invariants: IndexVec<LocId, Option<String>>,
    /// The labels of the edges, by their kind.
    pub labels: IndexVec<EdgeId, BTreeMap<&'static str, String>>,
    /// The declarations of the constants that occur in labels, with their values.
    pub constants: BTreeSet<String>,
}

impl Spelling {
    /// The label of that kind at an edge, if it names a constant.
    pub fn label(&self, edge: EdgeId, kind: &str) -> Option<&str> {
        self.labels.get(edge)?.get(kind).map(String::as_str)
    }

    /// The invariant of a location, if it names a constant.
    pub fn invariant(&self, location: LocId) -> Option<&str> {
        self.invariants.get(location)?.as_deref()
    }

    /// The spelling for clocks that run `scale` times as fast: the values that clocks are compared with or set to are
    /// multiplied. The caller must check the result by reading it.
    #[must_use]
    pub(crate) fn scaled(mut self, scale: i64, automaton: &Automaton) -> Self {
        if scale == 1 {
            return self;
        }
        let is_clock = |word: &str| automaton.clocks().iter().any(|clock| &*clock.name == word);
        for invariant in self.invariants.iter_mut().flatten() {
            *invariant = multiplied(invariant, scale, "&&", &COMPARED, &is_clock);
        }
        for labels in self.labels.iter_mut() {
            for (kind, text) in labels {
                match *kind {
                    "guard" => *text = multiplied(text, scale, "&&", &COMPARED, &is_clock),
                    "assignment" => *text = multiplied(text, scale, ",", &SET, &is_clock),
                    _ => {}
                }
            }
        }
        self
    }

    /// The spelling of automaton `index` in the file of `document`, whose elements are `xml`.
    pub(crate) fn of(document: &Document, index: usize, xml: &roxmltree::Document<'_>) -> Self {
        let labels = xml.descendants().filter(|node| node.has_tag_name("label"));
        let mut speller = Speller {
            scopes: [&document.origins[index].locals, &document.globals],
            labels: labels.map(|node| (node.range().start, node)).collect(),
            constants: BTreeSet::new(),
        };
        let layout = document.layout(index);
        let invariants = layout.locations.iter().map(|place| speller.spelled(place.invariant));
        let invariants = invariants.collect();
        let labels = layout.edges.iter().map(|place| {
            let places = [
                ("select", place.select),
                ("guard", place.guard),
                ("assignment", place.assignment),
            ];
            let spelled = places
                .into_iter()
                .filter_map(|(kind, place)| Some((kind, speller.spelled(place)?)));
            spelled.collect()
        });
        Self {
            labels: labels.collect(),
            invariants,
            constants: speller.constants,
        }
    }
}

struct Speller<'a, 'x> {
    /// The names of the template, then the names of the file.
    scopes: [&'a [Declared]; 2],
    /// The elements of labels, by their start.
    labels: BTreeMap<usize, Node<'x, 'x>>,
    constants: BTreeSet<String>,
}

impl Speller<'_, '_> {
    /// The label at `place`, if it names a constant.
    fn spelled(&mut self, place: Option<TextPlace>) -> Option<String> {
        let text = text_of(*self.labels.get(&(place?.element.start as usize))?);
        let mut named = lex(&text).tokens.into_iter().filter_map(|token| match token.kind {
            TokenKind::Word(word) => self.declaration(&word),
            _ => None,
        });
        let named: Vec<String> = named.by_ref().collect();
        if named.is_empty() {
            return None;
        }
        self.constants.extend(named);
        Some(on_one_line(&text.decoded))
    }

    fn declaration(&self, word: &str) -> Option<String> {
        let mut scopes = self.scopes.iter();
        let declared = scopes.find_map(|scope| find(scope, word)).map(|found| &found.meaning);
        match declared {
            Some(DeclaredKind::Constant { value, boolean: true }) => {
                Some(format!("const bool {word} = {};", *value != 0))
            }
            Some(DeclaredKind::Constant { value, .. }) => Some(format!("const int {word} = {value};")),
            Some(_) => None,
            None => built_in_constant(word).map(|value| format!("const int {word} = {value};")),
        }
    }
}

/// The value of a constant that UPPAAL declares outside the file.
fn built_in_constant(word: &str) -> Option<i32> {
    let found = BUILT_IN.into_iter().find(|(name, _)| *name == word);
    match found?.1 {
        BuiltIn::Constant(value) => Some(value),
        BuiltIn::Type(..) | BuiltIn::Foreign(_) => None,
    }
}

/// The signs that compare clocks; a sign stands before its prefixes.
const COMPARED: [&str; 5] = ["<=", ">=", "==", "<", ">"];
/// The signs that set clocks.
const SET: [&str; 2] = [":=", "="];

/// `text`, a list of parts with separators; in each part, the side of the sign without a clock is multiplied.
fn multiplied(text: &str, scale: i64, separator: &str, signs: &[&str], is_clock: &dyn Fn(&str) -> bool) -> String {
    let has_clock = |side: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        side.split(|c| !is_letter(c)).any(is_clock)
    };
    let part = |part: &str| {
        let found = signs.iter().filter_map(|sign| Some((part.find(sign)?, *sign)));
        let Some((at, sign)) = found.min_by_key(|(at, sign)| (*at, usize::MAX - sign.len())) else {
            return part.trim().to_owned();
        };
        let (left, right) = (part[..at].trim(), part[at + sign.len()..].trim());
        match (has_clock(left), has_clock(right)) {
            (true, false) => format!("{left} {sign} {scale} * ({right})"),
            (false, true) => format!("{scale} * ({left}) {sign} {right}"),
            _ => part.trim().to_owned(),
        }
    };
    let join = if separator == "," { ", " } else { " && " };
    text.split(separator).map(part).collect::<Vec<_>>().join(join)
}

/// `text` without comments, its words separated by one space.
pub(crate) fn on_one_line(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        shown.push_str(&rest[..at]);
        shown.push(' ');
        let end = match rest[at..].starts_with("//") {
            true => rest[at..].find('\n').map(|end| at + end),
            false => rest[at + 2..].find("*/").map(|end| at + end + 4),
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
    shown.push_str(rest);
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, read_bytes};

    #[test]
    fn the_side_without_a_clock_is_multiplied() {
        let is_clock = |word: &str| word == "x" || word == "y";
        let guard = |text: &str| multiplied(text, 2, "&&", &COMPARED, &is_clock);
        assert_eq!(
            guard("x<=T+1 && T >= y&&n == N"),
            "x <= 2 * (T+1) && 2 * (T) >= y && n == N"
        );
        assert_eq!(guard("x - y < T"), "x - y < 2 * (T)");
        assert_eq!(
            multiplied("x:=T, n = N", 3, ",", &SET, &is_clock),
            "x := 3 * (T), n = N"
        );
    }

    #[test]
    fn comments_and_line_ends_are_left_out() {
        assert_eq!(
            on_one_line("x <= T // the time\n  && y /* a\nb */ > 2"),
            "x <= T && y > 2"
        );
        assert_eq!(on_one_line("x<=T//"), "x<=T");
        assert_eq!(on_one_line("/**/x<=T/*"), "x<=T");
    }

    #[test]
    fn labels_with_constants_of_the_file_the_template_and_its_parameters_are_spelled_as_in_the_file() {
        let file = "<nta><declaration>const int T = 2 + 3; chan a, b;</declaration>
            <template><name>P</name><parameter>const int N</parameter><declaration>clock x; const bool ON = true;</declaration>
            <location id=\"s\"><name>s</name><label kind=\"invariant\">x &lt;= T + N // so long</label></location>
            <location id=\"e\"><name>e</name><label kind=\"invariant\">x &lt;= 9</label></location><init ref=\"s\"/>
            <transition><source ref=\"s\"/><target ref=\"e\"/><label kind=\"guard\">x&gt;=T &amp;&amp; ON</label>
            <label kind=\"synchronisation\">a!</label><label kind=\"assignment\">x = 0</label></transition></template>
            <system>Q = P(1); system Q;</system></nta>";
        let (document, _) = read_bytes("file", file.as_bytes(), &ReadOptions::default()).unwrap();
        let spelling = document.placement(0).spelling;
        let invariants: Vec<_> = spelling.invariants.iter().map(Option::as_deref).collect();
        assert_eq!(invariants, [Some("x <= T + N"), None]);
        let labels: Vec<_> = spelling.labels.iter().flatten().collect();
        assert_eq!(labels, [(&"guard", &"x>=T && ON".to_owned())]);
        let declared: Vec<_> = spelling.constants.iter().map(String::as_str).collect();
        assert_eq!(
            declared,
            ["const bool ON = true;", "const int N = 1;", "const int T = 5;"]
        );
    }
}
