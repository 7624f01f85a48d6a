//! The normal form of games and of their mutants, beside what plain code makes of the UPPAAL files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};
use snapbox::cmd::Command;

use crate::export::{STUDIES, study};

/// A move: its action with its sign, the node that it leads to, its guard, the clocks that it sets.
type Move = (String, String, BTreeSet<String>, BTreeSet<String>);

/// A node by its location and the values of the integers: its invariant, whether it is urgent, and its moves.
type Nodes = BTreeMap<String, (BTreeSet<String>, bool, BTreeSet<Move>)>;

fn nodes_of_text(text: &str) -> Nodes {
    let mut keys = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("node ")) {
        let (number, key) = line.split_once(' ').unwrap();
        keys.insert(number, key);
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    let mut nodes = Nodes::new();
    let mut key = "";
    for line in text.lines() {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "#" | "clocks" | "inputs" | "outputs" | "internal" => {}
            "node" => {
                key = rest.split_once(' ').unwrap().1;
                nodes.entry(key.to_owned()).or_default();
            }
            "holds" => nodes.get_mut(key).unwrap().0 = words(rest),
            "urgent" => nodes.get_mut(key).unwrap().1 = true,
            action => {
                let (head, resets) = rest.split_once(" do ").unwrap_or((rest, ""));
                let (target, guard) = head.split_once(" if ").unwrap_or((head, ""));
                let step = (action.to_owned(), keys[target].to_owned(), words(guard), words(resets));
                nodes.get_mut(key).unwrap().2.insert(step);
            }
        }
    }
    reached(nodes, keys["0"])
}

/// The nodes to which moves lead from `start` that are possible somewhere; what lies behind other moves may be written out or not.
fn reached(mut nodes: Nodes, start: &str) -> Nodes {
    let (mut reached, mut open) = (Nodes::new(), vec![start.to_owned()]);
    while let Some(key) = open.pop() {
        let Some(node) = nodes.remove(&key) else { continue };
        let possible = node
            .2
            .iter()
            .filter(|(_, _, guard, _)| is_possible(&node.0.union(guard).cloned().collect()));
        open.extend(possible.map(|(_, target, ..)| target.clone()));
        reached.insert(key, node);
    }
    reached
}

/// Whether some clock values satisfy all atoms, which compare a clock with a constant: no bound from below passes one from above.
fn is_possible(atoms: &BTreeSet<String>) -> bool {
    let bounds: Vec<(&str, &str, i64)> = atoms
        .iter()
        .map(|atom| {
            let (clock, rest) = atom.split_at(atom.find(['<', '>', '=']).unwrap());
            let (sign, constant) = rest.split_at(rest.find(|sign: char| sign.is_ascii_digit()).unwrap());
            (clock, sign, constant.parse().unwrap())
        })
        .collect();
    bounds.iter().all(|(clock, sign, constant)| {
        let others = bounds.iter().filter(|(other, ..)| other == clock);
        let mut above = others.filter(|(_, other, _)| !sign.starts_with('<') && !other.starts_with('>'));
        above.all(|(_, other, most)| constant < most || constant == most && *sign != ">" && *other != "<")
    })
}

