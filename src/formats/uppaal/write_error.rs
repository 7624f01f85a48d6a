//! Why a mutant cannot be written.

use crate::mutation::Operator;

/// Why a mutant cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file declares entities of its own: what they expand to has no place that could be patched.
    #[error("the file declares XML entities of its own: replace them by what they stand for")]
    Entities,
    /// The name of a new action is declared as something else.
    #[error("the new action `{0}` is declared as something else: rename that")]
    NameTaken(String),
    /// A parameter hands a global variable to the template by reference, and the template writes it: the mutant
    /// would share it.
    #[error(
        "the parameter `{0}` is a variable handed over by reference that the mutant would share: declare it \
        in the template"
    )]
    SharedReference(String),
    /// A label of a network whose text is not what is read there (comments of XML, character data), or in which no single
    /// comparison has the constant.
    #[error("`{0}` cannot be changed in the file: write it as comparisons of one clock, without comments and CDATA")]
    NotPlain(String),
    /// A process of a network that neither an instantiation of its template nor its parameters tell from others.
    #[error(
        "the file cannot change `{0}` alone: instantiate it from its template (`P = T(…);`), or use --scope \
        template"
    )]
    Instance(String),
    /// A mutant whose channel is urgent, or is not, beside the original, which shares the channel.
    #[error(
        "the mutant and the original share the channel `{0}`, which is urgent in one of them only: write it as Ecdar or \
        TChecker file"
    )]
    SharedChannel(String),
    /// A mutant that assigns other values than 0 and 1 to a variable that has only these: of a boolean UPPAAL makes 1 of them.
    #[error(
        "the mutant gives `{0}` a value that is neither 0 nor 1, which UPPAAL takes for 1 if it is a boolean: write it as \
        Ecdar or TChecker file"
    )]
    NoTruthValue(String),
    /// An operator whose changes of a network are not written into its file.
    #[error("what {0} changes is not written into the file of a network: leave it out, or export the composition")]
    Operator(Operator),
    /// A network whose processes take steps together by vectors.
    #[error("UPPAAL has no synchronisation vectors: export mutants of the composition (--network)")]
    Vectors,
    /// An edit is about a location or edge that is not there.
    #[error("an edit is about a location or edge that is not there")]
    NoSuchPart,
}
