// Machine configurations with one mistake, by plain code on the JSON: what crates/interchange/src/charts/mistakes.rs makes of charts, with
// its names. For scripts/charts.js.
const list = value => value === undefined ? [] : Array.isArray(value) ? value : [value];
const copy = value => JSON.parse(JSON.stringify(value));
const integer = key => /^(0|[1-9]\d*)$/.test(key);
const keys = object => Object.keys(object).sort((a, b) => integer(a) && integer(b) ? a - b : integer(b) - integer(a));

/** All of them: `delays` are the lengths of named delays. */
module.exports = function mistakes(config, delays) {
  const found = [], byId = new Map();
  const walk = (node, path, parent, visit) => {
    visit(node, path, parent);
    for (const key of keys(node.states ?? {})) walk(node.states[key], [...path, key], { node, path }, visit);
  };
  const id = path => ['m', ...path].join('.');
  const at = (root, path) => path.reduce((node, key) => node.states[key], root);
  walk(config, [], undefined, (node, path) => byId.set(id(path), path));
  const meant = (path, target) => target[0] === '#' ? target.slice(1) : target[0] === '.' ? id(path) + target : id([...path.slice(0, -1), ...target.split('.')]);
  const text = JSON.stringify(config), raised = [...text.matchAll(/"xstate\.raise","event":"(\w+)"/g)].map(m => m[1]);
  const descriptors = [];
  walk(config, [], undefined, node => descriptors.push(...Object.keys(node.on ?? {})));
  const events = [...new Set(descriptors)].filter(event => !raised.includes(event) && !event.endsWith('*'));
  const add = (operator, name, change) => { const changed = copy(config); changed.more = {}; change(changed); const { more, ...rest } = changed; found.push({ operator, name, config: rest, delays: { ...delays, ...more } }); };
  const label = action => typeof action === 'string' ? action : action.type === 'xstate.assign' ? 'assign' : action.type === 'xstate.cancel' ? `cancel(${action.id ?? action.params?.sendId})` :
    action.delay === undefined ? `raise(${action.event})` : `send(${action.event},${delays[action.delay] ?? action.delay})`;
  walk(config, [], undefined, (node, path, parent) => {
    const own = id(path), here = root => at(root, path);
    keys(node.after ?? {}).forEach((key, number) => {
      const delay = integer(key) ? +key : delays[key];
      const renamed = to => root => {
        const name = integer(key) ? String(to) : `${key}${to}`;
        if (!integer(key)) root.more[name] = to;
        here(root).after = Object.fromEntries(Object.entries(here(root).after).map(([old, value]) => [old === key ? name : old, value]));
      };
      add('DLO', `${own}:${number}:${delay}=>${delay + 1}`, renamed(delay + 1));
      if (delay > 0) add('DSH', `${own}:${number}:${delay}=>${delay - 1}`, renamed(delay - 1));
      // The event is raised on entry, and nothing cancels it.
      if (parent) add('TNC', `${own}:${number}:${delay}=>lasting`, root => {
        const state = here(root), event = `xstate.after.${key}.${own}`;
        state.on = { ...state.on, [event]: state.after[key] };
        delete state.after[key];
        state.entry = [...list(state.entry), { type: 'xstate.raise', event, delay: integer(key) ? +key : key }];
      });
      add('DMI', `${own}:${number}:${delay}=>never`, root => delete here(root).after[key]);
    });
    for (const which of ['entry', 'exit']) list(node[which]).forEach((action, n) => {
      add('ACM', `${own}:${which}:${n}:${label(action)}`, root => { here(root)[which] = list(here(root)[which]); here(root)[which].splice(n, 1); });
    });
    // Where a state has transitions: how to get and to set them, and their name.
    const slots = [];
    const slot = (name, holder, key, descriptor) => slots.push({ name, descriptor, get: root => list(holder(here(root))[key]), set: (root, value) => { holder(here(root))[key] = value; } });
    for (const key of Object.keys(node.on ?? {})) slot(key, n => n.on, key, key);
    for (const key of Object.keys(node.after ?? {})) slot(`after.${key}`, n => n.after, key);
    if (node.always) slot('always', n => n, 'always');
    if (node.onDone) slot('done.state', n => n, 'onDone');
    if (node.invoke?.onDone) slot(`done.actor.${node.invoke.id}`, n => n.invoke, 'onDone');
    if (node.invoke?.onError) slot(`error.actor.${node.invoke.id}`, n => n.invoke, 'onError');
    for (const { name, descriptor, get, set } of slots) get(config).forEach((transition, n) => {
      const all = `${own}:${name}#${n}`;
      const changed = (operator, name, change) => add(operator, name, root => { const now = get(root); now[n] = { ...now[n] }; change(now[n], root); set(root, now); });
      add('TRM', all, root => { const now = get(root); now.splice(n, 1); set(root, now); });
      if (transition.guard) changed('GNE', all, t => { t.guard = { type: 'xstate.not', guards: [t.guard] }; });
      list(transition.actions).forEach((action, k) => changed('ACM', `${all}:${k}:${label(action)}`, t => { t.actions = list(t.actions).filter((_, at) => at !== k); }));
      if (transition.target !== undefined && !Array.isArray(transition.target)) {
        const target = meant(path, transition.target), to = byId.get(target), around = to && to.length ? to.slice(0, -1) : undefined;
        if (around) for (const key of keys(at(config, around).states)) if (id([...around, key]) !== target) changed('TGE', `${all}:=>${id([...around, key])}`, t => { t.target = '#' + id([...around, key]); });
        if (around && at(config, to).type === 'history') changed('HDR', all, t => { t.target = '#' + id(around); });
      }
      changed('REE', all, t => { t.reenter = !(t.reenter && t.target !== undefined); t.target ??= '#' + own; });
      if (descriptor && parent) add('LVL', all, root => {
        const now = get(root), [moved] = now.splice(n, 1);
        set(root, now);
        const targets = list(moved.target).map(target => '#' + meant(path, target));
        if (targets.length) moved.target = targets.length > 1 ? targets : targets[0];
        const outer = at(root, parent.path);
        outer.on = { ...outer.on, [descriptor]: [...list(outer.on?.[descriptor]), moved] };
      });
    });
    if (parent && node.type !== 'final' && node.type !== 'history') for (const event of events) if (!(event in (node.on ?? {})))
      add('REA', `${own}:${event}`, root => {
        const around = path.map((_, n) => at(root, path.slice(0, path.length - 1 - n))).find(other => event in (other.on ?? {})), anew = { target: '#' + own, reenter: true };
        const handled = around && list(around.on[event]);
        here(root).on = { ...here(root).on, [event]: handled && handled.every(t => t.target === undefined) ? handled.map(t => ({ ...t, ...anew })) : anew };
      });
  });
  return found;
};
