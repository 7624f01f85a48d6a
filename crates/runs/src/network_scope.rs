//! The mutated part and the view of a network, as recorded by runs and suites.

use serde::{Deserialize, Serialize};

/// The mutated part of a network, and the options of its view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkScope {
    /// Version of the hash of networks; 1 for runs that name none.
    #[serde(default = "first_version")]
    pub version: u32,
    /// The mutated processes or templates.
    pub mutated: Vec<String>,
    /// `template` or `instance`.
    pub scope: String,
    /// The processes under test, as typed by the user (`--system`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The processes in the environment (`--environment`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// The meaning of synchronisations inside the system (`--internal`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal: Option<String>,
    /// The observation of steps that no channel shows (`--observe`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observe: Option<String>,
}

/// Version of the hash of networks, which is made of the file's bytes and this scope as JSON.
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
    /// The first option of the view whose value differs in `other`.
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

    /// Whether the hash of the network was made in the present way.
    pub fn is_current(&self) -> bool {
        self.version == SCOPE_VERSION
    }
}
