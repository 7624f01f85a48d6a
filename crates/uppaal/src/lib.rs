//! UPPAAL XML (flat-1_1 to 1_6, TIGA and Ecdar flavours).
//!
//! Reading goes in steps: bytes to text, text to XML ([`roxmltree`], nothing fetched), elements to templates with
//! parsed labels, the system section to instances, each instance to an [`Automaton`](tamper_timed::model::Automaton).
//! Every label keeps a map from its text back to the file, so that every finding has a line and a column.
//! A channel's direction decides who controls an edge: `?` input, `!` output, no label internal (\[003\] section 4.1).

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod annotations;
mod branches;
mod built_in;
mod channels;
mod cursor;
mod declarations;
mod declared;
mod depth;
mod document;
mod drawing;
mod edit;
mod featured;
mod foreign;
mod fresh;
mod game;
mod inexpressible;
pub mod input;
mod language;
mod lexer;
mod network;
mod network_file;
mod notes;
mod open_games;
mod parser;
mod patch;
mod placement;
mod print;
mod raw;
mod read;
mod replacement;
mod sections;
mod spelled;
mod spelling;
mod syntax;
mod system;
mod template;
mod tester;
mod text;
mod types;
mod write;
mod write_featured;
mod write_featured_network;
mod write_network;
mod write_template;
mod writer;
mod xml;
mod xta;

#[cfg(test)]
mod tests;

pub use branches::one_edge_per_branch;
pub use cursor::is_reserved;
pub use document::{Document, EdgePlace, InputEnabling, IoConvention, Layout, LocationPlace, ReadOptions, TextPlace};
pub use drawing::Drawing;
pub use edit::{AddedEdge, Edit};
pub use foreign::{ForeignFile, read_behind};
pub use fresh::{write_automaton, write_drawn, write_remarked};
pub use inexpressible::{Inexpressible, Part};
pub use network_file::NetworkFile;
pub use placement::{EdgeAt, LocationAt, Placement, Point, template_placement};
pub use print::{alphabet_directive, int_declaration, lost_actions};
pub use print::{guard_text, selects_text, updates_text};
pub use raw::{RawBranchpoint, RawEdge, RawFile, RawLocation, RawTemplate, RawText, location_id};
pub use read::{read_bytes, read_file, read_network, read_only};
pub use replacement::{Replacement, replacements};
pub use spelling::Spelling;
pub use tester::{TesterFiles, check_composable, write_tester};
pub use write::{write_mutant, write_mutations};
pub use write_featured::write_featured;
pub use write_featured_network::{TemplateMutants, choose_mutant, write_featured_network};
pub use write_network::{Changed, write_network_mutant};
pub use writer::WriteError;
pub use xml::{RATE, WEIGHT};
pub use xta::{read_xta, read_xta_network};
