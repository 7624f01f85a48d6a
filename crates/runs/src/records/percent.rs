//! Percentages, rounded as in the paper.

/// `100 · part / whole` rounded half up to `digits` decimal places; `None` if `whole` is 0.
pub fn percent(part: u64, whole: u64, digits: u32) -> Option<String> {
    if whole == 0 {
        return None;
    }
    let scale = 10_u128.pow(digits);
    let (part, whole) = (u128::from(part), u128::from(whole));
    let rounded = (200 * scale * part + whole) / (2 * whole);
    Some(match digits {
        0 => rounded.to_string(),
        _ => {
            let width = digits as usize;
            format!("{}.{:0width$}", rounded / scale, rounded % scale)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_up_and_digits_are_kept() {
        for (part, whole, digits, expected) in [
            (1, 8, 0, "13"),
            (1, 8, 1, "12.5"),
            (18, 35, 1, "51.4"),
            (27, 37, 0, "73"),
            (1, 1000, 2, "0.10"),
            (0, 5, 1, "0.0"),
        ] {
            assert_eq!(percent(part, whole, digits).unwrap(), expected);
        }
        assert_eq!(percent(0, 0, 1), None);
    }
}
