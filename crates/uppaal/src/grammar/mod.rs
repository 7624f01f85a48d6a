//! UPPAAL's language: tokens, parsers, and the trees that they make.

pub mod annotations;
pub mod built_in;
pub mod channels;
pub mod cursor;
pub mod declarations;
pub mod depth;
pub mod lexer;
pub mod notes;
pub mod parser;
pub mod sections;
pub mod syntax;
pub mod system;
pub mod template;
pub mod types;
