//! The choice of mutants of an untimed system that an export writes.

use anyhow::Result;

use super::classify::{PlannedMutants, system_ref, untimed, world_of};
use super::load::MutatedFile;
use super::merge::{check_model, of_run};
use crate::cli::arguments::game_args::ExportArgs;
use crate::cli::terminal::Terminal;
use tamper::experiment::{Filter, Log, Needs, Places, Record, Subject, Timer, Verdict};
use tamper::mutation::Order;
use tamper::untimed::{UntimedPlan, UntimedRecords, keep_untimed};

/// Mutants by their numbers.
pub struct KeptMutants {
    /// The numbers of the mutants that are written.
    pub numbers: Vec<usize>,
    /// The order of the mutants.
    pub order: Order,
    /// Whether some mutant has no verdict although the condition asks for it.
    pub is_open: bool,
}

/// The mutants that `--keep` keeps, by the records of a finished run or decided now; `None` if the condition keeps all mutants.
pub fn kept(file: &MutatedFile, args: &ExportArgs, terminal: &Terminal) -> Result<Option<KeptMutants>> {
    let world = world_of(file);
    let filter = Filter::parse_for(&world.operators(), "--keep", &args.keep)?;
    let (order, records): (Order, UntimedRecords) = match &args.source.run {
        Some(folder) => {
            let decided = of_run(folder, Some(file.path()), terminal)?;
            check_model(&decided.plan, folder, file)?;
            filter.check_untimed(decided.plan.witness)?;
            let records = keep_untimed(&decided.untimed.mutants, folder, &decided.selection(), &Filter::all())?;
            (decided.plan.order, records)
        }
        None if args.keep == "all" => return Ok(None),
        None => {
            filter.check_untimed(true)?;
            let plan = UntimedPlan {
                world,
                model: system_ref(file)?,
                names: file.names(),
                order: args.space.of.order,
                complete: args.machine.fills(),
                sample: None,
                seed: None,
                only: None,
                shard: None,
                limits: args.limits.resolve(),
                witness: true,
            };
            let untimed = untimed(file, &plan, Timer::new(plan.limits), terminal)?;
            let decided = PlannedMutants::new(untimed, plan);
            let records = (0..).zip(decided.decide(&mut Log::nowhere(), terminal)?).collect();
            (decided.plan.order, records)
        }
    };
    let asks = filter.needs().iter().any(|needs| *needs != Needs::Nothing);
    let is_unknown = |(_, record): &(u64, Record)| record.verdict == Verdict::Unknown;
    let is_open = asks && records.iter().any(is_unknown);
    let keeps = |(number, record): &(u64, Record)| {
        let places = &Places::default();
        filter.keeps(Subject {
            number: *number,
            record,
            places,
        })
    };
    let numbers = records.iter().filter(|mutant| keeps(mutant)).map(|(number, _)| *number);
    Ok(Some(KeptMutants {
        numbers: numbers.map(usize::try_from).collect::<Result<_, _>>()?,
        order,
        is_open,
    }))
}
