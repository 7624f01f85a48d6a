//! Which mutants of a network: from options, or from the folder of a run.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use super::network_args::{Composition, NetworkArgs, network_file, split};
use super::terminal::Terminal;
use crate::experiment::{Component, Manifest, ModelRef, NetworkMutants, NetworkScope, Scope, Timer, components};
use crate::formats::NetworkFile;
use crate::mutation::MutationOptions;
use crate::network::{Network, View};

/// The name of a composed game.
pub const COMPOSED: &str = "System";

/// Which processes are mutated.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Networks")]
pub struct MutateArgs {
    /// Mutants of a network: each changes one of these processes or templates under test (all: of every one), is composed
    /// and judged against the composition of FILE
    #[arg(long, value_name = "P,Q")]
    pub mutate: Option<String>,
    /// With --mutate: what one mutation changes
    #[arg(long, value_enum, value_name = "WHAT", requires = "mutate")]
    pub scope: Option<ScopeArg>,
}

/// What a mutation of a network changes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ScopeArg {
    /// The template, with all its instances (the default)
    Template,
    /// One instance
    Instance,
}

/// A network, and what is mutated of it.
pub struct MutatedNetwork {
    /// The network.
    pub file: NetworkFile,
    /// How it is looked at.
    pub view: View,
    /// What is mutated.
    pub components: Vec<Component>,
    /// How manifests name it.
    pub model: ModelRef,
    bytes: Vec<u8>,
    args: NetworkArgs,
    scope: Scope,
}

impl MutatedNetwork {
    /// Of the file in `path`, by what was typed; warnings are shown.
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
        Self::of((path, network_file(path, terminal)?), args, (&names, scope))
    }

    /// Of the run in `folder`, from `path` if that is given; how the network is looked at is the run's unless it was typed.
    pub fn of_run(path: Option<&Path>, args: &NetworkArgs, folder: &Path, terminal: &Terminal) -> Result<Self> {
        let manifest = Manifest::read(folder)?;
        let scope = manifest.network().context("the run is on mutants of a network")?;
        let kind = [Scope::Template, Scope::Instance]
            .into_iter()
            .find(|kind| kind.name() == scope.scope);
        let kind = kind.with_context(|| format!("the manifest in {} is of another version", folder.display()))?;
        let path = path.unwrap_or(Path::new(&manifest.model().file));
        let typed = if args.is_asked() {
            args.clone()
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
        Self::of((path, (file, bytes)), &typed, (&scope.mutated, kind))
    }

    fn of(
        (path, (file, bytes)): (&Path, (NetworkFile, Vec<u8>)),
        args: &NetworkArgs,
        (names, scope): (&[String], Scope),
    ) -> Result<Self> {
        let view = args.view(&file.network)?;
        let components = components((&file.network, &view), &file.templates, names, scope)?;
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

    /// The mutants.
    pub fn mutants(&self, options: &MutationOptions) -> NetworkMutants<'_> {
        NetworkMutants::of(&self.components, options)
    }

    /// The network and how it is looked at.
    pub fn viewed(&self) -> (&Network, &View) {
        (&self.file.network, &self.view)
    }

    /// What a manifest says about it.
    pub fn scope(&self) -> NetworkScope {
        NetworkScope {
            mutated: self.components.iter().map(|component| component.name.clone()).collect(),
            scope: self.scope.name().to_owned(),
            ..self.args.scope()
        }
    }

    /// The network as one game.
    pub fn composition(&self, timer: &Timer) -> Result<Composition> {
        let composed = Composition::of(&self.file, &self.bytes, &self.args, timer);
        composed.with_context(|| format!("{} cannot be composed", self.model.file))
    }
}
