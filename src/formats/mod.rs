//! Text to types and back: the only parsers and printers.
