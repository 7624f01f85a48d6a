//! Counts the shops that can be sold, lists the features that all of them have, and explains why one cannot be had.

use tamper_features::formats::{FeatureModelFormat, read_feature_model};
use tamper_features::{Batsat, Diagram, Explainer};
use tamper_text::Budget;

const SHOP: &str = "features
\tshop
\t\tmandatory
\t\t\tcatalogue
\t\toptional
\t\t\tsearch
\t\talternative
\t\t\tcard
\t\t\tinvoice
constraints
\tinvoice => !search
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (shop, _) = read_feature_model("shop.uvl", SHOP.as_bytes(), FeatureModelFormat::Uvl)?;
    let products = Diagram::of(&shop, &Budget::unlimited()).expect("there is no limit");
    println!("{} products of {} features", products.count(), shop.features().len());

    let feature = |name: &str| shop.find(name).expect("a feature of the shop");
    let choices = [(feature("search"), true), (feature("invoice"), true)];
    let mut explainer = Explainer::new(&shop, Batsat::default());
    match explainer.why_not(&choices)? {
        None => println!("search with invoices can be had"),
        Some(why) => why
            .rules
            .iter()
            .for_each(|rule| println!("no: {}", rule.describe(&shop))),
    }
    Ok(())
}
