// Random SCXML charts with delays and scripts, each with what the algorithm of the standard (W3C, State Chart XML, appendix D) does, in
// plain code: one line of JSON per case, for the test `random_charts_do_what_the_standard_says` of crates/interchange (it reads the file that
// TAMPER_SCXML names). Where SCION is installed it runs each chart too, and standard error says how often its outputs are the same, and by
// which of its RULES the others come. In about half of the charts there are variables, whose expressions JavaScript evaluates.
// scripts/check-charts.sh SEED CASES does all of it.
let seed = (+process.argv[2] || 1) >>> 0;
const random = () => { seed = (seed + 0x6d2b79f5) >>> 0; let t = seed; t = Math.imul(t ^ (t >>> 15), t | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
const below = n => Math.floor(random() * n), chance = p => random() < p, pick = list => list[below(list.length)];
const DELAYS = [['100ms', 100], ['.1s', 100], ['0.2s', 200], ['300', 300], ['1.5s', 1500]], EVENTS = ['A', 'B', 'C.x', 'C.y'], OWN = ['R', 'S', 'T'];

// The tree of states, in document order.
function tree(level, parent, all) {
  const node = { id: 's' + all.length, at: all.length, level, parent, children: [], entry: [], exit: [], transitions: [], initial: null };
  all.push(node);
  node.kind = level === 0 ? 'scxml' : level < 4 ? pick(['state', 'state', 'state', 'compound', 'compound', 'parallel', 'final', 'history']) : pick(['state', 'final']);
  if (['scxml', 'compound', 'parallel'].includes(node.kind)) {
    for (let n = 2 + below(2); n > 0; n--) node.children.push(tree(level + 1, node, all));
    const first = node.children[0];
    if (first.kind === 'history' || level === 0 && first.kind === 'final') first.kind = 'state';
    for (const child of node.children) {
      if (node.kind === 'parallel' && child.kind === 'final') child.kind = 'state';
      if (node.kind === 'scxml' && child.kind === 'history') child.kind = 'state';
    }
  }
  return node;
}
const isWithin = (node, other) => { for (let at = node.parent; at; at = at.parent) if (at === other) return true; return false; };
const ancestors = (node, limit) => { const list = []; if (node === limit) return list; for (let at = node.parent; at && at !== limit; at = at.parent) list.push(at); return list; };
const inside = (node, all) => all.filter(other => isWithin(other, node));
const isHistory = node => node.kind === 'history', isCompound = node => node.kind === 'compound' || node.kind === 'scxml';
const delayed = () => ({ do: 'send', event: pick(OWN), delay: pick(DELAYS), id: chance(0.96) ? pick(['t', 'u']) : null, out: false });

// Expressions over the variables of a chart, as text: numbers, and truth values.
const FIRST = { n: '0', m: '2', b: 'false' }, NUMBERS = ['n', 'm'];
let hasData = false;
function number(level = 0) {
  const kind = random(), deeper = () => number(level + 1);
  if (level > 2 || kind < 0.4) return chance(0.7) ? pick(NUMBERS) : String(below(4));
  if (kind < 0.7) return `${deeper()} ${pick(['+', '-', '+', '-', '*'])} ${deeper()}`;
  if (kind < 0.85) return `(${deeper()} - ${deeper()}) % ${pick(['2', '3', '-2'])}`;
  return pick([`-${pick(NUMBERS)}`, `(${deeper()})`, `${pick(NUMBERS)} % 2`]);
}
function truth(all, level = 0) {
  const kind = random(), deeper = () => truth(all, level + 1);
  if (level > 1 || kind < 0.5) return `${chance(0.7) ? pick(NUMBERS) : number(1)} ${pick(['==', '!=', '===', '!==', '<', '<=', '>', '>='])} ${chance(0.7) ? below(4) - 1 : number(1)}`;
  if (kind < 0.6) return 'b';
  if (kind < 0.7) return `In('${pick(all.slice(1)).id}')`;
  return kind < 0.85 ? `(${deeper()} ${pick(['&&', '||'])} ${deeper()})` : pick([`!(${deeper()})`, `${deeper()} ${pick(['&&', '||'])} ${deeper()}`, `b ${pick(['==', '!='])} (${deeper()})`]);
}
function assign(all) {
  const name = pick(['n', 'n', 'm', 'b']);
  if (chance(0.03)) return { do: 'code', tag: pick(['script', 'log']), code: pick(['n++', 'm = (m + 1) % 3', 'b = !b']) };
  const expr = name === 'b' ? truth(all) : chance(0.3) ? String(below(4)) : chance(0.4) ? `${name} ${pick(['+', '-'])} ${1 + below(2)}` : chance(0.6) ? `(${number(1)}) % ${2 + below(3)}` : number();
  return { do: 'assign', name, expr };
}
const dataCond = (all, isTold) => ({ js: isTold && chance(0.2) ? `_event.name ${pick(['==', '!=='])} '${pick([...EVENTS, ...OWN])}'` : chance(0.1) ? pick(NUMBERS) : truth(all) });
const evaluate = (text, data, In, _event) => new Function('data', 'In', '_event', `with (data) { return (${text}); }`)(data, In, _event);
const cond = (all, isTold) => { const one = () => hasData && chance(0.6) ? dataCond(all, isTold) : chance(0.5) ? { in: pick(all.slice(1)) } : { g: pick(['g', 'h']) }; return chance(0.7) ? one() : chance(0.4) ? { not: one() } : { op: pick(['&&', '||']), of: [one(), one()] }; };
function action(all, level, isTold) {
  const kind = random();
  if (hasData && chance(0.35)) return assign(all);
  if (kind < 0.55) return { do: 'send', event: 'x' + below(6), delay: null, id: null, out: true };
  if (kind < 0.57) return { do: 'send', event: 'x' + below(6), delay: pick(DELAYS), id: 't', out: true };
  if (kind < 0.7) return { do: 'raise', event: pick(OWN) };
  if (kind < 0.75) return { do: 'send', event: pick(OWN), delay: null, id: null, out: false };
  if (kind < 0.76) return delayed();
  if (kind < 0.87) return { do: 'cancel', id: pick(['t', 'u']) };
  if (kind < 0.95 && level < 2) return { do: 'if', cond: cond(all, isTold), then: actions(all, level + 1, isTold), else: actions(all, level + 1, isTold) };
  return { do: 'log' };
}
const actions = (all, level = 0, isTold = false) => { const list = []; while (chance(0.35)) list.push(action(all, level, isTold)); return list; };
function fill(node, all) {
  if (isHistory(node)) {
    const fits = inside(node.parent, all).filter(other => !isHistory(other));
    node.deep = chance(0.5); node.initial = [pick(fits)]; node.initialActions = actions(all);
    return;
  }
  if (node.kind !== 'scxml') {
    node.entry = actions(all); node.exit = actions(all);
    if (chance(0.3) && node.kind !== 'final') { const set = delayed(); node.entry.push(set); if (set.id && chance(0.95)) node.exit.unshift({ do: 'cancel', id: set.id }); }
  }
  if (isCompound(node)) { const inner = inside(node, all).filter(other => node.kind !== 'scxml' || other.parent === node); node.initial = chance(0.8) ? [node.children[0]] : [pick(inner)]; node.initialActions = node.kind !== 'scxml' && chance(0.3) ? actions(all) : []; }
  if (node.kind === 'final' || node.kind === 'scxml') return;
  const events = [...EVENTS, 'C', 'C.*', ...OWN, '*', 'A B', null, ...(node.children.length ? ['done.state.' + node.id] : [])];
  for (const event of events) if (chance(event === null || event === '*' ? 0.06 : 0.18)) {
    const target = chance(0.25) ? null : pick(all.slice(1));
    node.transitions.push({ source: node, event, target, cond: event === null || chance(hasData ? 0.5 : 0.3) ? cond(all, event !== null) : null, internal: chance(0.25), actions: actions(all, 0, event !== null) });
  }
}
const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const textOf = c => c.js ? c.js : c.in ? `In('${c.in.id}')` : c.g ? `G.${c.g}` : c.not ? `!(${textOf(c.not)})` : c.of.map(part => part.js ? `(${part.js})` : textOf(part)).join(` ${c.op} `);
function xmlOf(list) {
  return list.map(a => a.do === 'raise' ? `<raise event="${a.event}"/>` : a.do === 'cancel' ? `<cancel sendid="${a.id}"/>` : a.do === 'log' ? '<log expr="1"/>'
    : a.do === 'assign' ? `<assign location="${a.name}" expr="${escaped(a.expr)}"/>` : a.do === 'code' ? a.tag === 'log' ? `<log expr="${a.code}"/>` : `<script>${a.code}</script>`
    : a.do === 'if' ? `<if cond="${escaped(textOf(a.cond))}">${xmlOf(a.then)}<else/>${xmlOf(a.else)}</if>`
      : `<send event="${a.event}"${a.out ? ' target="#_parent"' : ''}${a.delay ? ` delay="${a.delay[0]}"` : ''}${a.id ? ` id="${a.id}"` : ''}/>`).join('');
}
function xml(node) {
  const block = (name, list) => list.length ? `<${name}>${xmlOf(list)}</${name}>` : '';
  const toInitial = () => `<transition target="${node.initial.map(to => to.id).join(' ')}">${xmlOf(node.initialActions)}</transition>`;
  if (isHistory(node)) return `<history id="${node.id}" type="${node.deep ? 'deep' : 'shallow'}">${toInitial()}</history>`;
  const tag = node.kind === 'compound' ? 'state' : node.kind;
  const initial = !isCompound(node) ? '' : node.initialActions.length ? '' : ` initial="${node.initial.map(to => to.id).join(' ')}"`;
  const head = node.kind === 'scxml' ? `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"${initial}>${hasData ? `<datamodel>${Object.entries(FIRST).map(([name, value]) => `<data id="${name}" expr="${value}"/>`).join('')}</datamodel>` : ''}` : `<${tag} id="${node.id}"${initial}>`;
  const way = isCompound(node) && node.initialActions.length ? `<initial>${toInitial()}</initial>` : '';
  const transitions = node.transitions.map(t => `<transition${t.event ? ` event="${t.event}"` : ''}${t.cond ? ` cond="${escaped(textOf(t.cond))}"` : ''}${t.target ? ` target="${t.target.id}"` : ''}${t.internal ? ' type="internal"' : ''}>${xmlOf(t.actions)}</transition>`);
  return `${head}${way}${block('onentry', node.entry)}${block('onexit', node.exit)}${transitions.join('')}${node.children.map(xml).join('')}</${tag}>`;
}

// Where SCION 4.3.27 leaves the standard: each rule alone is a change of the algorithm below, all together are SCION.
const RULES = {
  id: 'an id stands for the last event sent with it, until one has come',
  queue: 'what is sent without a delay waits behind what is due',
  eventless: 'what needs no event is asked once more before an event from outside',
  content: 'transitions do what they do in the order of the text, not of the leaves that chose them',
  depth: 'states are entered and left by depth, not in the order of the text',
  domain: 'a parallel state, too, is the domain of a transition',
  place: 'a history target counts as where it stands, not as what it means',
  leaves: 'a state is active as long as a leaf of it is; a leaf is none while it is left',
  done: 'done events come after all that is entered, once for each final state',
  region: 'a history state in a parallel state is a region that is never done',
  history: 'deep history forgets final states',
  end: 'the session ends where all leaves are final, at whatever level, and lives on',
};

// The algorithm of the standard, with the named `rules` of SCION instead of its own.
function standard(root, all, script, rules = new Set()) {
  const last = new Map(), is = name => rules.has(name);
  const data = Object.fromEntries(Object.entries(FIRST).map(([name, value]) => [name, JSON.parse(value)])), current = { name: undefined };
  const G = { g: false, h: false }, trace = [], inner = [], outer = [], active = new Set(), memory = new Map();
  let timers = [], now = 0, running = false, shown = '', steps = 0, came = 0;
  const emit = text => { if (trace.push(`${now} ${text}`) > (rules.size ? 20000 : 150)) throw new Error('too long'); };
  const isActive = at => is('leaves') ? [...active].some(leaf => !leaf.children.length && (leaf === at || isWithin(leaf, at))) : active.has(at);
  const js = text => evaluate(text, data, id => isActive(all.find(at => at.id === id)), current);
  const holds = c => !c ? true : c.js ? !!js(c.js) : c.in ? isActive(c.in) : c.g ? G[c.g] : c.not ? !holds(c.not) : c.op === '&&' ? c.of.every(holds) : c.of.some(holds);
  const execute = list => list.forEach(a => {
    if (a.do === 'raise') inner.push(a.event);
    else if (a.do === 'cancel') timers = timers.filter(timer => is('id') ? timer !== last.get(a.id) : timer.id !== a.id);
    else if (a.do === 'assign') { const value = js(a.expr); if (typeof value === 'number' && !(Math.abs(value) < 1e15)) throw new Error('too large'); data[a.name] = value; }
    else if (a.do === 'code') js(a.code);
    else if (a.do === 'if') execute(holds(a.cond) ? a.then : a.else);
    else if (a.do === 'send' && (a.delay || is('queue'))) {
      const timer = { due: now + (a.delay ? a.delay[1] : 0), ...a };
      timers.push(timer); if (a.id) last.set(a.id, timer);
    }
    else if (a.do === 'send') a.out ? emit(a.event) : outer.push(a.event);
  });
  const isMeant = (words, event) => words.split(' ').some(word => { const start = word.replace(/\.\*$/, ''); return start === '*' || event === start || event.startsWith(start + '.'); });
  const inOrder = states => [...states].sort((a, b) => a.at - b.at);
  const byDepth = states => is('depth') ? [...states].sort((a, b) => a.level - b.level || a.at - b.at) : inOrder(states);
  const meant = t => !t.target ? [] : isHistory(t.target) ? memory.get(t.target) ?? meant({ target: t.target.initial[0] }) : [t.target];
  function domain(t) {
    const targets = is('place') && t.target ? [t.target] : meant(t);
    if (!targets.length) return null;
    if (t.internal && isCompound(t.source) && targets.every(to => isWithin(to, t.source))) return t.source;
    return ancestors(t.source).find(at => (isCompound(at) || is('domain')) && targets.every(to => isWithin(to, at)));
  }
  const exits = list => new Set(list.flatMap(t => t.target ? [...active].filter(at => isWithin(at, domain(t))) : []));
  function select(fits) {
    let enabled = [];
    for (const leaf of inOrder(active).filter(at => !at.children.length)) {
      for (const at of [leaf, ...ancestors(leaf)]) {
        const t = at.transitions.find(t => fits(t) && holds(t.cond));
        if (t) { if (!enabled.includes(t)) enabled.push(t); break; }
      }
    }
    const kept = new Set();
    for (const one of enabled) {
      let preempted = false; const remove = new Set();
      for (const other of kept) {
        const both = exits([other]);
        if (![...exits([one])].some(at => both.has(at))) continue;
        if (isWithin(one.source, other.source)) remove.add(other); else { preempted = true; break; }
      }
      if (!preempted) { remove.forEach(t => kept.delete(t)); kept.add(one); }
    }
    return [...kept];
  }
  const isFinal = at => isCompound(at) ? at.children.some(child => child.kind === 'final' && active.has(child)) : at.kind === 'parallel' && at.children.filter(child => is('region') || !isHistory(child)).every(isFinal);
  function done(at) {
    inner.push('done.state.' + at.parent.id);
    const around = at.parent.parent;
    if (around?.kind === 'parallel' && isFinal(around)) inner.push('done.state.' + around.id);
  }
  function microstep(list, first) {
    const left = byDepth(exits(list)).reverse();
    for (const at of left) for (const history of at.children.filter(isHistory)) memory.set(history, inOrder(active).filter(other => history.deep ? !other.children.length && isWithin(other, at) && !(is('history') && other.kind === 'final') : other.parent === at));
    for (const at of left) {
      if (is('leaves') && !at.children.length) active.delete(at);
      execute(at.exit); active.delete(at);
    }
    const byText = (a, b) => a.source.at - b.source.at || a.source.transitions.indexOf(a) - b.source.transitions.indexOf(b);
    if (!first) (is('content') ? [...list].sort(byText) : list).forEach(t => execute(t.actions));
    const entered = new Set(), byDefault = new Set(), histories = new Map();
    const regions = at => { for (const child of at.children) if (!isHistory(child) && ![...entered].some(other => isWithin(other, child))) down(child); };
    function down(at) {
      if (isHistory(at)) {
        if (!memory.has(at)) histories.set(at.parent, at);
        const to = memory.get(at) ?? at.initial;
        to.forEach(down); to.forEach(other => up(other, at.parent));
        return;
      }
      entered.add(at);
      if (isCompound(at)) { byDefault.add(at); at.initial.forEach(down); at.initial.forEach(other => up(other, at)); }
      if (at.kind === 'parallel') regions(at);
    }
    function up(at, limit) {
      for (const other of ancestors(at, limit)) { entered.add(other); if (other.kind === 'parallel') regions(other); }
      if (limit.kind === 'parallel' && is('domain')) regions(limit);
    }
    for (const t of list) { if (t.target) down(t.target); const limit = first ? root : domain(t); for (const at of meant(t)) up(at, limit); }
    const order = byDepth(entered);
    for (const at of order) {
      active.add(at);
      execute(at.entry);
      if (byDefault.has(at)) execute(at.initialActions);
      if (histories.has(at)) execute(histories.get(at).initialActions);
      if (at.kind !== 'final') continue;
      if (at.parent !== root) { if (!is('done')) done(at); } else if (!is('end')) running = false;
    }
    if (is('done')) order.filter(at => at.kind === 'final').forEach(done);
    // Deep history may have left nothing but the state itself.
    if (is('history')) for (const at of active) if (![...active].some(leaf => !leaf.children.length && (leaf === at || isWithin(leaf, at)))) active.delete(at);
  }
  // An event from outside comes first: what needs no event was asked when the last macrostep ended.
  function settle(isFromOutside) {
    if (rules.size) steps = 0;
    for (let isFirst = isFromOutside && !is('eventless'); running; isFirst = false) {
      if (++steps > 2000) throw new Error('it hangs');
      let list = isFirst ? [] : select(t => t.event === null);
      if (!list.length) {
        const event = inner.length && !isFirst ? inner.shift() : outer.shift();
        if (event === undefined) break;
        current.name = event;
        list = select(t => t.event !== null && isMeant(t.event, event));
      }
      if (list.length) microstep(list);
    }
    const isOver = is('end') ? [...active].every(at => at.children.length || at.kind === 'final') : !running && active.size && !settle.ended;
    if (isOver) { settle.ended = true; timers = is('end') ? timers.filter(timer => !timer.delay) : []; last.clear(); for (const at of byDepth(active).reverse()) execute(at.exit); if (!is('end')) timers = []; }
    const value = at => { const parts = at.children.filter(child => active.has(child)).map(child => [child.id, value(child)].filter(Boolean).join('_')); return parts.join('_'); };
    const text = value(root);
    if (text !== shown) emit('at_' + text);
    shown = text;
  }
  const handle = event => { if (running) { (is('eventless') ? inner : outer).push(event); settle(true); } };
  for (const word of is('queue') ? script.flatMap(word => /^[A-Zs]/.test(word) && !word.startsWith('G_') ? [word, '0'] : [word]) : script) {
    const set = /^G_([gh])_(true|false)$/.exec(word);
    if (word === 'start') { running = true; microstep([{ source: root, target: root.initial[0], actions: [] }], true); settle(); }
    else if (set) G[set[1]] = set[2] === 'true';
    else if (/^\d+$/.test(word)) {
      const end = now + +word;
      for (;;) {
        const due = timers.filter(timer => timer.due <= end).reduce((a, b) => a && a.due <= b.due ? a : b, undefined);
        if (!due) break;
        if (++came > 2000) throw new Error('it hangs');
        timers = timers.filter(timer => timer !== due); now = due.due;
        if (due.id) last.delete(due.id);
        if (due.out) emit(due.event); else handle(due.event);
      }
      now = end;
    } else handle(word.replace('_', '.'));
  }
  return trace;
}

// Charts with variables and one mistake, by operator and name, with what they do: conditions negated, assignments left out.
function mistakesOf(root, all, script) {
  const found = [];
  const add = (operator, name) => { try { found.push({ operator, name, text: xml(root), trace: standard(root, all, script).join('; ') }); } catch { /* it hangs */ } };
  for (const node of all) {
    const read = node.entry.filter(a => a.do !== 'log' && a.tag !== 'log'), entry = node.entry;
    read.forEach((a, at) => { if (a.do === 'assign' && chance(0.3)) { node.entry = entry.filter(other => other !== a); add('ACM', `${node.id}:entry:${at}:assign(${a.name})`); node.entry = entry; } });
    for (const t of node.transitions) {
      const isAlone = /^[ABRST]$/.test(t.event) && node.transitions.every(other => other === t || !(other.event ?? '').split(' ').includes(t.event));
      if (!t.cond || t.event !== null && !isAlone || chance(0.7)) continue;
      const at = t.event === null ? node.transitions.filter(other => other.event === null).indexOf(t) : 0, cond = t.cond;
      t.cond = { not: cond }; add('GNE', `${node.id}:${t.event ?? 'always'}#${at}`); t.cond = cond;
    }
  }
  return found;
}

// What SCION shows: outputs only. It runs in a thread of its own, as a macrostep of it may never end.
const { Worker, isMainThread, parentPort } = require('worker_threads');
let scion = null;
try { scion = require('@scion-scxml/scxml'); } catch { /* it is not installed */ }
const real = [setTimeout, clearTimeout];
async function bySCION(text, script) {
  const G = { g: false, h: false }, trace = [];
  let queue = [], now = 0, count = 0, steps = 0;
  const model = await new Promise((done, fail) => scion.documentStringToModel('chart.scxml', text, (error, model) => error ? fail(error) : done(model)));
  const ready = await new Promise((done, fail) => model.prepare((error, ready) => error ? fail(error) : done(ready), require('vm').createContext({ G, console })));
  globalThis.setTimeout = (run, ms) => { queue.push({ due: now + (ms || 0), count: ++count, run }); return count; };
  globalThis.clearTimeout = id => { queue = queue.filter(timer => timer.count !== id); };
  try {
    const chart = new scion.core.Statechart(ready, { parentSession: { gen: event => { if (!event.name.startsWith('done.invoke')) trace.push(`${now} ${event.name}`); } }, invokeid: 'i' });
    const advance = end => { for (;;) { const due = queue.filter(timer => timer.due <= end).sort((a, b) => a.due - b.due || a.count - b.count)[0]; if (!due) break; if (++steps > 2000) throw new Error('it hangs'); queue = queue.filter(timer => timer !== due); now = due.due; due.run(); } now = end; };
    for (const word of script) {
      const set = /^G_([gh])_(true|false)$/.exec(word);
      if (word === 'start') { chart.start(); advance(now); }
      else if (set) G[set[1]] = set[2] === 'true';
      else if (/^\d+$/.test(word)) advance(now + +word);
      else { chart.gen({ name: word.replace('_', '.') }); advance(now); }
    }
  } finally { [globalThis.setTimeout, globalThis.clearTimeout] = real; }
  return trace;
}
console.log = console.warn = () => {};
let worker = null;
const outputsOf = (text, script) => new Promise(done => {
  worker ??= new Worker(__filename);
  const late = setTimeout(() => { worker.terminate(); worker = null; done(null); }, 3000);
  worker.once('message', trace => { clearTimeout(late); done(trace); });
  worker.postMessage({ text, script });
});
if (!isMainThread) parentPort.on('message', async ({ text, script }) => parentPort.postMessage(await bySCION(text, script).catch(() => null)));
else (async () => {
  let left = +process.argv[3] || 100, tries = 0, same = 0, differ = 0, stopped = 0, unknown = 0;
  const causes = new Map(), every = Object.keys(RULES);
  while (left > 0 && tries++ < 1e6) {
    hasData = chance(0.5);
    const all = [], root = tree(0, null, all);
    all.forEach(node => fill(node, all));
    const text = xml(root), has = part => text.includes(part);
    if (!has(' delay=')) continue;
    const words = EVENTS.filter(event => all.some(node => node.transitions.some(t => t.event && t.event.split(' ').includes(event)))).map(event => event.replace('.', '_'));
    const script = [];
    for (const g of ['g', 'h']) if (has('G.' + g) && chance(0.5)) script.push(`G_${g}_true`);
    script.push('start');
    for (let n = 3 + below(9); n > 0; n--) {
      const kind = below(10), g = pick(['g', 'h']);
      if (kind < 4 && words.length) script.push(pick(words));
      else if (kind < 6 && has('G.' + g)) script.push(`G_${g}_${pick(['true', 'false'])}`);
      else script.push(String(pick([50, 100, 150, 250])));
    }
    script.push('2000');
    let trace;
    try { trace = standard(root, all, script); } catch { continue; }
    const outputs = trace.filter(line => !line.includes(' at_')).join('; ');
    if (scion) {
      const shown = (await outputsOf(text, script))?.join('; ') ?? null;
      // What it does by some rules; null where it does not end.
      const by = rules => { try { return standard(root, all, script, new Set(rules)).filter(line => !line.includes(' at_')).join('; '); } catch { return null; } };
      let rules = every;
      if (shown === outputs) same++;
      else if (by(rules) !== shown) { unknown++; if (process.env.SHOW) console.error(`${text}\n${script.join(' ')}\nscion    ${shown}\nby rules ${by(rules)}\nstandard ${outputs}\n`); }
      else {
        shown === null ? stopped++ : differ++;
        // The rules that it takes: none of them can be left out.
        for (const rule of every) { const fewer = rules.filter(other => other !== rule); if (by(fewer) === shown) rules = fewer; }
        for (const rule of rules) causes.set(rule, (causes.get(rule) ?? 0) + 1);
      }
    }
    process.stdout.write(JSON.stringify({ text, script: script.join(' '), trace: trace.join('; '), mistakes: hasData ? mistakesOf(root, all, script) : [] }) + '\n');
    left--;
  }
  await worker?.terminate();
  const counted = every.map(rule => `\n  ${String(causes.get(rule) ?? 0).padStart(5)} ${rule}: ${RULES[rule]}`).join('');
  console.error(scion ? `SCION: ${same} same, ${differ} differ by its rules, ${stopped} do not end by its rules, ${unknown} not explained; charts that take a rule:${counted}` : 'SCION is not installed');
})();
