//! Why a mutant cannot be written.

use crate::mutation::Operator;

/// Why a mutant cannot be written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The file declares entities of its own: what they expand to has no place that could be patched.
    Entities,
    /// The name of a new action is declared as something else.
    NameTaken(String),
    /// A parameter hands a global variable to the template by reference, and the template writes it: the mutant
    /// would share it.
    SharedReference(String),
    /// A label of a network whose text is not what is read there (comments of XML, character data), or in which no single
    /// comparison has the constant.
    NotPlain(String),
    /// A process of a network that neither an instantiation of its template nor its parameters tell from others.
    Instance(String),
    /// A mutant whose channel is urgent, or is not, beside the original, which shares the channel.
    SharedChannel(String),
    /// A mutant that assigns other values than 0 and 1 to a variable that has only these: of a boolean UPPAAL makes 1 of them.
    NoTruthValue(String),
    /// An operator that is not one of networks.
    Operator(Operator),
    /// An edit is about a location or edge that is not there.
    NoSuchPart,
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Entities => write!(
                f,
                "the file declares XML entities of its own: replace them by what they stand for"
            ),
            Self::NameTaken(name) => write!(f, "the new action `{name}` is declared as something else: rename that"),
            Self::SharedReference(name) => write!(
                f,
                "the parameter `{name}` is a variable handed over by reference that the mutant would share: declare it \
                 in the template"
            ),
            Self::NotPlain(text) => write!(
                f,
                "`{text}` cannot be changed in the file: write it as comparisons of one clock, without comments and CDATA"
            ),
            Self::Instance(name) => write!(
                f,
                "the file cannot change `{name}` alone: instantiate it from its template (`P = T(…);`), or use --scope \
                 template"
            ),
            Self::SharedChannel(name) => write!(
                f,
                "the mutant and the original share the channel `{name}`, which is urgent in one of them only: write it as Ecdar or \
                 TChecker file"
            ),
            Self::NoTruthValue(name) => write!(
                f,
                "the mutant gives `{name}` a value that is neither 0 nor 1, which UPPAAL takes for 1 if it is a boolean: write it as \
                 Ecdar or TChecker file"
            ),
            Self::Operator(operator) => write!(f, "{operator} is no operator of networks"),
            Self::NoSuchPart => write!(f, "an edit is about a location or edge that is not there"),
        }
    }
}

impl std::error::Error for WriteError {}
