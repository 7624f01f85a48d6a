"use strict";
// A machine of XState 5 under tamper's tests: its configuration as JSON, which tamper reads, and an adapter that runs the same machine.

/** What JSON cannot say, or tamper does not read. */
class Unreadable extends Error {}

// Words that no name of a game may be.
const RESERVED = new Set(
  ("and or not imply xor true false forall exists sum const int bool clock chan urgent broadcast typedef struct void double string scalar meta " +
    "hybrid system return while for if").split(" "),
);

/** The name that tamper has for an event, an action or a value. */
function identifier(text) {
  const words = text.split(/[^A-Za-z0-9_]+/).filter((word) => word.length > 0).join("_");
  const name = words === "" || /^[0-9]/.test(words) ? `_${words}` : words;
  return RESERVED.has(name) ? `${name}_` : name;
}

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const isPlain = (value) => value !== null && typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value));
const nameOfEvent = (event) => (typeof event === "string" ? event : event.type);

/** Reads a machine: `written` is its configuration in the words of JSON, `live` the same one to run, with guards and actions by name. */
class Reading {
  constructor(X, machine, delays) {
    Object.assign(this, { X, machine, given: delays, delays: {}, guards: new Set(), sources: new Set(), problems: [], inline: new Map(), say: null, assigns: null });
  }

  read() {
    const { written, live } = this.state(this.machine.config, this.machine.id);
    written.id = live.id = this.machine.id;
    if (this.problems.length > 0) throw new Unreadable(this.problems.join("\n"));
    return { written: { ...written, delays: this.delays, xstate: 5 }, live };
  }

  problem(where, what) {
    this.problems.push(`${where}: ${what}`);
    return {};
  }

  /** A name for a function that stands in the configuration itself. */
  nameOf(fn, kind, where) {
    if (!this.inline.has(fn)) {
      const own = fn.name && !["guard", "actions", "entry", "exit"].includes(fn.name) ? fn.name : `${kind} ${where}`;
      let name = own;
      for (let n = 2; [...this.inline.values()].includes(name); n++) name = `${own} ${n}`;
      this.inline.set(fn, name);
    }
    return this.inline.get(fn);
  }

  guard(guard, where) {
    const { X } = this;
    if (guard === undefined) return {};
    const known = typeof guard === "string" ? this.machine.implementations.guards[guard] : guard;
    if (typeof known === "function" && known.check !== undefined) {
      const kind = ["and", "or", "not"].find((kind) => (kind === "not" ? X.not("g") : X[kind](["g"])).check === known.check);
      if (kind === undefined) return this.problem(where, "the guard `stateIn` is not read: use a guard by name");
      const parts = known.guards.map((part) => this.guard(part, where));
      return {
        written: { type: `xstate.${kind}`, guards: parts.map((part) => part.written) },
        live: kind === "not" ? X.not(parts[0].live) : X[kind](parts.map((part) => part.live)),
      };
    }
    // Parameters that are functions of data do not matter: the test says what the guard says.
    const own = typeof guard === "function" ? this.nameOf(guard, "guard", where) : guard;
    const written = typeof own.params === "function" ? own.type : own;
    const name = typeof written === "string" ? written : `${written.type}${written.params ? ` ${words(written.params)}` : ""}`;
    this.guards.add(name);
    return { written, live: name };
  }

  action(action, where) {
    const { X } = this;
    const type = typeof action === "string" ? action : action.type;
    if (typeof action === "function" && type === undefined) return this.output(this.nameOf(action, "action", where));
    const known = String(type).startsWith("xstate.") ? undefined : this.machine.implementations.actions[type];
    if (known && String(known.type).startsWith("xstate.")) return this.action(known, where);
    const event = action.event !== undefined ? action.event : action.eventOrExpr;
    const to = typeof action.to === "string" ? action.to : undefined;
    if (typeof event === "function" && type === "xstate.sendTo") return this.output(`send to ${to || where}`);
    if (typeof event === "function") return this.problem(where, `the event of \`${type}\` is a function`);
    switch (type) {
      case "xstate.log":
        return {};
      case "xstate.assign":
        return { written: { type }, live: X.assign((args) => (this.assigns(), assigned(action.assignment, args))) };
      case "xstate.raise":
        if (action.delay !== undefined) return this.problem(where, "an event with a delay of its own is not read: use `after`");
        return { written: { type, event: nameOfEvent(event) }, live: X.raise(typeof event === "string" ? { type: event } : event) };
      case "xstate.emit":
        return { ...this.output(nameOfEvent(event)), written: { type, event: nameOfEvent(event) } };
      case "xstate.sendTo":
        return this.output(`send ${nameOfEvent(event)}${to ? ` to ${to}` : ""}`);
    }
    if (String(type).startsWith("xstate.")) return this.problem(where, `the action \`${type}\` is not read`);
    if (typeof action === "string" || typeof action.params === "function" || action.params === undefined) return this.output(type);
    return { ...this.output(`${type} ${words(action.params)}`), written: { type, params: action.params } };
  }

