//! `tamper project`.

use anyhow::Result;
use serde_json::json;

use super::args::{Format, GlobalArgs};
use super::door::open_features;
use super::exit::ExitCode;
use super::families::{family, find_features, product, read_model};
use super::family_args::ProjectArgs;
use super::load::Loaded;
use super::terminal::Terminal;
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
            match terminal.format {
                Format::Json => terminal.result(&serde_json::to_string_pretty(&facts)?)?,
                Format::Text => terminal.result(&why_text(&facts))?,
            }
            return Ok(ExitCode::No);
        }
    };
    let member = family.project(&product)?;
    let locations = family.conditions().locations.iter_enumerated();
    let kept = locations.filter(|(_, when)| when.holds(&product)).map(|(id, _)| id);
    write_file(&args.out, write_drawn(&member, &drawing.restricted(kept)))?;
    let names = product_names(&model, &product);
    match terminal.format {
        Format::Json => {
            let value = json!({ "product": names, "out": args.out.display().to_string() });
            terminal.result(&serde_json::to_string_pretty(&value)?)?;
        }
        Format::Text => {
            let names = if names.is_empty() {
                "nothing but the root".to_owned()
            } else {
                names.join(", ")
            };
            terminal.result(&format!("the product of {names} written to {}", args.out.display()))?;
        }
    }
    Ok(ExitCode::Yes)
}
