//! Common parts of the commands about families.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use indicatif::ProgressBar;

use crate::cli::door::FeaturesFile;
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::featured::FeaturedAutomaton;
use tamper::features::{Batsat, Choice, Exclusion, FeatureId, FeatureModel, Product, Survey, choose};
use tamper::formats::feature_model::read_feature_model_with;
use tamper::formats::{Drawing, read_input, read_text};
use tamper::text::{Budget, SourceFile};

/// The largest number of nodes of a decision diagram or a circuit if no limit is given: about half a gigabyte.
const MAX_NODES: u64 = 5_000_000;

/// `budget` for decision diagrams and circuits, whose nodes count as states. (The timer that made it has to live as long as they are made:
/// it raises the deadline.)
pub fn diagram_budget(budget: Budget) -> Budget {
    let max_states = budget.max_states.or(budget.max_memory.is_none().then_some(MAX_NODES));
    Budget { max_states, ..budget }
}

/// Surveys the products of `model` within the limits of `timer`; the terminal shows the progress.
pub fn survey(model: &FeatureModel, timer: &Timer, terminal: &Terminal) -> Survey {
    let status = terminal.status();
    let survey = Survey::of(model, &diagram_budget(timer.budget()), &mut nodes_progress(&status));
    status.inspect(ProgressBar::finish_and_clear);
    survey
}

/// Shows the number of nodes on `status`.
pub fn nodes_progress(status: &Option<ProgressBar>) -> impl FnMut(usize) {
    move |n_nodes| {
        if let Some(status) = status {
            status.set_message(format!("counting products: {n_nodes} nodes"));
        }
    }
}

/// Reads a feature model; warnings are shown.
pub fn read_model(file: &FeaturesFile, terminal: &Terminal) -> Result<FeatureModel> {
    read_hashed_model(file, terminal).map(|(model, _)| model)
}

/// Reads the feature model, and the BLAKE3 of its file and of those that it imports, in hexadecimal.
pub fn read_hashed_model(file: &FeaturesFile, terminal: &Terminal) -> Result<(FeatureModel, String)> {
    let name = file.path.display().to_string();
    let bytes = read_input(&file.path, "name a feature model that exists and may be read")?;
    let mut hash = blake3::Hasher::new();
    hash.update(&bytes);
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let mut import = |path: &str| {
        let text =
            read_text(&folder.join(path), "imports are files beside this one").map_err(|error| error.to_string())?;
        hash.update(text.as_bytes());
        Ok(text)
    };
    let (model, warnings) = read_feature_model_with(&name, &bytes, file.format, &mut import)?;
    if !warnings.is_empty() {
        let file = SourceFile::new(name, String::from_utf8_lossy(&bytes));
        terminal.warnings(&file, &warnings);
    }
    Ok((model, hash.finalize().to_hex().to_string()))
}

/// The family that a game of `loaded` makes with `model`, and its drawing. A family with a product that is no automaton is refused.
pub fn family(loaded: &Loaded, template: Option<&str>, model: &FeatureModel) -> Result<(Drawing, FeaturedAutomaton)> {
    let game = loaded.game(template)?;
    let name = game.name();
    let (document, index) = loaded.in_file(game)?;
    let family = document.featured(index, model)?;
    let audit = family.audit(Batsat::default())?;
    if let Some((fault, product)) = audit.faults.first() {
        bail!(
            "`{name}` is no family of games: {fault} (product: {})",
            product.show(model)
        );
    }
    Ok((Drawing::of(document, index), family))
}

/// The features with these names, or with the mutations of that id.
pub fn find_features(model: &FeatureModel, names: &[String]) -> Result<Vec<FeatureId>> {
    let by_id = |name: &str| {
        let quoted = format!("'{}'", name.replace('\'', "_"));
        let mut features = model.features().iter_enumerated();
        let found = features.find(|(_, feature)| feature.attribute("id") == Some(quoted.as_str()));
        found.map(|(id, _)| id)
    };
    let find = |name: &&str| model.find(name).or_else(|| by_id(name));
    let names = names.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
    let one = |name: &str| {
        find(&name).with_context(|| {
            let meant = model.features().iter().map(|feature| feature.name());
            let meant = meant.filter(|known| resembles(known, name)).take(3);
            let meant: Vec<_> = meant.collect();
            match meant.as_slice() {
                [] => format!("the feature model has no feature `{name}`"),
                some => format!("the feature model has no feature `{name}`; it has {}", some.join(", ")),
            }
        })
    };
    names.map(one).collect()
}

/// Whether one name is a part of the other, whatever the case.
fn resembles(known: &str, name: &str) -> bool {
    let (known, name) = (known.to_lowercase(), name.to_lowercase());
    known.contains(&name) || (known.len() > 2 && name.contains(&known))
}

/// The product with exactly the `listed` features, or the reason why they are no product.
pub fn product(model: &FeatureModel, listed: &[FeatureId]) -> Result<Result<Product, Exclusion>> {
    product_within(model, listed, &Budget::unlimited())
}

/// The same within a time limit; hitting it is an error.
pub fn product_within(
    model: &FeatureModel,
    listed: &[FeatureId],
    budget: &Budget,
) -> Result<Result<Product, Exclusion>> {
    match choose(model, listed, || Batsat::within(budget))? {
        Choice::Product(product) => Ok(Ok(product)),
        Choice::Excluded(exclusion) => Ok(Err(exclusion)),
        Choice::Ambiguous(open) => {
            let names: Vec<_> = open.iter().map(|id| model.features()[*id].name()).collect();
            bail!(
                "several products differ only in abstract features: name those you want of {}",
                names.join(", ")
            )
        }
    }
}
