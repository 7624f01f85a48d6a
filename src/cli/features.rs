//! `tamper features`.

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use super::args::Format;
use super::exit::ExitCode;
use super::families::{diagram_budget, find_features, product, read_model};
use super::family_args::FeaturesArgs;
use super::terminal::Terminal;
use crate::experiment::{Timer, write_file};
use crate::features::{
    Diagram, EncodedModel, Explainer, FeatureId, FeatureModel, Product, Solver as _, Varisat, t_wise, uniform,
};
use crate::formats::feature_model::{FeatureModelFormat, write_feature_model};
use crate::report::{ModelFacts, WhyFacts, model_text, product_names, why_text};

/// Most combinations of features that a covering sample looks at.
const MAX_COMBINATIONS: u128 = 1_000_000;

/// Answers a question about a feature model.
pub fn features(args: &FeaturesArgs, terminal: &Terminal) -> Result<ExitCode> {
    let model = read_model(&args.file, terminal)?;
    match (&args.why, args.sample, args.cover, &args.out) {
        (Some(names), ..) => why(&model, names, terminal),
        (_, Some(n), ..) => sample(args, &model, n, terminal),
        (_, _, Some(t), _) => cover(args, &model, usize::from(t), terminal),
        (.., Some(path)) => {
            let format = FeatureModelFormat::of(path).with_context(|| {
                let name = path.display();
                format!("{name}: the ending must be .uvl, .xml (FeatureIDE), .dimacs or .cnf")
            })?;
            let text = write_feature_model(&model, format)?;
            write_file(path, &text)?;
            print(
                terminal,
                &json!({ "out": path.display().to_string(), "bytes": text.len() }),
                || format!("{} bytes written to {}", text.len(), path.display()),
            )?;
            Ok(ExitCode::Yes)
        }
        _ => facts(args, &model, terminal),
    }
}

fn print(terminal: &Terminal, value: &impl serde::Serialize, text: impl Fn() -> String) -> Result<()> {
    match terminal.format {
        Format::Json => terminal.result(&serde_json::to_string_pretty(value)?)?,
        Format::Text => terminal.result(&text())?,
    }
    Ok(())
}

fn facts(args: &FeaturesArgs, model: &FeatureModel, terminal: &Terminal) -> Result<ExitCode> {
    let timer = Timer::new(args.limits.resolve());
    let diagram = Diagram::of(model, &diagram_budget(timer.budget()));
    let fixed = match &diagram {
        Ok(diagram) => diagram.fixed(),
        // A solver asks feature by feature: slower, and without a limit.
        Err(_) => Explainer::new(model, Varisat::default()).fixed()?,
    };
    let facts = ModelFacts::of(model, &diagram, fixed.as_ref());
    print(terminal, &facts, || model_text(&facts))?;
    if !facts.is_void() {
        return Ok(if facts.is_complete() {
            ExitCode::Yes
        } else {
            ExitCode::Unknown
        });
    }
    if let Some(why) = Explainer::new(model, Varisat::default()).why_not(&[])? {
        let rules: Vec<_> = why.rules.iter().map(|rule| rule.describe(model)).collect();
        terminal.note(&format!(
            "these rules contradict each other:\n  - {}",
            rules.join("\n  - ")
        ));
    }
    Ok(ExitCode::No)
}

fn why(model: &FeatureModel, names: &[String], terminal: &Terminal) -> Result<ExitCode> {
    let listed = find_features(model, names)?;
    let answer = product(model, &listed)?;
    let facts = WhyFacts::of(model, &listed, &answer);
    print(terminal, &facts, || why_text(&facts))?;
    Ok(if answer.is_ok() { ExitCode::Yes } else { ExitCode::No })
}

fn sample(args: &FeaturesArgs, model: &FeatureModel, n: usize, terminal: &Terminal) -> Result<ExitCode> {
    let timer = Timer::new(args.limits.resolve());
    match Diagram::of(model, &diagram_budget(timer.budget())) {
        Ok(diagram) => {
            let products = uniform(&diagram, n, args.seed);
            show(model, &products, terminal)?;
            Ok(if products.len() < n {
                ExitCode::No
            } else {
                ExitCode::Yes
            })
        }
        Err(reason) => {
            terminal.message(&format!(
                "the products were not counted, so none can be drawn uniformly: {reason}; allow more with --max-states"
            ));
            Ok(ExitCode::Unknown)
        }
    }
}

fn cover(args: &FeaturesArgs, model: &FeatureModel, t: usize, terminal: &Terminal) -> Result<ExitCode> {
    let features = covered_features(model);
    let n = features.len() as u128;
    let combinations = (0..t as u128).fold(1, |all, index| all * n.saturating_sub(index) * 2 / (index + 1));
    if combinations > MAX_COMBINATIONS {
        bail!("{combinations} combinations of {t} of {n} features are too many: at most {MAX_COMBINATIONS}");
    }
    let mut solver = Varisat::default();
    solver.load(EncodedModel::of(model).cnf());
    let coverage = t_wise(&mut solver, model, &features, t, args.seed)?;
    show(model, &coverage.products, terminal)?;
    terminal.note(&format!(
        "{} products have all {} possible combinations of {t} features; {} are impossible",
        coverage.products.len(),
        coverage.n_covered,
        coverage.n_impossible
    ));
    Ok(if coverage.products.is_empty() {
        ExitCode::No
    } else {
        ExitCode::Yes
    })
}

/// The mutations, or where there are none all that a user chooses.
fn covered_features(model: &FeatureModel) -> Vec<FeatureId> {
    let of = |keep: fn(&crate::features::Feature) -> bool| {
        let features = model.features().iter_enumerated().skip(1);
        features
            .filter(|(_, feature)| keep(feature))
            .map(|(id, _)| id)
            .collect()
    };
    let mutations: Vec<_> = of(|feature| feature.attribute("operator").is_some());
    if mutations.is_empty() {
        of(|feature| !feature.is_abstract && feature.attribute("hidden") != Some("true"))
    } else {
        mutations
    }
}

/// One product per line, as `--product` takes it.
fn show(model: &FeatureModel, products: &[Product], terminal: &Terminal) -> Result<()> {
    let names: Vec<_> = products.iter().map(|product| product_names(model, product)).collect();
    let lines = || names.iter().map(|names| names.join(",") + "\n").collect();
    print(terminal, &names, lines)
}
