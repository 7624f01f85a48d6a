//! The operations that gain from vector instructions, compiled twice: for every machine of the architecture, and for those with AVX2.
//! Which one runs is found out at run time. Three clocks and fewer gain nothing and are spared the choice.

use super::kernel::{self, by_dimension};
use super::touched::Touched;
use crate::Bound;

/// Functions whose last argument is the dimension, named in brackets.
macro_rules! compiled_twice {
    ($($(#[$meta:meta])* fn $name:ident[$n:ident]($($argument:ident: $type:ty),*) $(-> $result:ty)? { $body:expr })*) => {$(
        $(#[$meta])*
        #[inline]
        pub(super) fn $name($($argument: $type,)* n: usize) $(-> $result)? {
            #[multiversion::multiversion(targets("x86_64+avx2"))]
            fn chosen($($argument: $type,)* n: usize) $(-> $result)? {
                by_dimension!(n, $n => $body)
            }
            match n {
                2 => by_dimension!(@constant 2, $n => $body),
                3 => by_dimension!(@constant 3, $n => $body),
                n => chosen($($argument,)* n),
            }
        }
    )*};
}
pub(super) use compiled_twice;

compiled_twice! {
    /// [`kernel::close_over`].
    fn close_over[n](cells: &mut [Bound], touched: Touched, improvable: Touched) -> bool {
        kernel::close_over(&mut cells[..n * n], n, touched, improvable)
    }
    /// [`kernel::tighten`] for the entry in row `l` and column `r`.
    fn tighten[n](cells: &mut [Bound], l: usize, r: usize, bound: Bound) {
        kernel::tighten(&mut cells[..n * n], n, l, r, bound)
    }
    /// Raises each bound to the one of `others`.
    fn raise[n](cells: &mut [Bound], others: &[Bound]) {
        kernel::raise(&mut cells[..n * n], &others[..n * n])
    }
}
