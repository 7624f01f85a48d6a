// Random machine configurations and scripts, each with what xstate itself does: one line of JSON per case, for the test
// `random_charts_do_what_xstate_does` of crates/interchange (it reads the file that TAMPER_CHARTS names).
// scripts/check-charts.sh SEED CASES does all of it. usage: charts.js [SEED [CASES [4]]], with 4 for machines of xstate 4
const FOUR = process.argv[4] === '4';
const X = require(FOUR ? 'xstate4' : 'xstate');
// xstate 4 has no limit of its own.
let steps = 0;
if (FOUR) { const own = X.StateNode.prototype.transition; X.StateNode.prototype.transition = function (...given) { if (++steps > 3000) throw new Error('too long'); return own.apply(this, given); }; }
const mistakesOf = require('./chart-mistakes.js');
let seed = (+process.argv[2] || 1) >>> 0;
const random = () => { seed = (seed + 0x6d2b79f5) >>> 0; let t = seed; t = Math.imul(t ^ (t >>> 15), t | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
const below = n => Math.floor(random() * n), chance = p => random() < p, pick = list => list[below(list.length)];
const DELAYS = [100, 100, 200, 300, 'D'], GUARDS = ['g', 'h'], EVENTS = ['A', 'B', 'C.x', 'C.y'];

// The tree of states first, then what they do.
function tree(level, key, path, all) {
  const node = { key, path, type: 'atomic', children: [], config: {} };
  all.push(node);
  const kind = level === 0 ? pick(['compound', 'compound', 'parallel']) : level < 3 ? pick(['atomic', 'atomic', 'compound', 'compound', 'parallel', 'final', 'history']) : pick(['atomic', 'atomic', 'final']);
  node.type = kind;
  if (kind === 'compound' || kind === 'parallel') {
    const keys = ['a', 'b', 'c'].slice(0, 2 + below(2));
    if (chance(0.1)) keys[0] = '1';
    for (const child of keys) node.children.push(tree(level + 1, child, [...path, child], all));
    // A parent needs a state that can be entered by default, and regions are no final states.
    const first = node.children[0];
    if (first.type === 'history' || (level === 0 && first.type === 'final')) { first.type = 'atomic'; }
    if (kind === 'parallel') for (const child of node.children) if (child.type === 'final') child.type = 'atomic';
  }
  return node;
}
function target(node, all) {
  const other = all.length > 1 && chance(0.95) ? all[1 + below(all.length - 1)] : all[0];
  if (chance(0.25)) return undefined;
  const histories = all.filter(at => at.type === 'history');
  if (histories.length && chance(0.2)) return '#' + ['m', ...pick(histories).path].join('.');
  if (chance(0.3) && node.children.length) return '.' + pick(node.children).key;
  if (chance(0.3)) return node.key && node.path.length ? pick(['a', 'b', node.key]) : undefined;
  if (chance(0.015)) { const third = pick(all); return ['#' + ['m', ...other.path].join('.'), '#' + ['m', ...third.path].join('.')]; }
  return '#' + ['m', ...other.path].join('.');
}
let names = 0;
// A place in the text raises one event with a delay; few do, as too many may then be pending.
const later = () => ({ type: 'xstate.raise', event: pick(['R', 'S', 'A']), delay: pick([0, 100, 100, 200, 'D']), ...(chance(0.8) ? { id: pick(['t', 'u']) } : {}) });
const raised = () => chance(0.3) ? chance(0.2) ? later() : { type: 'xstate.cancel', id: pick(['t', 'u']) } : { type: 'xstate.raise', event: pick(['R', 'S', 'A']) };
const actions = () => { const list = []; while (chance(0.3)) list.push(chance(0.7) ? 'x' + below(6) : chance(0.6) ? raised() : { type: 'xstate.assign' }); return list; };
// A state is active: by its id, by a path, or as a value.
const within = path => path.reduceRight((inner, key) => inner === undefined ? key : { [key]: inner }, undefined);
const stateIn = all => { const { path } = pick(all.slice(1)); return { type: 'xstate.stateIn', stateValue: pick(['#' + ['m', ...path].join('.'), path.join('.'), within(path)]) }; };
const guard = all => { const g = () => all.length > 1 && chance(0.1) ? stateIn(all) : pick(GUARDS); return chance(0.8) ? g() : chance(0.5) ? { type: 'xstate.not', guards: [g()] } : { type: pick(['xstate.and', 'xstate.or']), guards: [g(), g()] }; };
function transition(node, all, isAlways) {
  const t = {}, to = target(node, all), list = actions();
  if (to !== undefined) t.target = to;
  if (isAlways || chance(0.35)) t.guard = guard(all);
  if (list.length) t.actions = list;
  if (chance(0.25)) t.reenter = chance(0.8);
  return t;
}
const transitions = (node, all, isAlways) => chance(0.7) ? transition(node, all, isAlways) : [transition(node, all, isAlways), transition(node, all, isAlways)];
function fill(node, all) {
  const c = node.config;
  if (node.type === 'parallel' || node.type === 'final') c.type = node.type;
  if (node.type === 'history') { c.type = 'history'; if (chance(0.5)) c.history = pick(['deep', 'shallow']); if (chance(0.3)) c.target = pick(['a', 'b']); return c; }
  for (const [key, p] of [['entry', 0.4], ['exit', 0.3]]) if (chance(p)) { const list = actions(); if (list.length) c[key] = list.length === 1 ? list[0] : list; }
  // What a state sets, it mostly cancels.
  if (chance(0.15)) { const set = later(), cancel = { type: 'xstate.cancel', id: set.id }; c.entry = [c.entry ?? [], set].flat(); if (set.id && chance(0.8)) c.exit = [cancel, c.exit ?? []].flat(); }
  if (node.type !== 'final') {
    for (const event of [...EVENTS, 'R', 'S', '*', 'C.*']) if (chance(event.includes('*') ? 0.06 : 0.2)) (c.on ??= {})[event] = transitions(node, all);
    for (const delay of DELAYS) if (chance(0.15)) (c.after ??= {})[delay] = transitions(node, all);
    if (chance(0.12)) c.always = transitions(node, all, true);
    if (node.children.length && chance(0.4)) c.onDone = transitions(node, all);
    if (chance(0.1)) { const invoke = { src: 'actor', id: 'i' + all.indexOf(node) }; if (chance(0.8)) invoke.onDone = transitions(node, all); if (chance(0.5)) invoke.onError = transitions(node, all); c.invoke = invoke; }
  }
  if (node.type === 'compound') { const first = node.children.filter(k => k.type !== 'history'); const key = chance(0.8) ? first[0].key : pick(node.children).key; const list = actions(); c.initial = list.length && chance(0.5) ? { target: key, actions: list } : key; }
  if (node.children.length) { c.states = {}; for (const child of node.children) c.states[child.key] = fill(child, all); }
  return c;
}
// The same in the words of xstate 4, with some of its own.
function four(c, key, at = [], all = []) {
  if (Array.isArray(c)) return c.map(part => four(part, key, at, all));
  if (!c || typeof c !== 'object') return c;
  switch (c.type) {
    case 'xstate.raise': return chance(0.4) ? { id: c.event, ...c, type: 'xstate.send' } : c;
    case 'xstate.cancel': return { type: c.type, sendId: chance(0.2) ? 'R' : c.id };
    case 'xstate.not': case 'xstate.and': case 'xstate.or': return four(c.guards[0]);
    case 'xstate.stateIn': return 'g';
  }
  const to = {}, isState = key === undefined || key === 'states';
  for (const [name, value] of Object.entries(c)) {
    const own = four(value, isState ? name : key === 'on' || key === 'after' ? 'transition' : name, at, all);
    if (name === 'states') to.states = Object.fromEntries(Object.entries(value).map(([child, config]) => [child, four(config, 'states', [...at, child], all)]));
    else if (name === 'guard') to.cond = own;
    else if (name === 'reenter') to.internal = !value;
    else if (name === 'initial') { const first = value.target ?? value; to.initial = c.states[first].type === 'history' ? Object.keys(c.states).find(child => c.states[child].type !== 'history') : first; }
    else if (name === 'type' && value === 'parallel' && chance(0.3)) to.parallel = true;
    else if (name === 'always' && chance(0.3)) (to.on ??= {})[''] = own;
    else if (name === 'on') { delete own['C.*']; to.on = { ...to.on, ...own }; }
    else if (name === 'entry' && chance(0.2)) to.onEntry = own;
    else if (name === 'exit' && chance(0.2)) to.onExit = own;
    else to[name] = own;
  }
  if (to.target !== undefined && !isState && all.length > 1 && chance(0.06)) to.in = '#' + ['m', ...pick(all.slice(1)).path].join('.');
  return to;
}
class Clock {
  constructor() { this.t = 0; this.q = []; this.id = 0; this.steps = 0; }
  now() { return this.t; }
  setTimeout(fn, ms) { const id = ++this.id; this.q.push({ id, at: this.t + ms, fn }); return id; }
  clearTimeout(id) { this.q = this.q.filter(x => x.id !== id); }
  advance(ms) { const end = this.t + ms; for (;;) { const d = this.q.filter(x => x.at <= end).sort((a, b) => a.at - b.at || a.id - b.id)[0]; if (!d || ++this.steps > 400) break; this.q = this.q.filter(x => x !== d); this.t = Math.max(this.t, d.at); d.fn(); } this.t = end; }
}
// The configuration as the library takes it: what JSON cannot say is put in.
function real(c) {
  if (Array.isArray(c)) return c.map(real);
  if (c && typeof c === 'object') {
    const guards = () => c.guards.map(real);
    const delayed = { delay: c.delay, id: c.id };
    if (FOUR) switch (c.type) {
      case 'xstate.raise': return X.actions.raise({ type: c.event }, delayed);
      case 'xstate.send': return X.actions.send({ type: c.event }, delayed);
      case 'xstate.cancel': return X.actions.cancel(c.sendId);
      case 'xstate.assign': return X.assign({});
    }
    switch (c.type) {
      case 'xstate.raise': return X.raise({ type: c.event }, delayed);
      case 'xstate.cancel': return X.cancel(c.id);
      case 'xstate.assign': return X.assign({});
      case 'xstate.not': return X.not(real(c.guards[0]));
      case 'xstate.and': return X.and(guards());
      case 'xstate.or': return X.or(guards());
      case 'xstate.stateIn': return X.stateIn(c.stateValue);
    }
    return Object.fromEntries(Object.entries(c).map(([key, value]) => [key, real(value)]));
  }
  return c;
}
function run(config, script, delays = { D: 200 }) {
  steps = 0;
  const G = { g: false, h: false }, trace = [], clock = new Clock();
  const x = Object.fromEntries([0, 1, 2, 3, 4, 5].map(n => ['x' + n, () => { if (trace.push(`${clock.t} x${n}`) > 150) { looped = true; throw new Error('too long'); } }]));
  const guards = { g: () => G.g, h: () => G.h };
  const machine = FOUR ? X.createMachine({ ...real(config), predictableActionArguments: true, context: {} }, { actions: x, delays, guards, services: { actor: () => () => {} } })
    : X.createMachine({ ...real(config), options: { maxIterations: 300 } }).provide({ actions: x, delays, guards, actors: { actor: X.fromCallback(() => {}) } });
  const orders = new Map((FOUR ? Object.entries(machine.idMap) : Array.from(machine.root.machine.idMap ?? machine.idMap)).map(([id, node]) => [id, node.order]));
  const show = (value, id) => typeof value === 'string' ? [value] : Object.keys(value).sort((p, q) => orders.get(id + '.' + p) - orders.get(id + '.' + q)).flatMap(key => [key, ...show(value[key], id + '.' + key)]);
  // Guards are asked when the actor is made.
  let actor, last = '', failed = false, looped = false;
  const on = snapshot => { const text = 'at_' + show(snapshot.value, 'm').join('_'); if (text !== last && show(snapshot.value, 'm').length) { trace.push(`${clock.t} ${text}`); last = text; } };
  const fail = error => { if (String(error && error.message).includes('Infinite loop')) looped = true; if (!failed) trace.push(`${clock.t} error`); failed = true; };
  const finished = new WeakSet();
  // An error that nothing handles is thrown at who sends it.
  const attempt = call => { try { call(); } catch (error) { if (!FOUR) throw error; looped ||= error instanceof RangeError || error.message === 'too long'; } };
  const send = event => attempt(() => actor.send(event));
  for (const word of script) {
    const set = /^(g|h)_(true|false)$/.exec(word), done = /^(done|error)_(i\d+)$/.exec(word);
    if (word === 'start' && FOUR) { actor = X.interpret(machine, { clock }).onTransition(on); attempt(() => actor.start()); }
    else if (word === 'start') { actor = X.createActor(machine, { clock }); actor.subscribe({ next: on, error: fail }); actor.start(); on(actor.getSnapshot()); }
    else if (set) G[set[1]] = set[2] === 'true';
    else if (done) {
      const child = FOUR ? actor.children.get(done[2]) : actor.getSnapshot().children[done[2]];
      if (!child || finished.has(child)) continue;
      finished.add(child);
      if (FOUR) send({ type: `${done[1] === 'done' ? 'done.invoke' : 'error.platform'}.${done[2]}`, data: { data: 1 } });
      else send({ type: `xstate.${done[1]}.actor.${done[2]}`, ...(done[1] === 'error' ? { error: 1 } : {}) });
    } else if (/^\d+$/.test(word)) attempt(() => clock.advance(+word));
    else send({ type: { C_x: 'C.x', C_y: 'C.y', C_other: 'C.other' }[word] ?? word });
  }
  if (looped || clock.steps > 400) throw new Error('it hangs');
  return trace.join('; ');
}
process.on('uncaughtException', () => {});
console.warn = console.error = () => {};
let left = +process.argv[3] || 100, tries = 0;
while (left > 0 && tries++ < 1e6) {
  const all = [], root = tree(0, '', [], all), filled = fill(root, all), chart = { id: 'm', ...(FOUR ? four(filled, undefined, [], all) : filled), delays: { D: 200 }, xstate: FOUR ? 4 : 5 };
  // Only what the chart names is an input of the game.
  const text = JSON.stringify(chart), has = part => text.includes(JSON.stringify(part));
  const words = [...EVENTS.filter(event => has(event) && !(event === 'A' && text.includes('"event":"A"'))).map(event => event.replace('.', '_')), ...(has('C.*') ? ['C_other'] : []), ...(has('*') ? ['other'] : [])];
  const script = [];
  for (const g of GUARDS) if (has(g) && chance(0.5)) script.push(g + '_true');
  script.push('start');
  for (let n = 3 + below(9); n > 0; n--) {
    const kind = below(10);
    if (kind < 4 && words.length) script.push(pick(words));
    else if (kind < 6 && (has('guard') || has('cond'))) { const g = pick(GUARDS); if (has(g)) script.push(g + pick(['_true', '_false'])); }
    else if (kind < 7 && text.includes('"actor"')) { const id = pick([...text.matchAll(/"id":"(i\d+)"/g)])[1]; script.push(pick(['done_', 'error_']) + id); }
    else script.push(String(pick([50, 100, 150, 250])));
  }
  script.push('1000');
  let trace;
  try { trace = run(chart, script); } catch { continue; }
  const { delays, xstate, ...config } = chart;
  // Some charts with a mistake, and what xstate does with them.
  const mistakes = [], all_mistakes = !FOUR && chance(0.3) ? mistakesOf(config, delays) : [];
  const drawn = all_mistakes.length ? Array.from({ length: 12 }, () => pick(all_mistakes)) : [];
  for (const { operator, name, config, delays } of [...drawn, ...all_mistakes.filter(one => ['HDR', 'TNC'].includes(one.operator)).slice(0, 6)]) {
    try { mistakes.push({ operator, name, text: JSON.stringify({ ...config, delays, xstate }), trace: run(config, script, delays) }); } catch { /* it hangs */ }
  }
  console.log(JSON.stringify({ text: JSON.stringify({ ...config, delays, xstate }), script: script.join(' '), trace, mistakes }));
  left--;
}
