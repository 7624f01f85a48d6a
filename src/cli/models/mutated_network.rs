//! Processes of a network whose mutants are made.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use crate::cli::arguments::game_args::ExportFormat;
use crate::cli::arguments::network_args::{
    COMPOSED, Composition, MutateArgs, NetworkArgs, OfRun, ScopeArg, network_file, shown, split,
};
use crate::cli::models::mutated::{MutatedModel, UNSEEN};
use crate::cli::models::timed_world::TimedWorld;
#[cfg(feature = "drawing")]
use crate::cli::pages::plays::PlayedSpecification;
use crate::cli::terminal::Terminal;
use tamper::experiment::{
    AcceptedCondition, Component, Driver, Engine, ExperimentError, FeaturedNetwork, FilesSink, Filter, GuidelineSet,
    Knowledge, Manifest, ModelRef, MutantCertifier, MutantSet, NetworkFiles, NetworkJudge, NetworkMutants, NetworkRun,
    NetworkSettings, Numbered, Plan, Run, Scope, Selection, Sink, StaticUse, Summary, Timer, VerificationSample,
    Verified, World as _, components, verify,
};
use tamper::formats::suite_json::SuiteSpecification;
#[cfg(feature = "drawing")]
use tamper::formats::template_placement;
use tamper::formats::{NetworkFile, NetworkScope, ReadError, ReadNetwork, Replacement};
use tamper::model::Automaton;
use tamper::mutation::{Mutation, MutationOptions, Operator, Order};
use tamper::network::View;
#[cfg(feature = "drawing")]
use tamper::report::{RunPage, Scene};
use tamper::text::SourceFile;

/// A network, and its mutated components.
pub struct MutatedNetwork {
    /// The network.
    pub file: NetworkFile,
    /// The view of the network.
    pub view: View,
    /// The mutated components.
    pub components: Vec<Component>,
    /// The reference to the network in a manifest.
    pub model: ModelRef,
    bytes: Vec<u8>,
    args: NetworkArgs,
    scope: Scope,
}

impl MutatedNetwork {
    /// The network in the file at `path` under the typed options; warnings are shown.
    pub fn read(path: &Path, args: &NetworkArgs, mutate: &MutateArgs, terminal: &Terminal) -> Result<Self> {
        let scope = match mutate.scope {
            Some(ScopeArg::Instance) => Scope::Instance,
            Some(ScopeArg::Template) | None => Scope::Template,
        };
        let names = mutate.mutate.as_deref().map(split).unwrap_or_default();
        let names = match names.as_slice() {
            [all] if all == "all" => Vec::new(),
            _ => names,
        };
        let (file, bytes) = network_file(path, terminal)?;
        Self::of(path, file, bytes, args, &names, scope)
    }

    /// All components under test in the network that was read from `path`; warnings are shown.
    pub fn of_all(path: &Path, read: ReadNetwork, args: &NetworkArgs, terminal: &Terminal) -> Result<Self> {
        let (file, bytes) = shown(read, terminal);
        Self::of(path, file, bytes, args, &[], Scope::Template)
    }

    /// The network of a run in `folder` with this manifest; its view is the run's unless one was typed.
    pub fn of_run(manifest: &Manifest, folder: &Path, asked: OfRun<'_>, terminal: &Terminal) -> Result<Self> {
        let scope = manifest.network().context("the run is on mutants of a network")?;
        if !scope.is_current() {
            bail!(
                "the run in {} was made by an older tamper, which named networks in another way: make it anew",
                folder.display()
            );
        }
        let kind = Scope::named(&scope.scope)
            .with_context(|| format!("the manifest in {} is of another version", folder.display()))?;
        let path = asked.file.unwrap_or(Path::new(&manifest.model().file));
        let typed = if asked.network.is_asked() {
            asked.network.clone()
        } else {
            NetworkArgs::of(scope)
        };
        let (file, bytes) = network_file(path, terminal)?;
        if typed.hash(&bytes) != manifest.model().hash {
            bail!(
                "the run in {} is about another model than {}, or was made with other options of networks: repeat them here",
                folder.display(),
                path.display()
            );
        }
        Self::of(path, file, bytes, &typed, &scope.mutated, kind)
    }

    /// The processes of the file in `path` that a suite is about.
    pub fn of_scope(path: &Path, args: &NetworkArgs, of: &NetworkScope, terminal: &Terminal) -> Result<Self> {
        let scope = Scope::named(&of.scope).context("the suite is of another version of tamper")?;
        let (file, bytes) = network_file(path, terminal)?;
        Self::of(path, file, bytes, args, &of.mutated, scope)
    }

