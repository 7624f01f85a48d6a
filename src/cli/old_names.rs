//! Names that options had before 0.1.0: scripts that have them go on to work for one release. Then this file goes.

use std::ffi::OsString;

/// A command (or none: all), an option as it was typed, and as it is typed now, if at all. One that ends with `=` takes a value,
/// behind `=` or as the next word.
const RENAMED: &[(&str, &str, &str)] = &[
    ("coverage", "--complete", "--suite=complete"),
    ("coverage", "--complete=extend", "--suite=extended"),
    ("coverage", "--smallest", "--suite=smallest"),
    ("coverage", "--minimise", "--suite=minimised"),
    ("coverage", "--prioritise", "--suite=prioritised"),
    ("coverage", "--count", "--show=count"),
    ("coverage", "--survivors=", "--show=survivors="),
    ("coverage", "--conforming=", "--show=conforming="),
    ("features", "--cover=", "--sample=t="),
    ("refine", "--queries", ""),
    ("", "--complete", "--unspecified=fill"),
    ("", "--unmatched=", "--semantics="),
    ("", "--no-prune", "--semantics=no-prune"),
    ("", "--no-static", "--static=off"),
    ("", "--static-only", "--static=only"),
    ("", "--jointly=", "--order="),
    ("", "--step=", "--mutation=step="),
    ("", "--tad-guard=", "--mutation=tad-guard="),
    ("", "--spec-template=", "--template=,"),
];

/// What was typed, with the names of today.
pub fn renamed(typed: Vec<OsString>) -> Vec<OsString> {
    let is_of = |command: &str| command.is_empty() || typed.iter().any(|word| word == command);
    let known: Vec<_> = RENAMED.iter().filter(|(command, ..)| is_of(command)).collect();
    let mut words = Vec::with_capacity(typed.len());
    // Behind `--` there are no options.
    let n_options = typed.iter().position(|word| word == "--").unwrap_or(typed.len());
    let (options, files) = typed.split_at(n_options);
    let mut rest = options.iter();
    while let Some(word) = rest.next() {
        let text = word.to_str().unwrap_or_default();
        let takes = |old: &str| {
            old.strip_suffix('=')
                .is_some_and(|name| name == text || text.starts_with(old))
        };
        let Some((_, old, new)) = known.iter().find(|(_, old, _)| *old == text || takes(old)) else {
            words.push(word.clone());
            continue;
        };
        let mut now = OsString::from(new);
        match text.strip_prefix(old) {
            Some(value) => now.push(value),
            None => now.push(rest.next().cloned().unwrap_or_default()),
        }
        words.extend(Some(now).filter(|now| !now.is_empty()));
    }
    words.extend(files.iter().cloned());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_are_read_as_those_of_today() {
        for (old, now) in [
            (
                "coverage m --complete=extend --survivors 1% s",
                "coverage m --suite=extended --show=survivors=1% s",
            ),
            ("refine m --queries --complete", "refine m --unspecified=fill"),
            (
                "classify m --no-static --step=2 --jointly 3",
                "classify m --static=off --mutation=step=2 --order=3",
            ),
            ("run s --sut x -- --step 2", "run s --sut x -- --step 2"),
        ] {
            let words = renamed(old.split(' ').map(OsString::from).collect());
            assert_eq!(words.join(" ".as_ref()), now);
        }
    }
}