/// The same of the template called `name` in a UPPAAL file: clocks, integers that are compared with constants and set to them, names that
/// are used as they are.
fn nodes_of_template(file: &str, name: &str) -> Nodes {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(file, options).unwrap();
    let child = |node: &Node<'_, '_>, tag: &str| {
        node.children()
            .find(|child| child.has_tag_name(tag))
            .map(|found| found.id())
    };
    let text = |node: &Node<'_, '_>, tag: &str| {
        let found = child(node, tag).map(|id| document.get_node(id).unwrap());
        found
            .and_then(|found| found.text())
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let label = |node: &Node<'_, '_>, kind: &str| {
        let found = node.children().find(|child| child.attribute("kind") == Some(kind));
        found
            .and_then(|found| found.text())
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let template = document
        .descendants()
        .find(|node| node.has_tag_name("template") && text(node, "name") == name)
        .unwrap();
    let (mut clocks, mut start) = (BTreeSet::new(), BTreeMap::new());
    let declaration = text(&template, "declaration");
    let code = declaration.lines().map(|line| line.split("//").next().unwrap());
    for part in code.collect::<String>().split(';').map(str::trim) {
        match part.split_once(' ') {
            Some(("clock", names)) => clocks.extend(names.split(',').map(|name| name.trim().to_owned())),
            Some(("int", names)) => {
                for name in names.split(',') {
                    let (name, value) = name.split_once('=').unwrap_or((name, "0"));
                    start.insert(name.trim().to_owned(), value.trim().parse::<i64>().unwrap());
                }
            }
            None if part.is_empty() => {}
            _ => panic!("{part}"),
        }
    }
    let is_clock = |atom: &str| clocks.contains(atom.split(['<', '>', '=', '!']).next().unwrap().trim());
    let parts = |text: &str, sign: &str| -> Vec<String> {
        let parts = text.split(sign).map(|part| part.replace(char::is_whitespace, ""));
        parts.filter(|part| !part.is_empty() && part != "true").collect()
    };
    let clock_atoms = |text: &str| -> BTreeSet<String> {
        let atoms = parts(text, "&&").into_iter().filter(|atom| is_clock(atom));
        atoms.map(|atom| atom.replace("==", "=")).collect()
    };
    let holds = |text: &str, values: &BTreeMap<String, i64>| {
        parts(text, "&&").iter().filter(|atom| !is_clock(atom)).all(|atom| {
            let (name, wanted, equal) = match atom.split_once("==") {
                Some((name, wanted)) => (name, wanted, true),
                None => atom
                    .split_once("!=")
                    .map(|(name, wanted)| (name, wanted, false))
                    .unwrap(),
            };
            (values[name] == wanted.parse::<i64>().unwrap()) == equal
        })
    };
    let locations: BTreeMap<&str, Node<'_, '_>> = template
        .children()
        .filter(|node| node.has_tag_name("location"))
        .map(|node| (node.attribute("id").unwrap(), node))
        .collect();
    let ref_of = |node: &Node<'_, '_>, tag: &str| {
        document
            .get_node(child(node, tag).unwrap())
            .unwrap()
            .attribute("ref")
            .unwrap()
    };
    let key = |location: &str, values: &BTreeMap<String, i64>| {
        let values: String = values.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        text(&locations[location], "name") + &values
    };
    let mut nodes = Nodes::new();
    let mut open = vec![(ref_of(&template, "init"), start.clone())];
    while let Some((at, values)) = open.pop() {
        let location = &locations[at];
        if nodes.contains_key(&key(at, &values)) {
            continue;
        }
        let mut moves = BTreeSet::new();
        for edge in template
            .children()
            .filter(|node| node.has_tag_name("transition") && ref_of(node, "source") == at)
        {
            let guard = label(&edge, "guard");
            if !holds(&guard, &values) {
                continue;
            }
            let (mut after, mut resets) = (values.clone(), BTreeSet::new());
            for update in parts(&label(&edge, "assignment"), ",") {
                let (name, value) = update.split_once('=').unwrap();
                match after.get_mut(name) {
                    Some(known) => *known = value.parse().unwrap(),
                    None => assert!(resets.insert(update.clone())),
                }
            }
            let target = ref_of(&edge, "target");
            let action = label(&edge, "synchronisation");
            moves.insert((action, key(target, &after), clock_atoms(&guard), resets));
            open.push((target, after));
        }
        let is_urgent = location.children().any(|child| child.has_tag_name("urgent"));
        nodes.insert(
            key(at, &values),
            (clock_atoms(&label(location, "invariant")), is_urgent, moves),
        );
    }
    let first = key(ref_of(&template, "init"), &start);
    reached(nodes, &first)
}

fn export(model: &Path, format: &str, out: &Path) {
    let command = Command::new(snapbox::cmd::cargo_bin!("tamper"));
    let command = command
        .arg("export")
        .arg(model)
        .args(["--keep", "all", "--as", format, "--out"]);
    command.arg(out).assert().success();
}

/// All mutants of order 1 of the six studies, in both formats.
#[test]
fn normal_forms_are_what_plain_code_reads_in_the_files() {
    let mut n = 0;
    for name in STUDIES {
        let folder = tempfile::tempdir().unwrap();
        let [files, forms] = ["files", "forms"].map(|name| folder.path().join(name));
        export(&study(name), "uppaal", &files);
        export(&study(name), "normal", &forms);
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let original = nodes_of_template(&read(&study(name)), "Spec");
        assert_eq!(nodes_of_text(&read(&forms.join("original.txt"))), original, "{name}");
        for entry in std::fs::read_dir(&files).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|end| end != "xml") {
                continue;
            }
            let form = forms.join(path.with_extension("txt").file_name().unwrap());
            let expected = nodes_of_template(&read(&path), "Spec_mutant");
            assert_eq!(nodes_of_text(&read(&form)), expected, "{}", path.display());
            n += 1;
        }
    }
    assert_eq!(n, 1434);
}