    /// The names of the mutated components, separated by commas.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self
            .components
            .iter()
            .map(|component| component.name.as_str())
            .collect();
        names.join(",")
    }

    fn of(
        path: &Path,
        file: NetworkFile,
        bytes: Vec<u8>,
        args: &NetworkArgs,
        names: &[String],
        scope: Scope,
    ) -> Result<Self> {
        let view = args.view(&file.network)?;
        let components = components(&file.network, &view, &file.templates, names, scope)?;
        let model = ModelRef {
            file: path.display().to_string(),
            template: COMPOSED.to_owned(),
            hash: args.hash(&bytes),
        };
        Ok(Self {
            view,
            components,
            model,
            args: args.clone(),
            scope,
            bytes,
            file,
        })
    }

    /// The mutants; operators without a meaning for the mutated components are refused.
    pub fn mutants(&self, options: &MutationOptions, order: Order) -> Result<NetworkMutants<'_>> {
        for component in &self.components {
            let all = options.operators.iter().chain(&options.again);
            all.into_iter().try_for_each(|operator| component.takes(*operator))?;
        }
        Ok(NetworkMutants::of(
            &self.file.network,
            &self.view,
            &self.components,
            options,
            order,
        )?)
    }

    /// The judge of the mutants.
    pub fn judge(&self, settings: NetworkSettings, timer: Timer) -> Result<NetworkJudge<'_>> {
        let judge = NetworkJudge::new(&self.file.network, &self.view, &self.components, settings, timer);
        judge.with_context(|| format!("{} cannot be judged", self.model.file))
    }

    /// The component at a position, drawn with what these mutations change.
    #[cfg(feature = "drawing")]
    pub fn scene_of(&self, component: usize, mutations: &[Mutation]) -> Result<Scene> {
        let component = self.components.get(component).context("there is no such process")?;
        Ok(self.drawn(component, mutations))
    }

    #[cfg(feature = "drawing")]
    fn drawn(&self, component: &Component, mutations: &[Mutation]) -> Scene {
        let first = component.processes.first();
        let template = first.map_or("", |process| &self.file.templates[*process]);
        let placement = template_placement(&self.file, template, component.skeleton());
        Scene::of(component.skeleton(), &placement, mutations)
    }

    /// The network as one game.
    pub fn composition(&self, timer: &Timer) -> Result<Composition> {
        let composed = Composition::of(&self.file, &self.bytes, &self.args, timer);
        composed.with_context(|| format!("{} cannot be composed", self.model.file))
    }
}

impl MutatedModel for MutatedNetwork {
    fn model(&self) -> ModelRef {
        self.model.clone()
    }

    fn scope(&self) -> Option<NetworkScope> {
        Some(NetworkScope {
            mutated: self.components.iter().map(|component| component.name.clone()).collect(),
            scope: self.scope.name().to_owned(),
            ..self.args.scope()
        })
    }

    fn specification(&self) -> SuiteSpecification {
        let ModelRef { file, template, hash } = self.model.clone();
        SuiteSpecification {
            file,
            template,
            hash,
            network: MutatedModel::scope(self),
            unit: None,
        }
    }

    fn lone_game(&self) -> Option<&Automaton> {
        None
    }

    fn see_propositions(&mut self) -> Result<()> {
        bail!(UNSEEN)
    }

    fn takes(&self, operator: Operator) -> bool {
        self.components
            .iter()
            .all(|component| component.takes(operator).is_ok())
    }

