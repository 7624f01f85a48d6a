// Where a server has more: the page waits for what is new, and shows it without losing what was chosen.
if (data.live) {
  const said = byId("live");
  const say = (text, kind) => { said.hidden = false; said.textContent = text; said.className = kind; };
  const verdictsById = () => {
    const { mutants } = workbench;
    if (mutants.n > 100_000) return null;
    return new Map(Array.from({ length: mutants.n }, (_, row) => [mutants.idOf(row), mutants.verdictOf(row)]));
  };
  const follow = (news) => {
    const before = verdictsById();
    const kept = workbench.kept();
    const focused = document.activeElement && document.activeElement.id;
    workbench.leave();
    const main = empty.cloneNode(true);
    main.querySelector("#model").innerHTML = news.drawing;
    document.querySelector("main").replaceWith(main);
    workbench = startWorkbench(news.data, { ...kept, verdicts: before });
    if (focused && byId(focused)) byId(focused).focus({ preventScroll: true });
    const { mutants } = workbench;
    const changes = before ? Array.from({ length: mutants.n }, (_, row) => before.get(mutants.idOf(row))).map((old, row) => (old === undefined ? "new" : old === mutants.verdictOf(row) ? "" : "changed")) : [];
    const [nNew, nChanged] = ["new", "changed"].map((kind) => changes.filter((change) => change === kind).length);
    const { score, tests } = news.data;
    if (news.made) say(`${plural(tests.length, "test")} made: they kill ${count(score.killed)} of ${plural(score.killable, "mutant")}`, "good");
    else say(`Saved at ${new Date().toLocaleTimeString()}: ${nNew || nChanged ? `${plural(nChanged, "verdict")} changed, ${plural(nNew, "mutant")} new` : "the same verdicts"}`, "good");
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
  say("Follows the file: save it in your editor", "good");
  document.documentElement.dataset.version = data.live;
  listen(data.live);
}
