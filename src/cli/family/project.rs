//! `tamper project`.

use anyhow::Result;
use serde_json::json;

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::family_args::ProjectArgs;
use crate::cli::door::open_features;
use crate::cli::exit::ExitCode;
use crate::cli::models::families::{family, find_features, product, read_model};
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use tamper::experiment::write_file;
use tamper::formats::write_drawn;
use tamper::report::{WhyFacts, product_names, why_text};

/// Writes one member of a family.
pub fn project(args: &ProjectArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let loaded = Loaded::read_family(&args.file, &global.read_options(), terminal)?;
    let model = read_model(&open_features(&args.features)?, terminal)?;
    let (drawing, family) = family(&loaded, args.template.as_deref(), &model)?;
    let listed = find_features(&model, &args.product)?;
    let product = match product(&model, &listed)? {
        Ok(product) => product,
        Err(exclusion) => {
            let facts = WhyFacts::of(&model, &listed, &Err(exclusion));
            terminal.answer(|| &facts, || why_text(&facts))?;
            return Ok(ExitCode::No);
        }
    };
    let member = family.project(&product)?;
    let locations = family.conditions().locations.iter_enumerated();
    let kept = locations.filter(|(_, when)| when.holds(&product)).map(|(id, _)| id);
    write_file(&args.out, write_drawn(&member, &drawing.restricted(kept)))?;
    let names = product_names(&model, &product);
    let out = args.out.display();
    let shown = match names.is_empty() {
        true => "nothing but the root".to_owned(),
        false => names.join(", "),
    };
    terminal.answer(
        || json!({ "product": names, "out": out.to_string() }),
        || format!("the product of {shown} written to {out}"),
    )?;
    Ok(ExitCode::Yes)
}
