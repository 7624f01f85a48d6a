// The mutants of a run: columns of numbers, and tables of the texts that the numbers mean.
const numbersOf = ({ width, bytes }) => {
  const text = atob(bytes);
  const buffer = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) buffer[at] = text.charCodeAt(at);
  return width === 1 ? buffer : width === 2 ? new Uint16Array(buffer.buffer) : width === 4 ? new Uint32Array(buffer.buffer) : Array.from(new BigUint64Array(buffer.buffer), Number);
};

const mutantsOf = (data) => {
  const column = {};
  for (const [name, packed] of Object.entries(data.columns)) column[name] = numbersOf(packed);
  const n = data.mutants;
  const { earlier, last, verdicts } = data;
  const tests = (data.tests || []).map((test) => ({ ...test, kills: numbersOf(test.kills) }));
  const killers = new Uint32Array(tests.length ? n : 0);
  for (const test of tests) for (const row of test.kills) killers[row]++;

  const idOf = (row) => {
    const before = earlier.id[column.earlier[row]];
    return before ? before + ";" + last.id[column.last[row]] : last.id[column.last[row]];
  };
  const rowOf = (id) => {
    for (let row = 0; row < n; row++) if (id.endsWith(last.id[column.last[row]]) && idOf(row) === id) return row;
    return -1;
  };
  // Sequences of operators, numbered.
  const kinds = [];
  const kindOf = (() => {
    const known = new Map();
    const width = data.operators.length;
    const ofPair = new Map();
    return (row) => {
      const pair = column.earlier[row] * width + last.operator[column.last[row]];
      let kind = ofPair.get(pair);
      if (kind === undefined) {
        const operators = [...earlier.operators[column.earlier[row]], last.operator[column.last[row]]];
        const name = operators.map((operator) => data.operators[operator]).join(";");
        kind = known.get(name);
        if (kind === undefined) {
          kind = kinds.push(name) - 1;
          known.set(name, kind);
        }
        ofPair.set(pair, kind);
      }
      return kind;
    };
  })();
  // Of a network: the process that a mutant changes, and what is said about that process by itself.
  const processOf = (row) => last.process[column.last[row]];
  const killable = verdicts.indexOf("non-subsumed");
  const harmless = [verdicts.indexOf("subsumed"), verdicts.indexOf("inconsistent")];
  const aloneOf = (row) => (column.alone ? column.alone[row] - 1 : -1);
  const isMasked = (row) => aloneOf(row) === killable && harmless.includes(column.verdict[row]);
  const fits = { masked: isMasked, killable: (row) => aloneOf(row) === killable, harmless: (row) => harmless.includes(aloneOf(row)), none: (row) => aloneOf(row) < 0 };
  const partsOf = (row) => [...earlier.parts[column.earlier[row]], last.part[column.last[row]]];
  const saysOf = (row) => [...earlier.says[column.earlier[row]], last.says[column.last[row]]];
  const verdictOf = (row) => verdicts[column.verdict[row]];
  const textOf = (name, row) => data[name][column[name][row]];

  const totals = new Array(verdicts.length).fill(0);
  const table = []; // Per kind: a count per verdict, then those that violate the guidelines.
  let nDuplicates = 0;
  for (let row = 0; row < n; row++) {
    const kind = kindOf(row);
    const counts = (table[kind] = table[kind] || new Array(verdicts.length + 1).fill(0));
    counts[column.verdict[row]]++;
    totals[column.verdict[row]]++;
    if (column.violates[row]) counts[verdicts.length]++;
    if (column.duplicate[row]) nDuplicates++;
  }
  // Per part of the model: its mutants, and those of them that are worth a test.
  const perPart = { all: new Uint32Array(data.parts.length), worth: new Uint32Array(data.parts.length) };
  for (let row = 0; row < n; row++) {
    const [before, part] = [earlier.parts[column.earlier[row]], last.part[column.last[row]]];
    const add = column.verdict[row] === killable ? 1 : 0;
    perPart.all[part]++;
    perPart.worth[part] += add;
    for (let at = 0; at < before.length; at++) {
      if (before[at] === part || before.indexOf(before[at]) < at) continue;
      perPart.all[before[at]]++;
      perPart.worth[before[at]] += add;
    }
  }
  return { column, n, tests, killers, idOf, rowOf, kinds, kindOf, processOf, killable, aloneOf, isMasked, fits, partsOf, saysOf, verdictOf, textOf, totals, table, nDuplicates, perPart };
};

// How verdicts are shown: nothing is told by colour alone.
const verdictSigns = { "non-subsumed": "●", subsumed: "○", inconsistent: "✕", "subsumed-or-inconsistent": "⊘", unknown: "?", invalid: "!" };
const verdictMeanings = {
  "non-subsumed": "Some test tells it from the specification.",
  subsumed: "No test can tell it from the specification: it refines it.",
  inconsistent: "It has no sound behaviour left.",
  "subsumed-or-inconsistent": "A guideline says that it is not worth a test; which of the two it is was not asked.",
  unknown: "It was not decided.",
  invalid: "It has no meaning.",
};
const shownVerdict = (name, text = name) =>
  element("span", { class: `v ${name}` }, element("span", { "aria-hidden": "true" }, `${verdictSigns[name]} `), text);
const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
const percent = (part, whole) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`);
