//! Mutants of a network as one UPPAAL file: its featured mutant model. A constant chooses the mutant; by default, the
//! file is the original.
//!
//! A part that a mutation removes is guarded by the condition that the mutant is not chosen, a part that it adds by the
//! condition that it is chosen; a bound is written with the amount that each mutant adds to it. So every mutant has the
//! text of the file that [`write_network_mutant`] writes for it, up to conditions that a constant decides.
//!
//! [`write_network_mutant`]: crate::write_network_mutant

use std::collections::BTreeMap;

use crate::network_file::NetworkFile;
use crate::writing::patch::Patches;
use crate::writing::write_network::{NetworkWriter, channels, fresh, raised_if};
use crate::writing::writer::{WriteError, in_utf8, parse};
use tamper_timed::model::{EdgeId, Role, SimpleConstraint};
use tamper_timed::mutation::{Mutation, Site};

/// The number that chooses no mutant.
const ORIGINAL: &str = "-1";

/// The end of the constant's line.
const MARK: &str = "// the number of a mutant in index.jsonl; -1: the original";

/// Mutations of one template, each of all its instances.
#[derive(Clone, Debug)]
pub struct TemplateMutants {
    /// The position of one of its processes.
    pub process: usize,
    /// The mutations, with the numbers that choose them.
    pub mutations: Vec<(u64, Mutation)>,
    /// By location, then by atom that the operators see: its part of the invariant.
    pub invariants: Vec<Vec<usize>>,
    /// By edge, then by atom: its part of the guard.
    pub guards: Vec<Vec<usize>>,
}

/// The file with the mutations written into it, each under the condition that the constant `MUTANT` has its number.
///
/// # Errors
/// The file has something that cannot be patched.
///
/// # Panics
/// If there is no process of that position, or a mutation was made for another one.
pub fn write_featured_network(file: &NetworkFile, templates: &[TemplateMutants]) -> Result<String, WriteError> {
    if !file.network.vectors.is_empty() {
        return Err(WriteError::Vectors);
    }
    let file = &*file.in_xml();
    let text = file.source.text();
    let xml = parse(text)?;
    let constant = fresh(text, "MUTANT");
    // One channel has only senders, the other one only receivers: a channel left open by a mutant is open here, too.
    let channels: Vec<String> = channels(text).take(2).collect();
    let declared = format!(
        "const int {constant} = {ORIGINAL}; {MARK}\nchan {};",
        channels.join(", ")
    );
    let mut patches = Patches::default();
    for (at, template) in templates.iter().enumerate() {
        let (root, process) = (xml.root_element(), template.process);
        let writer = NetworkWriter::new(file, root, process, &template.invariants, &template.guards)?;
        if at == 0 {
            writer.declare(&mut patches, &declared);
        }
        let features = Features {
            writer,
            constant: &constant,
            channels: &channels,
        };
        features.write(&mut patches, &template.mutations)?;
    }
    Ok(in_utf8(patches, text))
}

/// `text`, an output of [`write_featured_network`], with the mutant of that number chosen.
pub fn choose_mutant(text: &str, number: u64) -> Option<String> {
    let end = text.find(MARK)?;
    let (before, _) = text[..end].rsplit_once('=')?;
    Some(format!("{before}= {number}; {}", &text[end..]))
}

/// The number of a mutant, and a constraint before and after its mutation.
type MutatedConstraint = (u64, SimpleConstraint, SimpleConstraint);

struct Features<'a, 'x> {
    writer: NetworkWriter<'a, 'x>,
    /// The name of the constant.
    constant: &'a str,
    /// The channels of added outputs and of added inputs.
    channels: &'a [String],
}

impl Features<'_, '_> {
    fn is(&self, number: u64) -> String {
        format!("{} == {number}", self.constant)
    }

    fn write(&self, patches: &mut Patches, mutations: &[(u64, Mutation)]) -> Result<(), WriteError> {
        let mut without: BTreeMap<EdgeId, Vec<u64>> = BTreeMap::new();
        let mut bounds: BTreeMap<(Site, u32), Vec<MutatedConstraint>> = BTreeMap::new();
        for &(number, mutation) in mutations {
            match mutation {
                Mutation::RemoveEdge { edge } => without.entry(edge).or_default().push(number),
                Mutation::RemoveLocation { location } => {
                    for edge in self.writer.touching(location) {
                        without.entry(edge).or_default().push(number);
                    }
                }
                Mutation::AddEdge {
                    source,
                    target,
                    role,
                    cloned,
                } => {
                    let channel = &self.channels[usize::from(role == Role::Input)];
                    let only = self.is(number);
                    self.writer
                        .add(patches, (source, target), (channel, role), cloned, Some((&only, &[])))?;
                }
                Mutation::LargerConstant { site, atom, old, new }
                | Mutation::SmallerConstant { site, atom, old, new } => {
                    bounds.entry((site, atom)).or_default().push((number, old, new));
                }
                Mutation::NegateGuard { edge, atom, old, new } => {
                    let part = self.writer.writable(Site::Guard(edge), atom)?;
                    let (span, text) = self.writer.changed(part, old, new, None)?;
                    self.writer.copy(patches, edge, &self.is(number), span, text)?;
                    without.entry(edge).or_default().push(number);
                }
                Mutation::Alter { .. } | Mutation::Again(_) => return Err(WriteError::Operator(mutation.applied())),
            }
        }
        for ((site, atom), changes) in bounds {
            self.raise(patches, site, atom, &changes)?;
        }
        for (edge, numbers) in without {
            let place = &self.writer.places.layout.edges[edge];
            let others = numbers.iter().map(|number| format!("{} != {number}", self.constant));
            self.writer
                .conjoin(patches, place, &others.collect::<Vec<_>>().join(" && "))?;
        }
        Ok(())
    }

    /// Writes the amounts that mutants add into the bound of a comparison.
    fn raise(
        &self,
        patches: &mut Patches,
        site: Site,
        atom: u32,
        changes: &[MutatedConstraint],
    ) -> Result<(), WriteError> {
        let part = self.writer.writable(site, atom)?;
        let mut added = Vec::new();
        for (number, old, new) in changes {
            if old.cmp != new.cmp {
                return Err(WriteError::NoSuchPart);
            }
            added.push((self.is(*number), self.writer.added(part, *old, *new)?));
        }
        let added = added.iter().map(|(only, by)| (only.as_str(), *by));
        let (span, text) = self
            .writer
            .compared(part, changes[0].1.cmp, |bound| raised_if(added, bound))?;
        patches.replace(span, text);
        Ok(())
    }
}
