//! The form of `case-studies/*/expected.toml`.

use serde::Deserialize;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub study: String,
    #[allow(dead_code, reason = "for readers of the file")]
    pub source: String,
    pub semantics: String,
    pub model: Model,
    pub order1: Order1,
    pub order2: Order2,
    pub fact: Vec<Fact>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub locations: usize,
    pub edges: usize,
    pub clocks: usize,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Order1 {
    pub total: u64,
    pub ratio: String,
    pub published_percent: u64,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Order2 {
    pub mutants: u64,
    pub ratio: Option<String>,
    pub below: Option<String>,
    pub published: String,
}

/// A published sentence about some of the mutants of order 1.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    pub id: String,
    pub claim: String,
    pub r#where: Where,
    pub total: Option<u64>,
    pub non_subsumed: Option<u64>,
    pub subsumed: Option<u64>,
    pub inconsistent: Option<u64>,
    pub violating: Option<u64>,
    pub bad: Option<u64>,
    pub undetected: Option<u64>,
    pub ratio_percent: Option<u64>,
    pub all_bad_violate: Option<bool>,
}

/// Which mutants a fact is about: those that every given key selects.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Where {
    pub operator: Option<String>,
    pub role: Option<String>,
    pub element: Option<String>,
    pub constraint: Option<String>,
    pub locations: Option<Vec<String>>,
    pub edges: Option<Vec<(String, String)>>,
}
