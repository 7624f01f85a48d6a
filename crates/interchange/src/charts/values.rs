//! The value of the state, as `snapshot.value` shows it.

use super::chart::Chart;

/// `red`, `red.walk`, or `{lamp:red,door:open}`, with the regions in the order of the text.
pub(super) fn value(chart: &Chart, active: &[usize]) -> String {
    within(chart, active, 0)
}

fn within(chart: &Chart, active: &[usize], state: usize) -> String {
    let parts: Vec<String> = chart
        .regions(state)
        .filter(|child| chart.is_shown(*child, active))
        .map(|child| {
            let key = &chart.states[child].key;
            match within(chart, active, child) {
                below if below.is_empty() => key.clone(),
                below if below.starts_with('{') => format!("{key}:{below}"),
                below => format!("{key}.{below}"),
            }
        })
        .collect();
    match parts.as_slice() {
        [only] => only.clone(),
        [] => String::new(),
        parts => format!("{{{}}}", parts.join(",")),
    }
}