    fn set(&self, options: &MutationOptions, order: Order) -> Result<Box<dyn MutantSet + '_>> {
        Ok(Box::new(self.mutants(options, order)?))
    }

    fn replacements(&self, mutants: &[Numbered]) -> Result<(&SourceFile, Vec<Replacement>)> {
        let mut by_component = Vec::new();
        for (at, component) in self.components.iter().enumerate() {
            let own = mutants.iter().filter(|mutant| mutant.component() == at);
            let own: Vec<Mutation> = own.flat_map(|mutant| mutant.mutations.iter().copied()).collect();
            by_component.push(component.replacements(&self.file, &own)?.into_iter());
        }
        let all = mutants
            .iter()
            .map(|mutant| by_component.get_mut(mutant.component())?.next());
        let all = all.collect::<Option<_>>();
        Ok((&self.file.source, all.context("a mutant is one of a mutated process")?))
    }

    fn accept_comments(&self) -> Result<Vec<AcceptedCondition>> {
        let mut conditions = Vec::new();
        for comment in self.file.accept_comments()? {
            let is_own = |component: &&Component| component.processes.first() == Some(&comment.template);
            for component in self.components.iter().filter(is_own) {
                let (game, name) = (component.skeleton(), Some(component.name.as_str()));
                conditions.push(AcceptedCondition::of_comment(&comment, &self.file.source, game, name)?);
            }
        }
        Ok(conditions)
    }

    fn automaton(&self, timer: &Timer) -> Result<Cow<'_, Automaton>> {
        Ok(Cow::Owned(self.composition(timer)?.composed.automaton))
    }

    fn tested(&self, timer: &Timer) -> Result<Cow<'_, Automaton>> {
        let composition = self.composition(timer)?;
        composition.origin().comparable()?;
        Ok(Cow::Owned(composition.composed.automaton))
    }

    fn world<'m>(
        &'m self,
        plan: &'m Plan,
        engine: Engine,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Box<dyn TimedWorld + 'm>> {
        Ok(Box::new(NetworkWorld::new(self, plan, engine, timer, terminal)?))
    }

    /// It is enough that one of the processes has what the condition names.
    fn check_filter(&self, filter: &Filter, knowledge: Knowledge) -> Result<(), ReadError> {
        let components = self.components.iter();
        let checks = components.map(|component| filter.check(knowledge, component.skeleton()));
        let checks: Vec<_> = checks.collect();
        match checks.iter().any(Result::is_ok) {
            true => Ok(()),
            false => checks.into_iter().next().unwrap_or(Ok(())),
        }
    }

    fn check_format(&self, target: ExportFormat, order: Order) -> Result<()> {
        match target {
            ExportFormat::Jsonl | ExportFormat::Csv | ExportFormat::Uppaal => Ok(()),
            ExportFormat::Fmm => Ok(FeaturedNetwork::check(&self.components, order)?),
            _ => {
                let format = target.name();
                bail!(
                    "--as {format} has no networks: write mutants of a network --as uppaal, normal, fmm, jsonl or csv"
                );
            }
        }
    }

    fn sink<'m>(&'m self, target: ExportFormat, _: &Plan, _: &Selection, folder: &Path) -> Result<Box<dyn Sink + 'm>> {
        if target == ExportFormat::Fmm {
            return Ok(Box::new(FeaturedNetwork::create(folder, &self.file, &self.components)?));
        }
        let files = NetworkFiles::new(&self.file, &self.components);
        Ok(Box::new(FilesSink::create(folder, Box::new(files))?))
    }

    #[cfg(feature = "drawing")]
    fn page(&self) -> RunPage {
        let named = |one: &Component| (one.name.clone(), one.skeleton().clone());
        RunPage::of_processes(self.components.iter().map(named).collect())
    }

    #[cfg(feature = "drawing")]
    fn scenes(&self) -> Vec<Scene> {
        let scenes = self.components.iter().map(|component| self.drawn(component, &[]));
        scenes.collect()
    }

    #[cfg(feature = "drawing")]
    fn stage(&self, plan: &Plan, page: &RunPage) -> Result<Option<PlayedSpecification>> {
        let composed = self.composition(&Timer::new(plan.limits))?.composed;
        PlayedSpecification::of_composition(composed, &self.components, plan, page)
    }
}

/// Mutants of processes of a network, and their judge.
struct NetworkWorld<'m> {
    network: &'m MutatedNetwork,
    plan: &'m Plan,
    mutants: NetworkMutants<'m>,
    selection: Selection,
    judge: NetworkJudge<'m>,
}

impl<'m> NetworkWorld<'m> {
    fn new(
        network: &'m MutatedNetwork,
        plan: &'m Plan,
        engine: Engine,
        timer: Timer,
        terminal: &Terminal,
    ) -> Result<Self> {
        if plan.guidelines == GuidelineSet::Extended {
            bail!("--guidelines extended: these rules are proved for single games, not for processes of a network");
        }
        if !network.file.network.ahead.is_empty() && plan.statics != StaticUse::Off {
            terminal.note("note: clocks start at other values than 0, so that no guideline is used");
        }
        let settings = NetworkSettings {
            semantics: plan.semantics,
            statics: plan.statics,
            witness: plan.witness,
            engine,
            composed_first: NetworkSettings::COMPOSED_FIRST,
        };
        let mutants = network.mutants(&plan.mutation, plan.order)?;
        let counting = terminal.counting("composing the original");
        Ok(Self {
            selection: plan
                .asked(mutants.selection(plan.sample, plan.seed.unwrap_or_default())?)
                .share(plan.shard),
            judge: network.judge(settings, timer.watched(Arc::clone(&counting.states)))?,
            network,
            plan,
            mutants,
        })
    }

    fn run<'r>(&'r self, judge: &'r NetworkJudge<'r>) -> NetworkRun<'r> {
        NetworkRun {
            judge,
            mutants: &self.mutants,
            options: &self.plan.mutation,
            selection: &self.selection,
        }
    }
}

impl TimedWorld for NetworkWorld<'_> {
    fn set(&self) -> &dyn MutantSet {
        &self.mutants
    }

    fn selection(&self) -> &Selection {
        &self.selection
    }

    fn engine(&self) -> Option<Engine> {
        None
    }

    fn specification(&self) -> &Automaton {
        self.judge.original()
    }

    fn countable(&self) -> Option<Run<'_>> {
        None
    }

    /// The judge knows no guideline then, and composes each mutant alone.
    fn verify(&self, sample: VerificationSample, certifier: Option<&MutantCertifier<'_>>) -> Result<Verified> {
        let settings = NetworkSettings {
            semantics: self.plan.semantics,
            statics: StaticUse::Off,
            witness: false,
            engine: Engine::Enumerate,
            composed_first: NetworkSettings::COMPOSED_FIRST,
        };
        let plain = self.network.judge(settings, Timer::new(self.plan.limits))?;
        Ok(verify(&self.run(&plain), certifier, sample)?)
    }

    fn drive_batches(&self, driver: Driver<'_>) -> Result<Summary, ExperimentError> {
        self.run(&self.judge).drive(driver)
    }
}
