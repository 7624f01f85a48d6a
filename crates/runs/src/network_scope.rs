//! How runs and suites keep what was asked about a network.

use serde::{Deserialize, Serialize};

/// Which part of a network is mutated, and how the network is looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkScope {
    /// The version of how the hash of a network is made; that of runs which name none is 1.
    #[serde(default = "first_version")]
    pub version: u32,
    /// The processes or templates.
    pub mutated: Vec<String>,
    /// `template` or `instance`.
    pub scope: String,
    /// What is under test, as it was typed (`--system`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// What is around it (`--environment`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// What synchronisations inside the system are (`--internal`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal: Option<String>,
    /// What is seen where no channel shows a step (`--observe`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observe: Option<String>,
}

/// The version of how the hash of a network is made: of its file's bytes and this scope as JSON.
const SCOPE_VERSION: u32 = 2;

fn first_version() -> u32 {
    1
}

impl Default for NetworkScope {
    fn default() -> Self {
        Self {
            version: SCOPE_VERSION,
            mutated: Vec::new(),
            scope: String::new(),
            system: None,
            environment: None,
            internal: None,
            observe: None,
        }
    }
}

impl NetworkScope {
    /// The first option about how the network is looked at that has another value in `other`.
    pub fn other_option(&self, other: &Self) -> Option<&'static str> {
        let options = [
            ("--system", &self.system, &other.system),
            ("--environment", &self.environment, &other.environment),
            ("--internal", &self.internal, &other.internal),
            ("--observe", &self.observe, &other.observe),
        ];
        let differs = options.into_iter().find(|(_, own, other)| own != other);
        differs.map(|(option, ..)| option)
    }

    /// Whether hashes beside it are made as they are now.
    pub fn is_current(&self) -> bool {
        self.version == SCOPE_VERSION
    }
}
