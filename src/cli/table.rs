//! The table of commands and kinds of files: what each command does about a file of each kind, and which options have a meaning there.
//!
//! Dispatch and refusals come from it, and `docs/book/src/commands.md`, which `tests/cli/matrix.rs` makes by running each command with each kind.

use std::path::Path;

use anyhow::Result;
use clap::{Args, Id};

use super::call::Call;
use super::door::{DetectedFile, FeaturesFile, MachineFile, UntimedFile, is_plain, is_plain_machine, open};
use super::exit::ExitCode;
use super::systems::MutatedFile;
#[cfg(feature = "workbench")]
use super::workbench::{self, OpenArgs};
use crate::cli::accepting::accept::{self, AcceptArgs};
use crate::cli::accepting::args::{AcceptedArgs, ChangedArgs, FailOnArgs};
use crate::cli::arguments::args::{
    LimitArgs, MutationArgs, NameArgs, ReadingArgs, SampleArgs, SemanticsArgs, TotalArgs, ids_of, own_ids_of,
};
use crate::cli::arguments::coverage_args::{CoverageArgs, MachineCoverageArgs, TimedCoverageArgs};
use crate::cli::arguments::family_args::{
    FamiliesArgs, FamiliesTimedArgs, FeaturesArgs, FmmArgs, PairArgs, ProjectArgs,
};
use crate::cli::arguments::game_args::{
    CheckArgs, CheckTimedArgs, ClassifyArgs, ExportArgs, ExportSourceArgs, PropositionsArgs, RefineArgs,
    RefineTimedArgs, RunFolderArgs, WitnessArgs,
};
use crate::cli::arguments::network_args::NetworkArgs;
use crate::cli::arguments::strategy::TestgenMachineArgs;
use crate::cli::arguments::suite_run_args::{ProgramArgs, RunArgs, RunTimedArgs};
use crate::cli::arguments::unspecified::{GraphArgs, MachineArgs};
use crate::cli::family::{features, fmm, products, project};
use crate::cli::games::compose::{self, ComposeArgs};
use crate::cli::games::{check, classify, export, queries, refine};
use crate::cli::machines::coverage;
#[cfg(feature = "drawing")]
use crate::cli::pages::draw::{self, DrawArgs, DrawGameArgs, DrawMachineArgs};
use crate::cli::programs::run_suite;
use crate::cli::testing::coverage_timed;
use crate::cli::testing::diagnose::{self, DiagnoseArgs};
use crate::cli::testing::harness::{self, HarnessArgs};
use crate::cli::testing::minimise::{self, MinimiseArgs};
use crate::cli::testing::score::{self, ScoreArgs, ScoreTimedArgs};
use crate::cli::testing::suites::MutantsArgs;
use crate::cli::testing::testgen::{self, TestgenArgs, TestgenTimedArgs};
use crate::cli::testing::view::{self, ViewArgs};
use crate::cli::{machines, systems};
use tamper::formats::{FileKind, SystemFormat, TimedFormat};

/// A command whose first file decides what it does.
pub trait FileCommand: Args + 'static {
    /// Its name as it is typed.
    const NAME: &'static str;
    /// What it does, kind by kind.
    const FORMS: &'static [CommandForm<Self>];
    /// Kinds that it takes in another place than the first.
    const ALSO: fn(FileKind) -> bool = |_| false;
}

