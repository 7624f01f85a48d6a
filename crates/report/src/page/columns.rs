//! Numbers and texts, in compact forms for a page.

use std::collections::HashMap;
use std::hash::Hash;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Numbers in the fewest bytes: 1, 2, 4 or 8 each, little-endian, in base 64.
pub(super) fn packed(numbers: &[u64]) -> Value {
    let most = numbers.iter().copied().max().unwrap_or(0);
    let width = match most {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    };
    let mut bytes = Vec::with_capacity(numbers.len() * width);
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes()[..width]);
    }
    json!({ "width": width, "bytes": STANDARD.encode(bytes) })
}

/// Values that many mutants have, each once, in the order of their first use.
pub(super) struct ValueTable<T> {
    values: Vec<T>,
    known: HashMap<T, u64>,
}

impl<T: Clone + Eq + Hash> ValueTable<T> {
    pub fn with(values: impl IntoIterator<Item = T>) -> Self {
        let mut table = Self {
            values: Vec::new(),
            known: HashMap::new(),
        };
        for value in values {
            table.number(&value);
        }
        table
    }

    /// The number of a value.
    pub fn number(&mut self, value: &T) -> u64 {
        if let Some(number) = self.known.get(value) {
            return *number;
        }
        let number = self.values.len() as u64;
        self.values.push(value.clone());
        self.known.insert(value.clone(), number);
        number
    }

    /// The values by their numbers.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_many_bytes_as_the_largest_needs() {
        let widths =
            [255, 256, 65_535, 65_536, 0xffff_ffff, 0x1_0000_0000].map(|most| packed(&[0, most])["width"].clone());
        assert_eq!(widths, [1, 2, 2, 4, 4, 8].map(|width| json!(width)));
        // 1, 0 and 2, 1, each low byte first: 01 00 02 01.
        assert_eq!(packed(&[1, 0x0102])["bytes"], "AQACAQ==");
        assert_eq!(packed(&[])["bytes"], "");
    }
}
