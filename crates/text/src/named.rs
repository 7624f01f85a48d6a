//! Enums whose variants have names.

/// An enum whose variants have names: `ALL` lists them in order, `name` and [`Display`](std::fmt::Display) say them.
///
/// ```
/// tamper_text::named! {
///     /// What comes of a test.
///     #[derive(Clone, Copy, PartialEq, Debug)]
///     pub enum Outcome {
///         /// It is as it should be.
///         Pass = "pass",
///         /// It is not.
///         Fail = "fail",
///     }
/// }
/// assert_eq!(Outcome::ALL, [Outcome::Pass, Outcome::Fail]);
/// assert_eq!(Outcome::Fail.name(), "fail");
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$attribute:meta])* pub enum $kind:ident { $($(#[$about:meta])* $variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$attribute])*
        pub enum $kind {
            $($(#[$about])* $variant),+
        }

        impl $kind {
            /// All variants, in the order in which they are listed.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its name in files, tables and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