/// The options that have a meaning.
type SupportedOptions = fn() -> Vec<Id>;
/// What is done about the file at a path.
type CommandHandler<A> = FileHandler<A, Path>;
/// What is done about a file of that type.
type FileHandler<A, File> = fn(&A, &File, Call<'_>) -> Result<ExitCode>;

/// What a command does about files of one kind.
pub enum CommandForm<A> {
    /// Timed games, networks of them, families.
    Timed(SupportedOptions, CommandHandler<A>),
    /// Formats that can hold the processes of a network.
    Network(SupportedOptions, CommandHandler<A>),
    /// State machines without variables and super-states.
    Machine(SupportedOptions, FileHandler<A, MachineFile>),
    /// All state machines.
    AnyMachine(SupportedOptions, FileHandler<A, MachineFile>),
    /// Systems without time, but action systems.
    TransitionSystem(SupportedOptions, FileHandler<A, UntimedFile>),
    /// Action systems.
    ActionSystem(SupportedOptions, FileHandler<A, UntimedFile>),
    /// Feature models.
    Features(SupportedOptions, FileHandler<A, FeaturesFile>),
    /// Suites of timed tests.
    TimedSuite(SupportedOptions, CommandHandler<A>),
    /// Suites of tests of untimed systems.
    SystemSuite(SupportedOptions, CommandHandler<A>),
    /// Suites of state machines.
    MachineSuite(SupportedOptions, CommandHandler<A>),
}

impl<A: FileCommand> CommandForm<A> {
    fn takes(&self, kind: FileKind) -> bool {
        match (self, kind) {
            (Self::Network(..), FileKind::Timed(format)) => {
                matches!(format, TimedFormat::Xml | TimedFormat::Text | TimedFormat::TChecker)
            }
            (Self::Machine(..), FileKind::Machine(format)) => is_plain(format),
            (Self::TransitionSystem(..), FileKind::System(format)) => format != SystemFormat::Actions,
            (Self::ActionSystem(..), FileKind::System(format)) => format == SystemFormat::Actions,
            (Self::Timed(..), FileKind::Timed(_))
            | (Self::AnyMachine(..), FileKind::Machine(_))
            | (Self::Features(..), FileKind::Features(_))
            | (Self::TimedSuite(..), FileKind::TimedSuite)
            | (Self::SystemSuite(..), FileKind::SystemSuite)
            | (Self::MachineSuite(..), FileKind::MachineSuite) => true,
            _ => false,
        }
    }

    fn options(&self) -> Vec<Id> {
        let (Self::Timed(options, _)
        | Self::Network(options, _)
        | Self::TimedSuite(options, _)
        | Self::SystemSuite(options, _)
        | Self::MachineSuite(options, _)
        | Self::Machine(options, _)
        | Self::AnyMachine(options, _)
        | Self::TransitionSystem(options, _)
        | Self::ActionSystem(options, _)
        | Self::Features(options, _)) = self;
        options()
    }

    /// Does it about a file that it takes.
    fn answer(&self, args: &A, subject: DetectedFile, call: Call<'_>) -> Result<ExitCode> {
        match (self, subject.kind) {
            (Self::Machine(_, answer) | Self::AnyMachine(_, answer), FileKind::Machine(format)) => {
                answer(args, &subject.written_in(format), call)
            }
            (Self::TransitionSystem(_, answer) | Self::ActionSystem(_, answer), FileKind::System(format)) => {
                answer(args, &subject.system(format, &call.global.names.resolve()), call)
            }
            (Self::Features(_, answer), FileKind::Features(format)) => answer(args, &subject.written_in(format), call),
            (
                Self::Timed(_, answer)
                | Self::Network(_, answer)
                | Self::TimedSuite(_, answer)
                | Self::SystemSuite(_, answer)
                | Self::MachineSuite(_, answer),
                _,
            ) => answer(args, &subject.path, call),
            _ => subject.refused(A::NAME),
        }
    }
}

/// Does what the command does about `file`, its first one; refuses files of other kinds, and options that mean nothing for this one.
pub fn answer<A: FileCommand>(args: &A, file: &Path, call: Call<'_>) -> Result<ExitCode> {
    let subject = open(file)?;
    let Some(form) = A::FORMS.iter().find(|form| form.takes(subject.kind)) else {
        return subject.refused(A::NAME);
    };
    let mut options = form.options();
    match subject.kind {
        FileKind::Timed(_) | FileKind::TimedSuite => options.extend(ids_of::<ReadingArgs>()),
        FileKind::System(SystemFormat::Smv) | FileKind::SystemSuite => options.extend(ids_of::<NameArgs>()),
        _ => {}
    }
    call.given.only(&options, &subject.name())?;
    form.answer(args, subject, call)
}

/// The commands that take a file of this kind.
pub fn takers(kind: FileKind) -> impl Iterator<Item = &'static str> {
    TAKERS
        .iter()
        .filter(move |(_, takes)| takes(kind))
        .map(|(name, _)| *name)
}

