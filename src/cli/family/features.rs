//! `tamper features`.

use anyhow::{Context as _, Result, bail};
use indicatif::ProgressBar;
use serde_json::json;

use crate::cli::arguments::args::Format;
use crate::cli::arguments::family_args::{FeaturesArgs, ProductSample};
use crate::cli::door::FeaturesFile;
use crate::cli::exit::ExitCode;
use crate::cli::models::families::{diagram_budget, find_features, nodes_progress, product_within, read_model, survey};
use crate::cli::terminal::Terminal;
use tamper::experiment::{Timer, write_file};
use tamper::features::{
    Anomalies, Batsat, EncodedModel, Explainer, FeatureId, FeatureModel, Product, ProductSpace, Solver as _,
    SolverFailure, t_wise,
};
use tamper::formats::feature_model::{FeatureModelFormat, write_feature_model};
use tamper::report::{ModelFacts, WhyFacts, model_text, product_names, why_text};

/// The largest number of combinations of features for a covering sample.
const MAX_COMBINATIONS: u128 = 1_000_000;

/// Answers a question about a feature model.
pub fn features(file: &FeaturesFile, args: &FeaturesArgs, terminal: &Terminal) -> Result<ExitCode> {
    // Reading counts: the limit is the command's.
    let limits = args.limits.resolve();
    let timer = Timer::of_run(limits, limits.timeout_ms);
    let model = read_model(file, terminal)?;
    match (&args.why, args.sample, &args.out) {
        (Some(names), ..) => why(&model, names, &timer, terminal),
        (_, Some(ProductSample::Uniform(n)), _) => sample(&model, n, args.seed, &timer, terminal),
        (_, Some(ProductSample::Wise(t)), _) => cover(&model, t, args.seed, &timer, terminal),
        (.., Some(path)) => {
            let format = FeatureModelFormat::of(path).with_context(|| {
                let name = path.display();
                format!("{name}: the ending must be .uvl, .xml (FeatureIDE), .dimacs or .cnf")
            })?;
            let text = write_feature_model(&model, format)?;
            write_file(path, &text)?;
            terminal.answer(
                || json!({ "out": path.display().to_string(), "bytes": text.len() }),
                || format!("{} bytes written to {}", text.len(), path.display()),
            )?;
            Ok(ExitCode::Yes)
        }
        _ => facts(&model, args.anomalies, &timer, terminal),
    }
}

fn facts(model: &FeatureModel, with_anomalies: bool, timer: &Timer, terminal: &Terminal) -> Result<ExitCode> {
    let mut facts = ModelFacts::of(model, &survey(model, timer, terminal));
    if with_anomalies {
        match limited(Anomalies::of(model, &timer.budget()), terminal)? {
            None => return Ok(ExitCode::Unknown),
            Some(found) => facts = facts.with_anomalies(model, &found.unwrap_or_default()),
        }
    }
    terminal.answer(|| &facts, || model_text(&facts))?;
    if !facts.is_void() {
        return Ok(ExitCode::known_if(facts.is_complete()));
    }
    let solver = Batsat::within(&timer.budget());
    match Explainer::new(model, solver).why_not(&[]) {
        Ok(None) => {}
        Ok(Some(why)) => {
            let rules: Vec<_> = why.rules.iter().map(|rule| rule.describe(model)).collect();
            let rules = rules.join("\n  - ");
            terminal.note(&format!("these rules contradict each other:\n  - {rules}"));
        }
        Err(failure) => terminal.note(&format!("which rules contradict each other was not found: {failure}")),
    }
    Ok(ExitCode::No)
}

/// The answer, or exit code 3 if a limit was hit.
fn limited<T>(answer: Result<T, impl Into<anyhow::Error>>, terminal: &Terminal) -> Result<Option<T>> {
    let error = match answer {
        Ok(answer) => return Ok(Some(answer)),
        Err(error) => error.into(),
    };
    match error.downcast_ref::<SolverFailure>().and_then(SolverFailure::reason) {
        Some(reason) => {
            terminal.message(&format!("no answer: {reason}"));
            Ok(None)
        }
        None => Err(error),
    }
}

