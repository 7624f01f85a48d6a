//! Feature models, and conditions on features.

use std::fmt::Write as _;

use tamper::features::{FeatureId, FeatureModel, Random, parse_expr};
use tamper::formats::feature_model::{FeatureModelFormat, read_feature_model, write_feature_model};
use tamper::text::Id as _;

use super::expressions::{Language, depth, list, one};

const UVL: Language = Language {
    connectives: &["&", "|", "=>", "&", "|"],
    not: Some("!"),
    sums: &["&"],
    comparisons: &[],
    conditional: None,
    nesting: 95,
    chain: 450,
    truths: &["a", "b", "c", "\"d e\""],
    numbers: &["a", "b"],
};

/// A constraint, with equivalences in each other now and then.
fn constraint(random: &mut Random) -> String {
    match random.below(6) {
        0 => {
            let n = depth(random, 9);
            list(random, n, " <=> ", |random, _| one(random, UVL.truths).to_owned())
        }
        1 => {
            let n = depth(random, 9);
            format!("{}a{}", "(b <=> ".repeat(n), ")".repeat(n))
        }
        _ => UVL.truth(random),
    }
}

pub fn condition(random: &mut Random) -> String {
    constraint(random)
}

pub fn uvl(random: &mut Random) -> String {
    let mut text = "features\n\tr\n\t\toptional\n\t\t\ta\n\t\t\tb\n\t\t\tc\n\t\t\t\"d e\" {abstract}\n".to_owned();
    let n = depth(random, 120);
    for at in 0..n {
        let (level, kind) = (
            2 * at + 4,
            one(random, &["mandatory", "optional", "or", "alternative", "[0..1]"]),
        );
        let _ = writeln!(text, "{}{kind}\n{}f{at}", "\t".repeat(level), "\t".repeat(level + 1));
    }
    if random.below(4) == 0 {
        text += "\t\tor\n";
        let wide = depth(random, 300);
        text += &list(random, wide, "", |_, at| format!("\t\t\tw{at} {{id 'w{at}'}}\n"));
    }
    text += "constraints\n";
    let n = 1 + random.below(3);
    text += &list(random, n, "", |random, _| format!("\t{}\n", constraint(random)));
    text
}

/// A formula in elements.
fn formula(random: &mut Random, height: usize) -> String {
    let var = format!("<var>{}</var>", one(random, &["a", "b", "f0"]));
    if height == 0 {
        return var;
    }
    let inner = formula(random, height - 1);
    match random.below(if height < 8 { 6 } else { 4 }) {
        0 => format!("<not>{inner}</not>"),
        1 => format!("<conj>{inner}{var}</conj>"),
        2 => format!("<disj>{var}{inner}{var}</disj>"),
        3 => format!("<imp>{inner}{var}</imp>"),
        4 => format!("<eq>{inner}{var}</eq>"),
        _ => format!("<atmost1>{inner}{var}</atmost1>"),
    }
}

pub fn featureide(random: &mut Random) -> String {
    let n = depth(random, 400);
    let mut text = "<featureModel><struct><and name=\"r\"><feature name=\"a\"/><feature name=\"b\"/>".to_owned();
    let mut close = Vec::new();
    for at in 0..n {
        let tag = one(random, &["and", "or", "alt"]);
        let mandatory = one(random, &["", " mandatory=\"true\""]);
        let _ = write!(text, "<{tag} name=\"f{at}\"{mandatory}>");
        close.push(format!("</{tag}>\n"));
    }
    text += "<feature name=\"end\"/>";
    close.reverse();
    text += &close.concat();
    let wide = if random.below(4) == 0 { depth(random, 200) } else { 1 };
    text += &list(random, wide, "", |_, at| format!("<feature name=\"w{at}\"/>"));
    text += "</and></struct><constraints>";
    for _ in 0..1 + random.below(3) {
        let height = depth(random, 300);
        let _ = write!(text, "<rule>{}</rule>", formula(random, height));
    }
    text + "</constraints></featureModel>"
}

pub fn dimacs(random: &mut Random) -> String {
    let (variables, clauses) = (depth(random, 500), depth(random, 100));
    let mut text = list(random, variables, "", |_, at| format!("c {} f{at}\n", at + 1));
    let _ = writeln!(text, "p cnf {variables} {clauses}");
    for _ in 0..clauses {
        let (length, between) = (depth(random, 200), one(random, &[" ", "\n"]));
        let literal = |random: &mut Random, _| {
            let variable = 1 + random.below(variables);
            format!("{}{variable}", one(random, &["", "-"]))
        };
        let _ = writeln!(text, "{} 0", list(random, length, between, literal));
    }
    text
}

fn read(name: &str, text: &str, format: FeatureModelFormat) -> Result<(), String> {
    let (model, _) = read_feature_model(name, text.as_bytes(), format).map_err(|error| error.to_string())?;
    for format in FeatureModelFormat::ALL {
        let written = write_feature_model(&model, format);
        assert!(written.is_ok_and(|text| !text.is_empty()), "names have no point");
    }
    Ok(())
}

pub fn read_uvl_file(text: &str) -> Result<(), String> {
    read("x.uvl", text, FeatureModelFormat::Uvl)
}

pub fn read_featureide_file(text: &str) -> Result<(), String> {
    read("x.xml", text, FeatureModelFormat::FeatureIde)
}

pub fn read_dimacs_file(text: &str) -> Result<(), String> {
    read("x.dimacs", text, FeatureModelFormat::Dimacs)
}

pub fn read_condition(text: &str) -> Result<(), String> {
    let text = text.replace("\"d e\"", "\"d_e\"");
    let mut model = FeatureModel::new("r").unwrap();
    let group = model.add_group(model.root(), tamper::features::GroupKind::Optional);
    let known: Vec<FeatureId> = ["a", "b", "c", "d_e"]
        .map(|name| model.add_feature(group, name).unwrap())
        .into();
    assert!(known.iter().all(|id| id.index() > 0));
    let expr = parse_expr(&text, |name| model.find(name)).map_err(|error| error.to_string())?;
    let again = parse_expr(&model.show(&expr).to_string(), |name| model.find(name));
    assert!(again.is_ok_and(|again| again == expr) || text.len() > 100, "{text}");
    Ok(())
}
