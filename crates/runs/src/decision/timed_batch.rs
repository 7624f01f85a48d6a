//! Batches of mutants of a timed game.
//!
//! The mutants are named and fingerprinted in parallel, duplicates are found sequentially (so that the first of equal
//! mutants is always the one with the lowest number), the distinct ones are decided in parallel, and the records are
//! written in order. Only one table entry per distinct mutant is kept beyond a batch.

use crate::decision::chunk::Chunk;
use crate::decision::distinct::DistinctMutants;
use crate::decision::families::FamilyEngine;
use crate::error::Result;
use crate::world::{BatchSizes, DecisionBatch, RecordWriter};
use crate::{Record, Run, Summary};
use tamper_timed::mutation::Fingerprinter;

/// A batch of mutants, and the verdicts on all mutants before it.
pub(crate) struct TimedBatch<'r> {
    run: Run<'r>,
    engine: Option<&'r FamilyEngine<'r>>,
    fingerprinter: Fingerprinter,
    seen: DistinctMutants,
    chunk: Chunk,
}

impl<'r> TimedBatch<'r> {
    /// An empty batch; with an engine, mutants are decided in families.
    pub fn new(run: Run<'r>, engine: Option<&'r FamilyEngine<'r>>) -> Self {
        Self {
            fingerprinter: Fingerprinter::new(run.space.base()),
            seen: DistinctMutants::expecting(run.selection.len()),
            chunk: Chunk::default(),
            run,
            engine,
        }
    }
}

impl DecisionBatch for TimedBatch<'_> {
    type Counts = Summary;

    /// A batch is small enough for its data to fit into a cache until it is written.
    fn sizes(&self) -> BatchSizes {
        BatchSizes {
            first: 256,
            least: 16,
            most: 4096,
        }
    }

    fn fill(&mut self, numbers: &[u64]) -> Result<()> {
        let in_families = self.engine.is_some();
        self.chunk.fill(self.run, &self.fingerprinter, in_families, numbers)
    }

    fn id(&self, at: usize) -> &str {
        self.chunk.id(at)
    }

    fn decide(
        &mut self,
        kept: Vec<Record>,
        record_writer: &mut RecordWriter<'_>,
        summary: &mut Summary,
    ) -> Result<usize> {
        self.chunk.find_sources(&mut self.seen);
        let n_states = self.chunk.decide(self.run, self.engine, &kept);
        if self.run.judge.is_over() {
            return Ok(0);
        }
        summary.count_states(n_states);
        self.chunk.settle(&mut self.seen);
        summary.count_methods(self.chunk.judgements());
        self.chunk.write(self.run, &self.seen)?;
        for part in self.chunk.parts() {
            record_writer.append(|n| part.text_after(n))?;
            for (facts, operators) in part.records() {
                record_writer.list(&facts)?;
                summary.count(operators, &facts);
            }
        }
        Ok(self.chunk.len())
    }
}