  output(name) {
    return { written: name, live: () => this.say(identifier(name)) };
  }

  actions(actions, where) {
    return both(list(actions).map((action) => this.action(action, where)).filter((action) => action.written !== undefined));
  }

  transitions(value, where) {
    if (value === undefined) return { written: {}, live: {} };
    return both(list(value).map((transition) => this.transition(typeof transition === "string" ? { target: transition } : transition, where)));
  }

  transition({ target, reenter, guard, actions }, where) {
    const holds = this.guard(guard, where);
    const does = this.actions(actions, where);
    const common = { ...(target !== undefined ? { target } : {}), ...(reenter !== undefined ? { reenter } : {}) };
    return {
      written: { ...common, ...(holds.written ? { guard: holds.written } : {}), ...(does.written.length > 0 ? { actions: does.written } : {}) },
      live: { ...common, ...(holds.live ? { guard: holds.live } : {}), actions: does.live },
    };
  }

  state(config, id) {
    const parts = Object.entries(config).flatMap(([key, value]) => {
      switch (key) {
        case "id": case "type": case "history": case "target":
          return [[key, { written: value, live: value }]];
        case "initial":
          return [[key, isPlain(value) ? this.transition(value, `${id} initial`) : { written: value, live: value }]];
        case "entry": case "exit":
          return [[key, this.actions(value, `${id} ${key}`)]];
        case "on":
          return [[key, entries(value, (event, transitions) => this.transitions(transitions, `${id} on ${event}`))]];
        case "after":
          Object.keys(value).forEach((name) => this.delay(name, id));
          return [[key, entries(value, (name, transitions) => this.transitions(transitions, `${id} after ${name}`))]];
        case "always": case "onDone":
          return [[key, this.transitions(value, `${id} ${key}`)]];
        case "invoke":
          return [[key, this.invoke(value, id)]];
        case "states":
          return [[key, entries(value, (name, state) => this.state(state, `${id}.${name}`))]];
        case "context": case "description": case "input": case "meta": case "output": case "schemas": case "tags": case "types": case "version":
          return [];
        default:
          this.problem(id, `the key \`${key}\` is not read`);
          return [];
      }
    });
    const side = (name) => Object.fromEntries(parts.map(([key, part]) => [key, part[name]]));
    return { written: side("written"), live: { ...side("live"), ...(config.context !== undefined ? { context: config.context } : {}) } };
  }

  invoke(value, id) {
    const actor = (config, number) => {
      if (config.onSnapshot) this.problem(id, "`onSnapshot` is not read: let the actor send an event");
      const src = typeof config.src === "string" ? config.src : "actor";
      this.sources.add(src);
      const ends = ["onDone", "onError"].filter((key) => config[key] !== undefined).map((key) => [key, this.transitions(config[key], `${id} ${key}`)]);
      const side = (name) => ({ src, id: config.id !== undefined ? config.id : `${number}.${id}`, ...Object.fromEntries(ends.map(([key, part]) => [key, part[name]])) });
      return { written: side("written"), live: side("live") };
    };
    return both(list(value).map(actor));
  }

  delay(name, id) {
    if (/^[0-9]+$/.test(name)) return;
    const delay = this.given[name] !== undefined ? this.given[name] : this.machine.implementations.delays[name];
    if (typeof delay === "number") this.delays[name] = delay;
    else if (typeof delay === "function") this.problem(id, `the delay ${name} is a function of data: say how long it is (--delay ${name}=1000, or { delays: { ${name}: 1000 } })`);
    else this.problem(id, `the delay ${name} is not defined: the machine would not wait at all`);
  }
}

/** Two lists of a list of pairs. */
function both(parts) {
  return { written: parts.map((part) => part.written), live: parts.map((part) => part.live) };
}

function entries(map, read) {
  const parts = Object.entries(map).map(([key, value]) => [key, read(key, value)]);
  const side = (name) => Object.fromEntries(parts.map(([key, part]) => [key, part[name]]));
  return { written: side("written"), live: side("live") };
}

