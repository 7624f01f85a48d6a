//! Why a mutant cannot be written.

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
            Self::NoSuchPart => write!(f, "an edit is about a location or edge that is not there"),
        }
    }
}

impl std::error::Error for WriteError {}
