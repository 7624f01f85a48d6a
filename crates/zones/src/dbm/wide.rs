//! The operations that gain from vector instructions, compiled twice: for every machine of the architecture, and for those with AVX2.
//! Which one runs is found out at run time. Three clocks and fewer gain nothing and are spared the choice.

use super::kernel::{self, by_dimension};
use super::touched::Touched;
use super::{closure, convex};
use crate::Bound;
use multiversion::multiversion;

macro_rules! compiled_twice {
    ($($(#[$meta:meta])* fn $name:ident[$n:ident]($($argument:ident: $type:ty),*) $(-> $result:ty)? { $body:expr })*) => {$(
        $(#[$meta])*
        #[inline]
        pub(super) fn $name($($argument: $type,)* n: usize) $(-> $result)? {
            #[multiversion(targets("x86_64+avx2"))]
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

compiled_twice! {
    /// [`kernel::close_over`].
    fn close_over[n](cells: &mut [Bound], touched: Touched, improvable: Touched) -> bool {
        kernel::close_over(&mut cells[..n * n], n, touched, improvable)
    }
    /// [`kernel::tighten`] for the entry in row `l` and column `r`.
    fn tighten[n](cells: &mut [Bound], l: usize, r: usize, bound: Bound) {
        kernel::tighten(&mut cells[..n * n], n, l, r, bound)
    }
    /// Intersects a closed matrix with another; `false` if that is empty.
    fn intersect[n](cells: &mut [Bound], others: &[Bound]) -> bool {{
        let (cells, others) = (&mut cells[..n * n], &others[..n * n]);
        !kernel::contradict(cells, others, n) && closure::meet(cells, others, n)
    }}
    /// Whether two closed matrices have a common valuation.
    fn intersects[n](cells: &[Bound], others: &[Bound]) -> bool {{
        let (cells, others) = (&cells[..n * n], &others[..n * n]);
        !kernel::contradict(cells, others, n) && closure::do_meet(cells, others, n)
    }}
    /// Raises each bound to the one of `others`.
    fn raise[n](cells: &mut [Bound], others: &[Bound]) {
        kernel::raise(&mut cells[..n * n], &others[..n * n])
    }
    /// [`convex::is_union_convex`].
    fn is_union_convex[n](cells: &[Bound], others: &[Bound]) -> bool {
        convex::is_union_convex(&cells[..n * n], &others[..n * n], n)
    }
}
