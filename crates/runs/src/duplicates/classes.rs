//! Sorts mutants into classes of mutual refinement.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::words::{TimedWord, WalkGame, walk};
use tamper_features::Random;
use tamper_game::{ConcreteGame, GameError, Scratch, Semantics, Specification, Verdict, analyse};
use tamper_text::Budget;
use tamper_timed::model::Automaton;

/// Number of words that every mutant is run on.
const N_WORDS: usize = 96;

/// Equivalence classes of mutants that no test tells apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classes {
    /// For each mutant, the position of the first mutant of its class.
    pub first: Vec<usize>,
    /// Number of pairs that the game compared.
    pub n_compared: u64,
}

impl Classes {
    /// Number of classes.
    pub fn len(&self) -> usize {
        (0..).zip(&self.first).filter(|(at, first)| at == *first).count()
    }

    /// Whether there are no classes.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}

/// The classes of `mutants`, each given with its verdict against `original`, under mutual refinement. Inconsistent
/// mutants are one class: none of them has a behaviour.
///
/// # Errors
/// If a game has no meaning.
///
/// # Panics
/// If `semantics` ignores unmatched actions: refinement is not transitive then, and there are no classes.
pub fn duplicate_classes(
    original: &Automaton,
    mutants: &[(Automaton, Verdict)],
    semantics: Semantics,
) -> Result<Classes, GameError> {
    assert!(
        semantics.unmatched == tamper_game::Unmatched::Reject,
        "classes need unmatched actions to be refused"
    );
    let words = words(original, mutants, semantics)?;
    let signatures: Vec<Result<Signature, GameError>> = mutants
        .par_iter()
        .map(|(mutant, verdict)| signature(mutant, *verdict, &words, semantics))
        .collect();
    let mut buckets: BTreeMap<(Rough, Vec<u8>), Vec<usize>> = BTreeMap::new();
    // Mutants with nondeterministic choices are compared with all mutants of the same verdict.
    let mut unsigned: Vec<(usize, Rough)> = Vec::new();
    for (at, signature) in signatures.into_iter().enumerate() {
        let Signature { rough, follows } = signature?;
        match follows {
            Some(follows) => buckets.entry((rough, follows)).or_default().push(at),
            None => unsigned.push((at, rough)),
        }
    }
    let sorted: Vec<Result<Bucket<'_>, GameError>> = buckets
        .into_par_iter()
        .map(|((rough, _), members)| {
            let mut bucket = Bucket::new(rough, mutants, semantics);
            members.into_iter().try_for_each(|member| bucket.add(member))?;
            Ok(bucket)
        })
        .collect();
    let mut all: BTreeMap<Rough, Bucket<'_>> = BTreeMap::new();
    for bucket in sorted {
        let bucket = bucket?;
        match all.get_mut(&bucket.rough) {
            Some(known) => known.join(bucket),
            None => {
                all.insert(bucket.rough, bucket);
            }
        }
    }
    for (at, rough) in unsigned {
        all.entry(rough)
            .or_insert_with(|| Bucket::new(rough, mutants, semantics))
            .add(at)?;
    }
    Ok(first_of_each(all.into_values(), mutants.len()))
}

fn first_of_each<'m>(buckets: impl Iterator<Item = Bucket<'m>>, n_mutants: usize) -> Classes {
    let mut classes = Classes {
        first: (0..n_mutants).collect(),
        n_compared: 0,
    };
    for bucket in buckets {
        classes.n_compared += bucket.n_compared;
        for class in bucket.classes {
            let first = class.members.iter().copied().min().unwrap_or_default();
            for member in class.members {
                classes.first[member] = first;
            }
        }
    }
    classes
}

/// Words of the original and of mutants spread evenly over the list.
fn words(
    original: &Automaton,
    mutants: &[(Automaton, Verdict)],
    semantics: Semantics,
) -> Result<Vec<TimedWord>, GameError> {
    let mut random = Random::new(0);
    let mut words = Vec::with_capacity(N_WORDS);
    for at in 0..N_WORDS {
        let source = match at % 3 {
            0 => original,
            _ => mutants
                .get(at * mutants.len() / N_WORDS)
                .map_or(original, |(mutant, _)| mutant),
        };
        if let Some(subject) = subject(source, semantics)? {
            // A walk into a state without a meaning says nothing.
            words.extend(walk(&subject, &mut random));
        }
    }
    words.sort();
    words.dedup();
    Ok(words)
}