type Taker = (&'static str, fn(FileKind) -> bool);

const TAKERS: &[Taker] = &[
    taker::<CheckArgs>(),
    taker::<RefineArgs>(),
    taker::<ComposeArgs>(),
    taker::<ClassifyArgs>(),
    taker::<ExportArgs>(),
    taker::<FmmArgs>(),
    taker::<FeaturesArgs>(),
    taker::<ProjectArgs>(),
    taker::<FamiliesArgs>(),
    taker::<CoverageArgs>(),
    ("oracle", is_plain_machine),
    #[cfg(feature = "drawing")]
    taker::<DrawArgs>(),
    #[cfg(feature = "workbench")]
    taker::<OpenArgs>(),
    #[cfg(feature = "drawing")]
    ("report", |kind| matches!(kind, FileKind::Run | FileKind::Printed)),
    taker::<TestgenArgs>(),
    taker::<ScoreArgs>(),
    taker::<AcceptArgs>(),
    taker::<MinimiseArgs>(),
    taker::<RunArgs>(),
    taker::<DiagnoseArgs>(),
    taker::<ViewArgs>(),
    taker::<HarnessArgs>(),
];

const fn taker<A: FileCommand>() -> Taker {
    (A::NAME, |kind| {
        A::FORMS.iter().any(|form| form.takes(kind)) || A::ALSO(kind)
    })
}

/// The options of some groups; `own` takes those of a command without the groups in it.
macro_rules! options {
    ($(own $own:ty)? $(, $group:ty)* $(; $id:literal)*) => {
        || {
            let mut ids: Vec<Id> = Vec::new();
            $(ids.extend(own_ids_of::<$own>());)?
            $(ids.extend(ids_of::<$group>());)*
            $(ids.push(Id::from($id));)*
            ids
        }
    };
}

impl FileCommand for CheckArgs {
    const NAME: &'static str = "check";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(
            options![own Self, LimitArgs, CheckTimedArgs, NetworkArgs],
            |args, _, call| check::check(args, call.global, call.terminal),
        ),
        CommandForm::AnyMachine(
            options![own Self, LimitArgs, MachineArgs, GraphArgs],
            |args, file, call| machines::check(file, args, call.terminal),
        ),
        CommandForm::TransitionSystem(options![own Self, LimitArgs, MachineArgs], |args, file, call| {
            systems::check(file, args, call.terminal)
        }),
        CommandForm::ActionSystem(options![, LimitArgs; "file"], |args, file, call| {
            systems::check_actions(file, &args.limits, call.terminal)
        }),
    ];
}

impl FileCommand for RefineArgs {
    const NAME: &'static str = "refine";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(
            options![own Self, LimitArgs, RefineTimedArgs, NetworkArgs, SemanticsArgs, PropositionsArgs, WitnessArgs],
            |args, _, call| match args.left {
                None => queries::queries(args, call.global, call.terminal),
                Some(_) => refine::refine(args, call.global, call.terminal),
            },
        ),
        CommandForm::Machine(
            options![own Self, LimitArgs, MachineArgs, GraphArgs],
            |args, file, call| machines::refine(file, args, call.terminal),
        ),
        CommandForm::TransitionSystem(
            options![own Self, LimitArgs, WitnessArgs, MachineArgs],
            |args, file, call| systems::refine(file, args, call.terminal),
        ),
        CommandForm::ActionSystem(options![own Self, LimitArgs], |args, file, call| {
            systems::refine_actions(file, args, call.terminal)
        }),
    ];
}

