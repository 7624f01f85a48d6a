// Where a server has more: the page waits for what is new, and shows it without losing what was chosen.
if (data.live) {
  const said = byId("live");
  const say = (text, kind) => { said.hidden = false; said.textContent = text; said.className = kind; };
  const verdictsById = () => {
    const { mutants } = workbench;
    if (mutants.n > 100_000) return null;
    return new Map(Array.from({ length: mutants.n }, (_, row) => [mutants.idOf(row), mutants.verdictOf(row)]));
  };
  // The verdicts of the last version that was whole, with which a new one is compared.
  let before = data.deciding ? null : verdictsById();
  const shown = (news, before) => {
    const { mutants } = workbench;
    const { score, tests } = news.data;
    if (news.made) return `${plural(tests.length, "test")} made: they kill ${count(score.killed)} of ${plural(score.killable, "mutant")}`;
    if (!before) return `${plural(mutants.n, "mutant")} decided`;
    const changes = Array.from({ length: mutants.n }, (_, row) => before.get(mutants.idOf(row))).map((old, row) => (old === undefined ? "new" : old === mutants.verdictOf(row) ? "" : "changed"));
    const [nNew, nChanged] = ["new", "changed"].map((kind) => changes.filter((change) => change === kind).length);
    return `Saved at ${new Date().toLocaleTimeString()}: ${nNew || nChanged ? `${plural(nChanged, "verdict")} changed, ${plural(nNew, "mutant")} new` : "the same verdicts"}`;
  };
  const follow = (news) => {
    const kept = workbench.kept();
    const focused = document.activeElement && document.activeElement.id;
    workbench.leave();
    const main = empty.cloneNode(true);
    main.querySelector("#model").innerHTML = news.drawing;
    document.querySelector("main").replaceWith(main);
    const isPart = Boolean(news.data.deciding);
    workbench = startWorkbench(news.data, { ...kept, verdicts: isPart ? null : before });
    if (focused && byId(focused)) byId(focused).focus({ preventScroll: true });
    if (isPart) return watch();
    say(shown(news, before), "good");
    before = verdictsById();
  };
  // The progress of the decision, until a page has all mutants.
  let isWatched = false;
  const watch = async () => {
    if (isWatched) return;
    isWatched = true;
    const bar = byId("deciding");
    for (;;) {
      let now = null;
      try {
        now = await (await fetch("deciding")).json();
      } catch {
        now = null; // The server has ended.
      }
      if (!now || !workbench.isPart) break;
      bar.hidden = false;
      bar.max = Math.max(1, now.all);
      bar.value = now.done;
      say(now.all ? `${count(now.done)} of ${plural(now.all, "mutant")} decided, ${count(workbench.mutants.n)} of them listed` : "Prepares the decision", "good");
      await new Promise((done) => { setTimeout(done, 250); });
    }
    bar.hidden = true;
    isWatched = false;
  };
  const problem = (text) => { byId("problem").textContent = text; byId("problem").hidden = !text; };
  const listen = async (version) => {
    for (;;) {
      let answer;
      try {
        answer = await fetch(`next?after=${version}`);
      } catch {
        answer = null;
      }
      if (!answer || (answer.status !== 200 && answer.status !== 204)) {
        say("tamper has ended: the page stays as it is", "bad");
        return;
      }
      if (answer.status === 204) continue;
      const news = await answer.json();
      version = news.version;
      problem(news.problem || "");
      if (news.data) follow(news);
      if (news.problem) say("The model has an error: the page shows it as it was", "bad");
      document.documentElement.dataset.version = version;
    }
  };
  if (data.deciding) watch();
  else say("Follows the file: save it in your editor", "good");
  document.documentElement.dataset.version = data.live;
  listen(data.live);
}