fn why(model: &FeatureModel, names: &[String], timer: &Timer, terminal: &Terminal) -> Result<ExitCode> {
    let listed = find_features(model, names)?;
    let Some(answer) = limited(product_within(model, &listed, &timer.budget()), terminal)? else {
        return Ok(ExitCode::Unknown);
    };
    let facts = WhyFacts::of(model, &listed, &answer);
    terminal.answer(|| &facts, || why_text(&facts))?;
    Ok(ExitCode::yes_if(answer.is_ok()))
}

/// Prints `n` products, drawn by `seed`.
fn sample(model: &FeatureModel, n: usize, seed: u64, timer: &Timer, terminal: &Terminal) -> Result<ExitCode> {
    let budget = diagram_budget(timer.budget());
    let status = terminal.status();
    let space = ProductSpace::of(model, &budget, &mut nodes_progress(&status));
    status.inspect(ProgressBar::finish_and_clear);
    let space = match space {
        Ok(space) => space,
        Err(reason) => {
            terminal.message(&format!(
                "the products were not counted, so none can be drawn uniformly: {reason}; allow more with --max-states"
            ));
            return Ok(ExitCode::Unknown);
        }
    };
    let mut shown = ProductPrinter::new(model, terminal);
    let mut samples = space.samples(seed);
    while shown.n < n {
        if let Some(reason) = budget.exceeded(0, 0) {
            shown.finish()?;
            terminal.message(&format!("{} of {n} products were drawn: {reason}", shown.n));
            return Ok(ExitCode::Unknown);
        }
        let Some(product) = samples.next() else { break };
        shown.push(&product)?;
    }
    shown.finish()?;
    Ok(ExitCode::yes_if(shown.n >= n))
}

/// Prints products that have all combinations of `t` features, found by `seed`.
fn cover(model: &FeatureModel, t: usize, seed: u64, timer: &Timer, terminal: &Terminal) -> Result<ExitCode> {
    let features = covered_features(model);
    let n = features.len() as u128;
    let combinations = (0..t as u128).fold(1, |all, index| all * n.saturating_sub(index) * 2 / (index + 1));
    if combinations > MAX_COMBINATIONS {
        bail!("{combinations} combinations of {t} of {n} features are too many: at most {MAX_COMBINATIONS}");
    }
    let mut solver = Batsat::within(&timer.budget());
    solver.load(EncodedModel::of(model).cnf());
    let Some(coverage) = limited(t_wise(&mut solver, model, &features, t, seed), terminal)? else {
        return Ok(ExitCode::Unknown);
    };
    let mut shown = ProductPrinter::new(model, terminal);
    coverage.products.iter().try_for_each(|product| shown.push(product))?;
    shown.finish()?;
    terminal.note(&format!(
        "{} products have all {} possible combinations of {t} features; {} are impossible",
        coverage.products.len(),
        coverage.n_covered,
        coverage.n_impossible
    ));
    Ok(ExitCode::yes_if(!coverage.products.is_empty()))
}

/// The features that stand for mutations; without any, all features that a user chooses.
fn covered_features(model: &FeatureModel) -> Vec<FeatureId> {
    let of = |keep: fn(&tamper::features::Feature) -> bool| {
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

/// Prints products one by one: one per line, as `--product` takes it, or one list of lists of names.
struct ProductPrinter<'a> {
    model: &'a FeatureModel,
    terminal: &'a Terminal,
    /// The number of products so far.
    n: usize,
    /// The text that is not printed yet.
    text: String,
}

impl<'a> ProductPrinter<'a> {
    /// The length in bytes at which the text is printed.
    const FULL: usize = 1 << 16;

    fn new(model: &'a FeatureModel, terminal: &'a Terminal) -> Self {
        let (n, text) = (0, String::new());
        Self {
            model,
            terminal,
            n,
            text,
        }
    }
    fn push(&mut self, product: &Product) -> Result<()> {
        let names = product_names(self.model, product);
        match self.terminal.format {
            Format::Json => {
                self.text.push_str(if self.n == 0 { "[\n  " } else { ",\n  " });
                self.text.push_str(&serde_json::to_string(&names)?);
            }
            Format::Text => {
                self.text.push_str(&names.join(","));
                self.text.push('\n');
            }
        }
        self.n += 1;
        if self.text.len() >= Self::FULL {
            self.terminal.part(&std::mem::take(&mut self.text))?;
        }
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        if self.terminal.format == Format::Json {
            self.text.push_str(if self.n == 0 { "[]\n" } else { "\n]\n" });
        }
        Ok(self.terminal.part(&std::mem::take(&mut self.text))?)
    }
}