fn subject(game: &Automaton, semantics: Semantics) -> Result<Option<WalkGame<'_>>, GameError> {
    let concrete = ConcreteGame::new(game, semantics.prune, &Budget::unlimited())?;
    Ok(concrete.map(|concrete| WalkGame::new(game, concrete)))
}

/// An invariant that equivalent mutants share: their verdict against the original.
type Rough = u8;

struct Signature {
    rough: Rough,
    /// Length to which the mutant follows each word; `None` if the mutant is nondeterministic or reaches states without
    /// a meaning.
    follows: Option<Vec<u8>>,
}

fn signature(
    mutant: &Automaton,
    verdict: Verdict,
    words: &[TimedWord],
    semantics: Semantics,
) -> Result<Signature, GameError> {
    let rough = match verdict {
        Verdict::Inconsistent => 0,
        Verdict::Subsumed => 1,
        Verdict::NonSubsumed => 2,
        Verdict::Unknown(_) => 3,
    };
    let signed = |follows| Signature { rough, follows };
    if verdict == Verdict::Inconsistent {
        return Ok(signed(Some(Vec::new())));
    }
    let is_deterministic = analyse(mutant, &Budget::unlimited())?.is_ok_and(|found| found.overlaps.is_empty());
    if !is_deterministic {
        return Ok(signed(None));
    }
    let Some(subject) = subject(mutant, semantics)? else {
        return Ok(signed(None));
    };
    let follows = words.iter().map(|word| subject.follow(word).ok());
    Ok(signed(follows.collect()))
}

/// Classes among mutants that may be equivalent.
struct Bucket<'m> {
    rough: Rough,
    mutants: &'m [(Automaton, Verdict)],
    semantics: Semantics,
    classes: Vec<DuplicateClass>,
    scratch: Scratch,
    n_compared: u64,
}

struct DuplicateClass {
    /// Positions of the members; the first one represents the class.
    members: Vec<usize>,
    /// The representative as a specification, made when first needed.
    specification: Option<Specification>,
}

impl<'m> Bucket<'m> {
    fn new(rough: Rough, mutants: &'m [(Automaton, Verdict)], semantics: Semantics) -> Self {
        Self {
            rough,
            mutants,
            semantics,
            classes: Vec::new(),
            scratch: Scratch::default(),
            n_compared: 0,
        }
    }

    /// Adds the classes of another bucket, whose mutants differ from all mutants of this one.
    fn join(&mut self, other: Self) {
        self.classes.extend(other.classes);
        self.n_compared += other.n_compared;
    }

    /// Puts a mutant into its class, or into a new one.
    fn add(&mut self, at: usize) -> Result<(), GameError> {
        let (mutant, verdict) = &self.mutants[at];
        let mut own = None;
        let mut found = None;
        for position in 0..self.classes.len() {
            if *verdict == Verdict::Inconsistent || self.is_same(position, mutant, &mut own)? {
                found = Some(position);
                break;
            }
        }
        match found {
            Some(position) => self.classes[position].members.push(at),
            None => self.classes.push(DuplicateClass {
                members: vec![at],
                specification: own,
            }),
        }
        Ok(())
    }

    /// Whether the mutant and the class's representative refine each other.
    fn is_same(
        &mut self,
        position: usize,
        mutant: &Automaton,
        own: &mut Option<Specification>,
    ) -> Result<bool, GameError> {
        let budget = Budget::unlimited();
        self.n_compared += 1;
        let class = &mut self.classes[position];
        let representative = &self.mutants[class.members[0]].0;
        let known = match &mut class.specification {
            Some(known) => known,
            none => none.insert(Specification::prepare(representative, self.semantics, &budget)?),
        };
        if known.decide(mutant, &budget, &mut self.scratch)?.verdict != Verdict::Subsumed {
            return Ok(false);
        }
        let own = match own {
            Some(own) => own,
            none => none.insert(Specification::prepare(mutant, self.semantics, &budget)?),
        };
        Ok(own.decide(representative, &budget, &mut self.scratch)?.verdict == Verdict::Subsumed)
    }
}
