//! `tamper families`.

use anyhow::{Context as _, Result, bail};

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::family_args::FamiliesArgs;
use crate::cli::door::{open_features, open_timed};
use crate::cli::exit::ExitCode;
use crate::cli::models::families::{diagram_budget, family, read_model};
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use tamper::experiment::{Limits, Timer};
use tamper::featured::FeaturedAutomaton;
use tamper::features::{Bitmaps, DiagramSet, Diagrams, ProductSets};
use tamper::game::{GameError, ProductVerdicts, Specification, Undecided, decide_products, shared_witnesses};
use tamper::model::Automaton;
use tamper::report::ProductsReport;
use tamper::text::{Budget, StopReason};

/// The largest number of products that are listed one by one: compressed bitmaps of them are faster than diagrams
/// (`docs/notes/0007-families.md`).
const MOST_WRITTEN: u64 = 2_000_000;

/// Decides which products of a family refine a specification.
pub fn families(args: &FamiliesArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let options = global.read_options();
    let Some(features) = &args.timed.features else {
        bail!("name the feature model of {} with --features", args.file.display());
    };
    let loaded = Loaded::read_family(&args.file, &options, terminal)?;
    let model = read_model(&open_features(features)?, terminal)?;
    let (_, featured) = family(&loaded, args.games.product().as_deref(), &model)?;
    let against = Loaded::read(&open_timed(&args.against)?, &options, terminal)?;
    let game = against.game(args.games.specification().as_deref())?;
    match answer(args, &featured, game, terminal)? {
        Ok((report, code)) => {
            terminal.answer(|| report.json(), || report.text())?;
            Ok(code)
        }
        Err(note) => {
            terminal.note(&note);
            Ok(ExitCode::Unknown)
        }
    }
}

/// The report with its exit code; else the limit that was hit before there was anything to show.
fn answer<'g>(
    args: &FamiliesArgs,
    featured: &'g FeaturedAutomaton,
    game: &'g Automaton,
    terminal: &Terminal,
) -> Result<Result<(ProductsReport<'g>, ExitCode), String>> {
    let semantics = args.semantics.resolve();
    let timer = Timer::new(args.limits.resolve());
    let specification = match Specification::prepare(game, semantics, &timer.budget()) {
        Ok(specification) => specification,
        Err(GameError::SpecUnknown(reason)) => {
            return Ok(Err(format!("the specification could not be analysed: {reason}")));
        }
        Err(error) => return Err(anyhow::Error::new(error).context(format!("`{}` has no verdicts", game.name()))),
    };
    // The limit on states is meant for the exploration; diagrams have their own limit. After a deadline, the findings are still shown if
    // that takes little longer.
    let limits = args.limits.resolve();
    let longer = Timer::new(Limits {
        timeout_ms: limits.timeout_ms.map(|timeout| timeout + 500),
        ..limits
    });
    let of_sets = Budget {
        max_states: None,
        ..longer.budget()
    };
    let too_large = |reason: StopReason| Ok(Err(format!("the sets of products are too large: {reason}")));
    let mut sets = match Diagrams::of(featured.model(), &diagram_budget(of_sets)) {
        Ok(sets) => sets,
        Err(reason) => return too_large(reason),
    };
    let verdicts = match decide(featured, &specification, &mut sets, &timer.budget()) {
        Ok(verdicts) => verdicts,
        Err(reason) => return too_large(reason),
    };
    let shown = ProductsReport::of(featured, game, &semantics, &mut sets, &verdicts);
    let mut report = match shown {
        Ok(report) => report,
        Err(reason) => return too_large(reason),
    };
    let mut code = exit_code(&sets, &verdicts);
    if let Some(most) = args.timed.witnesses {
        let refuted = verdicts.non_subsumed;
        let found = shared_witnesses(featured, &specification, &mut sets, &refuted, most, &timer.budget());
        let added = found
            .context("a product has no meaning")?
            .and_then(|witnesses| report.add_witnesses(witnesses, &mut sets, refuted));
        if let Err(reason) = added {
            terminal.note(&format!("the witnesses were not found: {reason}"));
            code = ExitCode::Unknown;
        }
    }
    Ok(Ok((report, code)))
}

/// The verdicts, found with the representation of sets that is fastest for that number of products.
fn decide(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut Diagrams,
    budget: &Budget,
) -> Result<ProductVerdicts<DiagramSet>, StopReason> {
    let few = Budget {
        max_states: Some(MOST_WRITTEN),
        deadline: budget.deadline.clone(),
        ..Budget::unlimited()
    };
    match Bitmaps::of(featured.model(), &few) {
        Ok(mut bitmaps) => {
            let verdicts = decide_products(featured, specification, &mut bitmaps, budget);
            verdicts.map(|set| sets.of_products(&bitmaps.products(set)))
        }
        Err(_) => Ok(decide_products(featured, specification, sets, budget)),
    }
}

fn exit_code(sets: &Diagrams, verdicts: &ProductVerdicts<DiagramSet>) -> ExitCode {
    let mut reasons = verdicts.undecided.iter().filter(|(_, set)| !sets.is_empty(set));
    let is_stopped = |(why, _): &(Undecided, DiagramSet)| matches!(why, Undecided::Stopped(_));
    match reasons.next() {
        None => ExitCode::yes_if(verdicts.subsumed == sets.all()),
        Some(first) if is_stopped(first) || reasons.any(is_stopped) => ExitCode::Unknown,
        Some(_) => ExitCode::Error,
    }
}
