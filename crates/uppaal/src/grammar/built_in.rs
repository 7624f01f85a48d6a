//! The types and constants that UPPAAL declares outside the file.

/// The meaning of a built-in name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuiltIn {
    /// A price or a floating-point constant, which no game has.
    Foreign(&'static str),
    Constant(i32),
    /// The integers from the first to the second.
    Type(i32, i32),
}

const PRICE: &str = "price";
const REAL: &str = "floating-point constant";

/// Functions on floating-point numbers, without side effects.
const REAL_FUNCTIONS: &str = "fabs fmod remainder fma fmax fmin fdim exp exp2 expm1 ln log log10 log2 log1p pow sqrt cbrt hypot \
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma ceil floor \
    trunc round fint ldexp ilogb logb nextafter copysign signbit isfinite isinf isnan isnormal \
    isunordered random random_arcsine random_beta random_gamma random_normal random_poisson random_tri \
    random_weibull abs min max";

/// Whether it is a function on floating-point numbers.
pub(crate) fn is_real_function(name: &str) -> bool {
    REAL_FUNCTIONS.split(' ').any(|known| known == name)
}

/// All built-in names.
pub(crate) const BUILT_IN: [(&str, BuiltIn); 32] = [
    ("cost", BuiltIn::Foreign(PRICE)),
    ("reward", BuiltIn::Foreign(PRICE)),
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
    ("FLT_MIN", BuiltIn::Foreign(REAL)),
    ("FLT_MAX", BuiltIn::Foreign(REAL)),
    ("DBL_MIN", BuiltIn::Foreign(REAL)),
    ("DBL_MAX", BuiltIn::Foreign(REAL)),
    ("M_PI", BuiltIn::Foreign(REAL)),
    ("M_PI_2", BuiltIn::Foreign(REAL)),
    ("M_PI_4", BuiltIn::Foreign(REAL)),
    ("M_E", BuiltIn::Foreign(REAL)),
    ("M_LOG2E", BuiltIn::Foreign(REAL)),
    ("M_LOG10E", BuiltIn::Foreign(REAL)),
    ("M_LN2", BuiltIn::Foreign(REAL)),
    ("M_LN10", BuiltIn::Foreign(REAL)),
    ("M_1_PI", BuiltIn::Foreign(REAL)),
    ("M_2_PI", BuiltIn::Foreign(REAL)),
    ("M_2_SQRTPI", BuiltIn::Foreign(REAL)),
    ("M_SQRT2", BuiltIn::Foreign(REAL)),
    ("M_SQRT1_2", BuiltIn::Foreign(REAL)),
];
