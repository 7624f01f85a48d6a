//! `tamper fmm`.

use anyhow::{Result, bail};

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::family_args::FmmArgs;
use crate::cli::door::open_features;
use crate::cli::exit::ExitCode;
use crate::cli::models::families::{family, read_model, survey};
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use tamper::experiment::{FolderLock, Timer, write_file};
use tamper::formats::feature_model::{FeatureModelFormat, write_feature_model};
use tamper::formats::{Drawing, write_featured};
use tamper::guidelines::GuidedMutants;
use tamper::mutation::{FeaturedMutants, ProductBound};
use tamper::report::{FileFacts, ModelFacts, MutantModelFacts, mutant_model_text};

/// The annotated UPPAAL file.
const MODEL: &str = "fmm.xml";

/// Writes all mutants of a game, or of a family of games, as one featured mutant model.
pub fn fmm(args: &FmmArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let out = &args.out;
    let models = FeatureModelFormat::ALL.map(|format| (format, format!("features.{}", format.extension())));
    let names = models.iter().map(|(_, name)| name.as_str());
    global.places.check_files(out, names.chain([MODEL]))?;
    let (mutants, drawing) = mutants(args, global, terminal)?;
    let mut texts = vec![(MODEL.to_owned(), write_featured(mutants.automaton(), &drawing))];
    for (format, name) in models {
        texts.push((name, write_feature_model(mutants.model(), format)?));
    }
    let _lock = FolderLock::make(out)?;
    let mut files = Vec::new();
    for (file, text) in texts {
        write_file(&out.join(&file), &text)?;
        files.push(FileFacts {
            file,
            bytes: text.len(),
        });
    }
    let timer = Timer::new(args.limits.resolve());
    let facts = ModelFacts::of(mutants.model(), &survey(mutants.model(), &timer, terminal));
    let code = ExitCode::known_if(facts.is_complete());
    let facts = MutantModelFacts::of(&mutants, &args.order.to_string(), args.with_guidelines, facts, files);
    terminal.answer(|| &facts, || mutant_model_text(&facts))?;
    Ok(code)
}

/// The mutants, and the places of the locations.
fn mutants(args: &FmmArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<(FeaturedMutants, Drawing)> {
    let options = args.mutation.resolve();
    let sequences = |most| ProductBound::Sequences(u8::try_from(most).unwrap_or(u8::MAX));
    let bound = args.order.0.map_or(ProductBound::Sets(None), sequences);
    let template = args.template.as_deref();
    let (mutants, drawing) = match &args.features {
        Some(_) if args.network.is_asked() => {
            bail!("a family of games is not composed: leave out --features, or --network and its options")
        }
        Some(path) => {
            let loaded = Loaded::read_family(&args.file, &global.read_options(), terminal)?;
            let (drawing, family) = family(&loaded, template, &read_model(&open_features(path)?, terminal)?)?;
            (FeaturedMutants::of_family(&family, &options, bound)?, drawing)
        }
        None => {
            let loaded = Loaded::read_game(&args.file, template, &args.network, global, terminal)?;
            let game = loaded.game(template)?;
            (FeaturedMutants::of(game, &options, bound)?, loaded.drawing(game))
        }
    };
    if !args.with_guidelines {
        return Ok((mutants, drawing));
    }
    let guided = GuidedMutants::of(&mutants)?;
    Ok((guided.mutants().clone(), drawing))
}
