//! A product line: how many products there are, and why a wish cannot be had.

use std::error::Error;

use tamper::features::formats::{FeatureModelFormat, read_feature_model};
use tamper::features::{Batsat, Diagram, Explainer};
use tamper::text::Budget;

const PHONE: &str = "features
\tphone
\t\toptional
\t\t\tcamera
\t\talternative
\t\t\tbasic
\t\t\tsharp
constraints
\tcamera => sharp
";

#[test]
fn products_are_counted_and_refusals_explained() -> Result<(), Box<dyn Error>> {
    let (phone, warnings) = read_feature_model("phone.uvl", PHONE.as_bytes(), FeatureModelFormat::Uvl)?;
    assert!(warnings.is_empty());
    // Both screens without a camera, the sharp one with it.
    assert_eq!(Diagram::of(&phone, &Budget::unlimited())?.count(), 3_u32.into());
    let feature = |name: &str| phone.find(name).ok_or("a feature of the model");
    let wish = [(feature("camera")?, true), (feature("basic")?, true)];
    let mut explainer = Explainer::new(&phone, Batsat::default());
    let why = explainer.why_not(&wish)?.ok_or("there is such a phone")?;
    let rules: Vec<String> = why.rules.iter().map(|rule| rule.describe(&phone)).collect();
    println!("{}", rules.join("; "));
    assert_eq!(
        rules.len(),
        2,
        "the constraint, and that screens exclude each other: {rules:?}"
    );
    Ok(())
}