/** The words of parameters, as tamper's reader puts them behind a name. */
function words(value) {
  if (Array.isArray(value)) return value.map(words).join(" ");
  return value !== null && typeof value === "object" ? Object.entries(value).map(([key, part]) => `${key} ${words(part)}`).join(" ") : String(value);
}

/** What an assignment gives; nothing if it fails because data of the environment is not there. */
function assigned(assignment, args) {
  try {
    if (typeof assignment === "function") return assignment(args);
    return Object.fromEntries(Object.entries(assignment || {}).map(([key, value]) => [key, typeof value === "function" ? value(args) : value]));
  } catch {
    return {};
  }
}

/** All states of a written configuration. */
function states(state) {
  return [state, ...Object.values(state.states || {}).flatMap(states)];
}

/** The configuration of `machine`, a machine of the library `X` (XState 5), as tamper reads it. `delays`: the lengths of delays that are functions of data. */
function configuration(X, machine, { delays = {} } = {}) {
  return new Reading(X, machine, delays).read().written;
}

/**
 * What `serve`, and tests that `tamper harness` writes, call at each reset: the machine itself runs under the clock of the kit. Guards are what the test
 * says, what is invoked ends when the test says so; actions by name are outputs, and are not executed.
 */
function chart(X, machine, { delays = {} } = {}) {
  return ({ say, ms, after }) => {
    const reading = new Reading(X, machine, delays);
    const { live, written } = reading.read();
    const inputs = {};
    // As in the game: an event keeps its name, and an action that has the same one is told apart.
    reading.say = (output) => {
      acts = true;
      say(output in inputs ? `${output}_` : output);
    };
    reading.assigns = () => (acts = assigns = true);
    // What a timer has read of a guard is kept until an event does something, or something is assigned: data does not change by itself.
    const values = {};
    const kept = new Set();
    let isAsked = false;
    let [acts, assigns] = [false, false];
    const asked = new Set();
    const ask = (name) => () => {
      isAsked = true;
      asked.add(name);
      return values[name] === true;
    };
    const timed = (call) => () => {
      assigns = false;
      asked.clear();
      call();
      if (assigns) kept.clear();
      else for (const name of asked) kept.add(name);
    };
    const send = (event) => {
      acts = false;
      actor.send(event);
      if (acts) kept.clear();
    };
    const guards = Object.fromEntries([...reading.guards].map((name) => [name, ask(name)]));
    const actors = Object.fromEntries([...reading.sources].map((name) => [name, X.fromCallback(() => {})]));
    const made = X.createMachine(live).provide({ guards, actors, delays: written.delays });
    const clock = {
      now: () => Date.now(),
      setTimeout: (call, delay) => ((acts = true), setTimeout(timed(call), ms(delay))),
      clearTimeout: (timer) => clearTimeout(timer),
    };
    const value = (state, node) => {
      if (typeof state === "string") return [state];
      const keys = Object.keys(state).sort((one, other) => node.states[one].order - node.states[other].order);
      return keys.flatMap((key) => [key, ...value(state[key], node.states[key])]);
    };
    let shown = "";
    const show = (snapshot) => {
      const now = value(snapshot.value, made.root).join("_");
      if (now !== shown) {
        acts = true;
        say(identifier(`at ${now}`));
      }
      shown = now;
    };
    let actor = null;
    const begin = () => {
      actor = X.createActor(made, { clock });
      actor.subscribe({ next: show, error: () => say("error") });
      actor.start();
      show(actor.getSnapshot());
    };
    after(() => actor && actor.stop());
    const finished = new WeakSet();
    const ends = (id, kind) => () => {
      const child = actor && actor.getSnapshot().children[id];
      if (!child || finished.has(child)) return;
      finished.add(child);
      send({ type: `xstate.${kind}.actor.${id}` });
    };
    for (const state of states(written)) {
      for (const descriptor of Object.keys(state.on || {})) {
        const type = descriptor.endsWith("*") ? `${descriptor.slice(0, -1)}other` : descriptor;
        inputs[identifier(type)] = () => void (actor && send({ type }));
      }
      for (const { id } of state.invoke || []) for (const kind of ["done", "error"]) inputs[identifier(`${kind} ${id}`)] = ends(id, kind);
    }
    for (const name of reading.guards) for (const truth of [true, false]) inputs[identifier(`${name} ${truth}`)] = () => void (kept.has(name) || (values[name] = truth));
    // A machine that asks a guard at its start waits until the test has set it, and says so.
    X.createActor(made);
    if (isAsked) inputs.start = begin;
    else begin();
    return inputs;
  };
}

module.exports = { chart, configuration, identifier, Unreadable };
