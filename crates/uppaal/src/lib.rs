//! UPPAAL XML (flat-1_1 to 1_6, TIGA and Ecdar flavours).
//!
//! Reading goes in steps: bytes to text, text to XML ([`roxmltree`], nothing fetched), elements to templates with
//! parsed labels, the system section to instances, each instance to an [`Automaton`](tamper_timed::model::Automaton).
//! Every label keeps a map from its text back to the file, so that every finding has a line and a column.
//! A channel's direction decides who controls an edge: `?` input, `!` output, no label internal (\[003\] section 4.1).

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod accept_comments;
mod branches;
mod document;
mod drawing;
mod featured;
mod foreign;
mod game;
mod grammar;
pub mod input;
mod language;
mod network;
mod network_file;
mod open_games;
mod raw;
mod read;
mod text;
mod writing;
mod xml;
mod xta;

#[cfg(test)]
mod tests;

pub use accept_comments::{AcceptComment, CommentPlace};
pub use branches::one_edge_per_branch;
pub use document::{Document, EdgePlace, InputEnabling, IoConvention, Layout, LocationPlace, ReadOptions, TextPlace};
pub use drawing::Drawing;
pub use foreign::{ForeignFile, read_behind};
pub use grammar::cursor::is_reserved;
pub use network_file::NetworkFile;
pub use raw::{RawBranchpoint, RawEdge, RawFile, RawLocation, RawTemplate, RawText, location_id};
pub use read::{read_bytes, read_file, read_network, read_only};
pub use writing::edit::{AddedEdge, Edit};
pub use writing::fresh::{write_automaton, write_drawn, write_remarked};
pub use writing::inexpressible::{Inexpressible, Part};
pub use writing::placement::{EdgeAt, LocationAt, Placement, Point, template_placement};
pub use writing::print::{alphabet_directive, int_declaration, lost_actions};
pub use writing::print::{guard_text, selects_text, updates_text};
pub use writing::replacement::{Replacement, network_replacements, replacements};
pub use writing::spelling::Spelling;
pub use writing::tester::{TesterFiles, check_composable, write_tester};
pub use writing::write::{write_mutant, write_mutations};
pub use writing::write_featured::write_featured;
pub use writing::write_featured_network::{TemplateMutants, choose_mutant, write_featured_network};
pub use writing::write_network::{Changed, write_network_mutant};
pub use writing::writer::WriteError;
pub use xml::{RATE, WEIGHT};
pub use xta::{read_xta, read_xta_network};
