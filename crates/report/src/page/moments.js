
// What happened in a test, as marks for the drawing and lines for the list.
const plain = (action) => action.replace(/[?!]$/, "");

// A window in words: when an output was allowed.
const windowText = ({ output, from, by }, says) => {
  const name = plain(output);
  if (from && by && from.at === by.at) return `${name} at ${says.time(moment(by.at))}`;
  const parts = [name];
  if (from) parts.push(from.excluded ? "after" : "from", says.time(moment(from.at)));
  if (by) parts.push(by.excluded ? "before" : from ? "to" : "by", says.time(moment(by.at)));
  else parts.push(from ? "on" : "at any time");
  return parts.join(" ");
};

const MEANS = { input: "is given", output: "comes", refused: "is refused" };

// Whether the program did what is not allowed; else a place is where the test ended.
const isBreach = (run) => ["fail", "unsteady", "differs"].includes(run.kind);

// The events of a log. One of them may be where it went wrong; silence that is wrong is no event, but lasts until its end.
const eventsOf = (run) => {
  const wrong = run.place && moment(run.place.at);
  const events = (run.log || []).map((event) => {
    const kind = ["input", "output", "refused"].find((kind) => event[kind] !== undefined) || "silence";
    return { at: moment(event.at), kind, action: kind === "silence" ? "" : event[kind], isPlace: false, isLate: false };
  });
  const late = run.lateness && events[run.lateness.step - 1];
  if (late) late.isLate = true;
  if (run.place && run.place.silent_until) return events.filter((event) => event.kind !== "silence");
  if (run.place && run.kind !== "broken") {
    const candidates = events.filter((event) => event.at === wrong && (event.kind !== "silence" || !isBreach(run)));
    const last = candidates[candidates.length - 1];
    if (last) last.isPlace = true;
  }
  return events;
};

// The windows of all waits; those of the wait in which it went wrong are marked.
const windowsOf = (run) => {
  const waits = (run.awaited || []).map((wait) => ({ ...wait, isLast: false }));
  const { place } = run;
  if (place && place.expected.length) {
    const known = waits.filter((wait) => wait.since === place.since && JSON.stringify(wait.expected) === JSON.stringify(place.expected)).pop();
    if (known) known.isLast = true;
    else waits.push({ since: place.since, until: place.silent_until || place.at, expected: place.expected, isLast: true });
  }
  return waits.flatMap((wait) => wait.expected.map((one) => ({
    ...one, wait, isLast: wait.isLast, since: moment(wait.since), until: wait.isLast ? Infinity : moment(wait.until),
    start: one.from ? moment(one.from.at) : moment(wait.since), end: one.by ? moment(one.by.at) : Infinity,
  })));
};

const eventText = (event) => (event.kind === "silence" ? "nothing came until then" : `${plain(event.action)} ${MEANS[event.kind]}`);

// The number of the event that began each wait, in order; -1 for the begin of the test. Events have measured times and waits those of
// the schedule: it is the nearest event before the wait's end. At 0 the test begins, too: then what is nearer to the end ended the wait.
const begins = (events, waits) => {
  let first = 0;
  return waits.map((wait) => {
    const [since, until] = [moment(wait.since), moment(wait.until)];
    const far = (at) => Math.abs(events[at].at - since);
    const could = events.map((_, at) => at).filter((at) => at >= first && events[at].kind !== "silence" && events[at].at < until && (since > 0 || far(at) <= until - events[at].at));
    const found = could.reduce((best, at) => (best < 0 || far(at) < far(best) ? at : best), -1);
    first = Math.max(first, found);
    return found;
  });
};
const lateText = (run) => {
  const by = moment(run.lateness.by);
  return `the tester was up to ${speech(by).span(by)} late`;
};

// All that happened, in words, in the order in which it was judged: what is allowed stands behind what began the wait.
const linesOf = (run, says) => {
  const events = eventsOf(run);
  const before = (time) => events.reduce((last, event, at) => (event.at <= time ? at : last), -1);
  const lines = events.map((event, at) => ({ at: event.at, behind: at, order: 0, who: event.kind === "input" ? "sent" : event.kind === "refused" ? "refused" : "came", text: eventText(event), isPlace: event.isPlace,
    more: event.isLate ? `${lateText(run)} here` : "" }));
  const waits = new Map();
  for (const window of windowsOf(run)) waits.set(window.wait, [...(waits.get(window.wait) || []), windowText(window, says)]);
  const began = begins(events, [...waits.keys()]);
  [...waits].forEach(([wait, texts], number) => {
    const behind = began[number];
    lines.push({ at: Math.max(moment(wait.since), behind < 0 ? 0 : events[behind].at), behind, order: 1, who: "allowed", text: texts.join(", or ") });
  });
  for (const remark of run.remarks || []) lines.push({ at: moment(remark.at), behind: before(moment(remark.at)), order: 2, who: remark.from, text: remark.text });
  const { place } = run;
  if (place && !lines.some((line) => line.isPlace)) {
    const isSilent = Boolean(place.silent_until);
    lines.push({ at: moment(place.at), behind: before(moment(place.at)), order: 3, who: isSilent ? "came" : run.kind, text: isSilent ? `nothing, by ${says.time(moment(place.silent_until))}` : run.why, isPlace: true });
  }
  return lines.sort((a, b) => a.behind - b.behind || a.order - b.order || a.at - b.at);
};
