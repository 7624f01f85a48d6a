//! The types and constants that UPPAAL declares by itself, around the file.

/// What such a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BuiltIn {
    Constant(i32),
    /// The integers from the first to the second.
    Type(i32, i32),
}

/// All of them.
pub(super) const BUILT_IN: [(&str, BuiltIn); 13] = [
    ("INT8_MIN", BuiltIn::Constant(-128)),
    ("INT8_MAX", BuiltIn::Constant(127)),
    ("UINT8_MAX", BuiltIn::Constant(255)),
    ("INT16_MIN", BuiltIn::Constant(-32768)),
    ("INT16_MAX", BuiltIn::Constant(32767)),
    ("UINT16_MAX", BuiltIn::Constant(65535)),
    ("INT32_MIN", BuiltIn::Constant(i32::MIN)),
    ("INT32_MAX", BuiltIn::Constant(i32::MAX)),
    ("int8_t", BuiltIn::Type(-128, 127)),
    ("uint8_t", BuiltIn::Type(0, 255)),
    ("int16_t", BuiltIn::Type(-32768, 32767)),
    ("uint16_t", BuiltIn::Type(0, 65535)),
    ("int32_t", BuiltIn::Type(i32::MIN, i32::MAX)),
];