impl FileCommand for ComposeArgs {
    const NAME: &'static str = "compose";
    const FORMS: &'static [CommandForm<Self>] = &[CommandForm::Network(ids_of::<Self>, |args, _, call| {
        compose::compose(args, call.terminal)
    })];
}

impl FileCommand for ClassifyArgs {
    const NAME: &'static str = "classify";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(of_timed::<Self>, |args, _, call| {
            classify::classify(args, call.global, call.terminal)
        }),
        CommandForm::Machine(
            options![own Self, RunFolderArgs, SampleArgs, TotalArgs, MachineArgs, LimitArgs, AcceptedArgs, ChangedArgs],
            |args, file, call| classify_untimed(args, MutatedFile::Machine(file.clone()), call),
        ),
        CommandForm::TransitionSystem(
            options![own Self, RunFolderArgs, SampleArgs, TotalArgs, MachineArgs, LimitArgs, AcceptedArgs, ChangedArgs; "order"],
            |args, file, call| classify_untimed(args, MutatedFile::Untimed(file.clone()), call),
        ),
        CommandForm::ActionSystem(
            options![own Self, RunFolderArgs, SampleArgs, TotalArgs, LimitArgs, AcceptedArgs, ChangedArgs; "order"],
            |args, file, call| classify_untimed(args, MutatedFile::Untimed(file.clone()), call),
        ),
    ];
}

fn classify_untimed(args: &ClassifyArgs, file: MutatedFile, call: Call<'_>) -> Result<ExitCode> {
    let is_run = ids_of::<RunFolderArgs>().iter().any(|id| call.given.has(id.as_str()));
    systems::classify(&file, args, is_run, call.terminal)
}

impl FileCommand for ExportArgs {
    const NAME: &'static str = "export";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(of_timed::<Self>, |args, _, call| {
            export::export(args, call.global, call.terminal)
        }),
        CommandForm::Machine(
            options![own Self, ExportSourceArgs, MachineArgs, LimitArgs],
            |args, file, call| systems::export(&MutatedFile::Machine(file.clone()), args, call),
        ),
        CommandForm::TransitionSystem(
            options![own Self, ExportSourceArgs, MachineArgs, LimitArgs; "order"],
            |args, file, call| systems::export(&MutatedFile::Untimed(file.clone()), args, call),
        ),
        CommandForm::ActionSystem(
            options![own Self, ExportSourceArgs, LimitArgs; "order"],
            |args, file, call| systems::export(&MutatedFile::Untimed(file.clone()), args, call),
        ),
    ];
}

impl FileCommand for FmmArgs {
    const NAME: &'static str = "fmm";
    const FORMS: &'static [CommandForm<Self>] = &[CommandForm::Timed(ids_of::<Self>, |args, _, call| {
        fmm::fmm(args, call.global, call.terminal)
    })];
}

impl FileCommand for FeaturesArgs {
    const NAME: &'static str = "features";
    const FORMS: &'static [CommandForm<Self>] = &[CommandForm::Features(ids_of::<Self>, |args, file, call| {
        features::features(file, args, call.terminal)
    })];
}

impl FileCommand for ProjectArgs {
    const NAME: &'static str = "project";
    const FORMS: &'static [CommandForm<Self>] = &[CommandForm::Timed(ids_of::<Self>, |args, _, call| {
        project::project(args, call.global, call.terminal)
    })];
}

impl FileCommand for FamiliesArgs {
    const NAME: &'static str = "families";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(
            options![own Self, LimitArgs, FamiliesTimedArgs, PairArgs, SemanticsArgs],
            |args, _, call| products::families(args, call.global, call.terminal),
        ),
        CommandForm::Machine(
            options![own Self, LimitArgs, MachineArgs, GraphArgs],
            |args, file, call| machines::families(file, args, call.terminal),
        ),
    ];
}

