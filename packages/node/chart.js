"use strict";
// A machine of XState 4 or 5 under tamper's tests: its configuration as JSON, which tamper reads, and an adapter that runs the same machine.

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
    // The version of the library is that of the machine.
    this.isOf4 = typeof X.createActor !== "function";
    this.known = this.isOf4 ? machine.options : machine.implementations;
  }

  read() {
    const { written, live } = this.state(this.machine.config, this.machine.id);
    written.id = live.id = this.machine.id;
    if (this.problems.length > 0) throw new Unreadable(this.problems.join("\n"));
    return { written: { ...written, delays: this.delays, xstate: this.isOf4 ? 4 : 5 }, live };
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
    const known = typeof guard === "string" ? this.known.guards[guard] : guard;
    if (typeof known === "function" && known.check !== undefined) {
      const kind = ["and", "or", "not"].find((kind) => X[kind] && (kind === "not" ? X.not("g") : X[kind](["g"])).check === known.check);
      const { stateValue } = known;
      if (kind === undefined && stateValue !== undefined) return { written: { type: "xstate.stateIn", stateValue }, live: known };
      if (kind === undefined) return this.problem(where, "a guard of this library is not read: use a guard by name");
      const parts = known.guards.map((part) => this.guard(part, where));
      return {
        written: { type: `xstate.${kind}`, guards: parts.map((part) => part.written) },
        live: kind === "not" ? X.not(parts[0].live) : X[kind](parts.map((part) => part.live)),
      };
    }
    // Parameters that are functions of data do not matter: the test says what the guard says.
    const own = typeof guard === "function" ? this.nameOf(guard, "guard", where) : guard;
    const written = this.isOf4 ? named(own) : typeof own.params === "function" ? own.type : own;
    const name = typeof written === "string" ? written : `${written.type}${written.params ? ` ${words(written.params)}` : ""}`;
    this.guards.add(name);
    return { written, live: name };
  }

  action(action, where) {
    const { X } = this;
    const type = typeof action === "string" ? action : action.type;
    if (typeof action === "function" && type === undefined) return this.output(this.nameOf(action, "action", where));
    const known = String(type).startsWith("xstate.") ? undefined : this.known.actions[type];
    if (known && String(known.type).startsWith("xstate.")) return this.action(known, where);
    const event = action.event !== undefined ? action.event : action.eventOrExpr;
    const to = typeof action.to === "string" ? action.to : undefined;
    if (typeof event === "function" && type === "xstate.sendTo") return this.output(`send to ${to || where}`);
    if (typeof event === "function") return this.problem(where, `the event of \`${type}\` is ${event.name ? `the function \`${event.name}\`` : "a function"}: write an event`);
    const timed = () => {
      const { delay, id } = action;
      if (typeof delay === "function") return this.problem(where, `the delay of \`${type}\` is a function: give it a name`);
      if (typeof delay === "string") this.delay(delay, where);
      const options = { ...(delay !== undefined ? { delay } : {}), ...(id !== undefined ? { id } : {}) };
      const make = type === "xstate.send" ? X.actions.send : this.isOf4 ? X.actions.raise : X.raise;
      return { written: { type, event: nameOfEvent(event), ...options }, live: make(typeof event === "string" ? { type: event } : event, options) };
    };
    switch (type) {
      case "xstate.log":
        return {};
      case "xstate.assign":
        return { written: { type }, live: X.assign((...args) => (this.assigns(), assigned(action.assignment, args))) };
      case "xstate.raise":
        return timed();
      case "xstate.send":
        if (action.to === undefined) return timed();
        if (action.delay !== undefined) return this.problem(where, "a message with a delay of its own is not read");
        return this.output(`send ${nameOfEvent(event)} to ${to || where}`);
      case "xstate.cancel": {
        const id = action.sendId;
        if (typeof id !== "string") return this.problem(where, "the id of `xstate.cancel` is a function");
        return { written: { type, sendId: id }, live: (this.isOf4 ? X.actions : X).cancel(id) };
      }
      case "xstate.emit":
        return { ...this.output(nameOfEvent(event)), written: { type, event: nameOfEvent(event) } };
      case "xstate.sendTo":
        return this.output(`send ${nameOfEvent(event)}${to ? ` to ${to}` : ""}`);
    }
    if (String(type).startsWith("xstate.")) return this.problem(where, `the action \`${type}\` is not read`);
    if (this.isOf4) return this.output(named(action));
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

  transition({ target, actions, ...config }, where) {
    const [guard, again] = this.isOf4 ? ["cond", "internal"] : ["guard", "reenter"];
    const holds = this.guard(config[guard], where);
    const does = this.actions(actions, where);
    const common = { ...(target !== undefined ? { target } : {}), ...(config[again] !== undefined ? { [again]: config[again] } : {}) };
    if (this.isOf4 && config.in !== undefined) common.in = config.in;
    return {
      written: { ...common, ...(holds.written ? { [guard]: holds.written } : {}), ...(does.written.length > 0 ? { actions: does.written } : {}) },
      live: { ...common, ...(holds.live ? { [guard]: holds.live } : {}), actions: does.live },
    };
  }

  state(config, id) {
    const parts = Object.entries(config).flatMap(([key, value]) => {
      switch (key) {
        case "id": case "type": case "history": case "target":
          return [[key, { written: value, live: value }]];
        case "initial":
          return [[key, isPlain(value) ? this.transition(value, `${id} initial`) : { written: value, live: value }]];
        case "entry": case "exit": case "onEntry": case "onExit":
          return [[key, this.actions(value, `${id} ${key}`)]];
        case "on":
          return [[key, entries(value, (event, transitions) => this.transitions(transitions, `${id} on ${event}`))]];
        case "after":
          if (Array.isArray(value)) return [[key, this.problem(id, "a list of delays is not read: write an object")]];
          Object.keys(value).forEach((name) => this.delay(name, id));
          return [[key, entries(value, (name, transitions) => this.transitions(transitions, `${id} after ${name}`))]];
        case "always": case "onDone":
          return [[key, this.transitions(value, `${id} ${key}`)]];
        case "invoke":
          return [[key, this.invoke(value, id)]];
        case "states":
          return [[key, entries(value, (name, state) => this.state(state, `${id}.${name}`))]];
        case "parallel": case "key":
          if (this.isOf4) return [[key, { written: value, live: value }]];
        // falls through
        case "data": case "predictableActionArguments": case "preserveActionOrder": case "schema": case "tsTypes":
          if (this.isOf4) return [];
          this.problem(id, `the key \`${key}\` is not read`);
          return [];
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
      const src = typeof config.src === "string" ? config.src : config.src && !this.isOf4 ? "actor" : (config.src && config.src.type) || "actor";
      this.sources.add(src);
      const ends = ["onDone", "onError"].filter((key) => config[key] !== undefined).map((key) => [key, this.transitions(config[key], `${id} ${key}`)]);
      const side = (name) => ({ src, id: config.id !== undefined ? config.id : this.isOf4 ? `${id}:invocation[${number}]` : `${number}.${id}`, ...Object.fromEntries(ends.map(([key, part]) => [key, part[name]])) });
      return { written: side("written"), live: side("live") };
    };
    return both(list(value).map(actor));
  }

  delay(name, id) {
    if (/^[0-9]+$/.test(name)) return;
    const delay = this.given[name] !== undefined ? this.given[name] : this.known.delays[name];
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

/** The name of an action or a guard of XState 4, with the words beside its type, as tamper's reader puts them. */
function named(config) {
  if (typeof config === "string") return config;
  const { type, exec, ...others } = config;
  return [type, ...Object.entries(others).map(([key, part]) => (key === "params" ? words(part) : `${key} ${words(part)}`))].filter(Boolean).join(" ");
}

/** What an assignment gives; nothing if it fails because data of the environment is not there. */
function assigned(assignment, args) {
  try {
    if (typeof assignment === "function") return assignment(...args);
    return Object.fromEntries(Object.entries(assignment || {}).map(([key, value]) => [key, typeof value === "function" ? value(...args) : value]));
  } catch {
    return {};
  }
}

/** All states of a written configuration. */
function states(state) {
  return [state, ...Object.values(state.states || {}).flatMap(states)];
}

/** The configuration of `machine`, a machine of the library `X` (XState 4 or 5), as tamper reads it. `delays`: the lengths of delays that are functions of data. */
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
    const { isOf4 } = reading;
    const actors = Object.fromEntries([...reading.sources].map((name) => [name, isOf4 ? () => () => {} : X.fromCallback(() => {})]));
    const made = isOf4
      ? (X.createMachine || X.Machine)({ context: {}, ...live, predictableActionArguments: true }, { guards, services: actors, delays: written.delays })
      : X.createMachine(live).provide({ guards, actors, delays: written.delays });
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
      const now = value(snapshot.value, isOf4 ? made : made.root).join("_");
      if (now !== shown) {
        acts = true;
        say(identifier(`at ${now}`));
      }
      shown = now;
    };
    let actor = null;
    const begin = () => {
      if (isOf4) {
        actor = X.interpret(made, { clock }).onTransition(show);
        actor.start();
        return;
      }
      actor = X.createActor(made, { clock });
      actor.subscribe({ next: show, error: () => say("error") });
      actor.start();
      show(actor.getSnapshot());
    };
    after(() => actor && actor.stop());
    const finished = new WeakSet();
    const ends = (id, kind) => () => {
      const child = actor && (isOf4 ? actor.children.get(id) : actor.getSnapshot().children[id]);
      if (!child || finished.has(child)) return;
      finished.add(child);
      if (!isOf4) return void send({ type: `xstate.${kind}.actor.${id}` });
      try {
        send({ type: `${kind === "done" ? "done.invoke" : "error.platform"}.${id}`, data: {} });
      } catch {
        // Nothing handles the error: xstate reports it.
      }
    };
    for (const state of states(written)) {
      for (const descriptor of Object.keys(state.on || {})) {
        if (isOf4 && /^$|^done\.(state|invoke)\.|^error\.platform/.test(descriptor)) continue;
        const type = descriptor.endsWith("*") ? `${descriptor.slice(0, -1)}other` : descriptor;
        inputs[identifier(type)] = () => void (actor && send({ type }));
      }
      for (const { id } of state.invoke || []) for (const kind of ["done", "error"]) inputs[identifier(`${kind} ${id}`)] = ends(id, kind);
    }
    for (const name of reading.guards) for (const truth of [true, false]) inputs[identifier(`${name} ${truth}`)] = () => void (kept.has(name) || (values[name] = truth));
    // A machine that asks a guard at its start waits until the test has set it, and says so.
    if (isOf4) void made.initialState;
    else X.createActor(made);
    if (isAsked) inputs.start = begin;
    else begin();
    return inputs;
  };
}

module.exports = { chart, configuration, identifier, Unreadable };