#[cfg(feature = "workbench")]
impl FileCommand for OpenArgs {
    const NAME: &'static str = "open";
    const FORMS: &'static [CommandForm<Self>] = &[CommandForm::Timed(ids_of::<Self>, |args, _, call| {
        workbench::open(args, call.global, call.terminal)
    })];
}

#[cfg(feature = "drawing")]
impl FileCommand for DrawArgs {
    const NAME: &'static str = "draw";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(
            options![own Self, DrawGameArgs, NetworkArgs, MutationArgs],
            |args, _, call| draw::draw_game(args, call.global, call.terminal),
        ),
        CommandForm::Machine(options![own Self, DrawMachineArgs, GraphArgs], |args, file, call| {
            machines::draw(file, args, call.terminal)
        }),
        CommandForm::Features(options![own Self], |args, file, call| {
            draw::draw_features(file, args, call.terminal)
        }),
    ];
}

impl FileCommand for CoverageArgs {
    const NAME: &'static str = "coverage";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(
            options![own Self, TimedCoverageArgs, PairArgs, MutationArgs],
            |args, _, call| coverage_timed::coverage_timed(args, call.global, call.terminal),
        ),
        CommandForm::AnyMachine(
            options![own Self, MachineCoverageArgs, MachineArgs, GraphArgs],
            |args, file, call| coverage::coverage(file, args, call.terminal),
        ),
    ];
}

impl FileCommand for TestgenArgs {
    const NAME: &'static str = "testgen";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(
            || {
                let groups = [timed_mutants(), ids_of::<TestgenTimedArgs>(), accepting()];
                [own_ids_of::<Self>(), groups.concat()].concat()
            },
            |args, _, call| testgen::testgen(args, call.global, call.terminal),
        ),
        CommandForm::TransitionSystem(
            options![own Self, MachineArgs, LimitArgs, AcceptedArgs, ChangedArgs],
            |args, file, call| systems::testgen(file, args, call.terminal),
        ),
        CommandForm::ActionSystem(
            options![own Self, LimitArgs, AcceptedArgs, ChangedArgs],
            |args, file, call| systems::testgen(file, args, call.terminal),
        ),
        CommandForm::Machine(
            options![, TestgenMachineArgs, MachineArgs, GraphArgs, LimitArgs; "file"; "strategy"; "out"],
            |args, file, call| machines::testgen(file, args, call.terminal),
        ),
    ];
}

impl FileCommand for ScoreArgs {
    const NAME: &'static str = "score";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(
            || {
                let groups = [timed_mutants(), ids_of::<ScoreTimedArgs>(), accepting()];
                [own_ids_of::<Self>(), groups.concat()].concat()
            },
            |args, _, call| score::score(args, call.global, call.terminal),
        ),
        CommandForm::TransitionSystem(
            options![own Self, MachineArgs, LimitArgs, AcceptedArgs, FailOnArgs, ChangedArgs],
            |args, file, call| systems::score(file, args, call.terminal),
        ),
        CommandForm::ActionSystem(
            options![own Self, LimitArgs, AcceptedArgs, FailOnArgs, ChangedArgs],
            |args, file, call| systems::score(file, args, call.terminal),
        ),
    ];
    const ALSO: fn(FileKind) -> bool = is_suite;
}

impl FileCommand for AcceptArgs {
    const NAME: &'static str = "accept";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(of_timed::<Self>, |args, _, call| {
            accept::accept_timed(args, call.global, call.terminal)
        }),
        CommandForm::Machine(options![own Self, AcceptedArgs, MachineArgs], |args, file, call| {
            accept::accept_system(args, MutatedFile::Machine(file.clone()), call.terminal)
        }),
        CommandForm::TransitionSystem(options![own Self, AcceptedArgs], |args, file, call| {
            accept::accept_system(args, MutatedFile::Untimed(file.clone()), call.terminal)
        }),
        CommandForm::ActionSystem(options![own Self, AcceptedArgs], |args, file, call| {
            accept::accept_system(args, MutatedFile::Untimed(file.clone()), call.terminal)
        }),
    ];
}

impl FileCommand for MinimiseArgs {
    const NAME: &'static str = "minimise";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::Timed(
            || [own_ids_of::<Self>(), timed_mutants()].concat(),
            |args, _, call| minimise::minimise(args, call.global, call.terminal),
        ),
        CommandForm::TransitionSystem(options![own Self, MachineArgs, LimitArgs], |args, file, call| {
            systems::minimise(file, args, call.terminal)
        }),
        CommandForm::ActionSystem(options![own Self, LimitArgs], |args, file, call| {
            systems::minimise(file, args, call.terminal)
        }),
    ];
    const ALSO: fn(FileKind) -> bool = is_suite;
}

impl FileCommand for RunArgs {
    const NAME: &'static str = "run";
    const FORMS: &'static [CommandForm<Self>] = &[
        CommandForm::TimedSuite(RunArgs::of_timed, |args, _, call| {
            run_suite::run_suite(args, call.global, call.terminal)
        }),
        CommandForm::SystemSuite(options![own Self, LimitArgs], |args, suite, call| {
            if args.sut.is_some() {
                // A program is waited for by its own options.
                call.given.only(&own_ids_of::<Self>(), &open(suite)?.name())?;
            }
            systems::run(args, &call.global.names.resolve(), call.terminal)
        }),
        CommandForm::MachineSuite(
            options![own Self, LimitArgs, MachineArgs, GraphArgs],
            |args, _, call| machines::run(args, call.terminal),
        ),
    ];
}

impl RunArgs {
    /// The options that mean something for a suite of timed tests, and for tests that are made while they run.
    pub fn of_timed() -> Vec<Id> {
        options![own Self, RunTimedArgs, NetworkArgs, TotalArgs, LimitArgs, ProgramArgs]()
    }
}

impl FileCommand for DiagnoseArgs {
    const NAME: &'static str = "diagnose";
    const FORMS: &'static [CommandForm<Self>] = &[CommandForm::Timed(ids_of::<Self>, |args, model, call| {
        diagnose::diagnose(args, model, call.global, call.terminal)
    })];
}

impl FileCommand for ViewArgs {
    const NAME: &'static str = "view";
    const FORMS: &'static [CommandForm<Self>] =
        &[CommandForm::TimedSuite(ids_of::<Self>, |args, _, call| {
            match open(&args.file)? {
                model if matches!(model.kind, FileKind::Timed(_)) => view::view(args, call.global, call.terminal),
                model => model.refused(Self::NAME),
            }
        })];
    const ALSO: fn(FileKind) -> bool = |kind| matches!(kind, FileKind::Timed(_));
}

impl FileCommand for HarnessArgs {
    const NAME: &'static str = "harness";
    const FORMS: &'static [CommandForm<Self>] = &[CommandForm::TimedSuite(ids_of::<Self>, |args, _, call| {
        harness::harness(args, call.terminal)
    })];
}

/// The options of a command that mean something for timed games.
fn of_timed<A: Args>() -> Vec<Id> {
    let others = ids_of::<MachineArgs>();
    ids_of::<A>().into_iter().filter(|id| !others.contains(id)).collect()
}

/// The options about mutants of timed games.
fn timed_mutants() -> Vec<Id> {
    of_timed::<MutantsArgs>()
}

/// The options about accepted mutants and about changes.
fn accepting() -> Vec<Id> {
    [
        ids_of::<AcceptedArgs>(),
        ids_of::<FailOnArgs>(),
        ids_of::<ChangedArgs>(),
    ]
    .concat()
}

fn is_suite(kind: FileKind) -> bool {
    matches!(kind, FileKind::TimedSuite | FileKind::SystemSuite)
}
