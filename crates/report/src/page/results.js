// The page of what a command printed: facts, and tables of rows that can be searched and opened.
(() => {
  const MOST = 500; // Rows that are drawn at once; more on demand.
  const happened = (event) =>
    event.input ? `${event.input} is given` : event.output ? `${event.output} is seen` : event.refused ? `${event.refused} is refused` : "nothing comes";
  const opened = (row) => {
    const facts = row.details.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);
    const log = (row.log || []).map((event) => element("li", {}, `at ${event.at}: ${happened(event)}`));
    return [element("dl", {}, ...facts), log.length ? element("ol", {}, ...log) : null];
  };

  const section = (table, number) => {
    const kinds = [...new Set(table.rows.map((row) => row.kind))];
    const hasKinds = kinds.some(Boolean);
    const canOpen = table.rows.some((row) => row.details.length || (row.log || []).length);
    const title = `h-${number}`;
    const search = element("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    const choice = element("select", {}, element("option", { value: "" }, "all"), ...kinds.map((kind) => element("option", { value: kind }, kind)));
    const shown = element("p", { class: "hint", "aria-live": "polite" });
    const body = element("tbody");
    const more = element("button", { type: "button", hidden: true }, "Show more");
    let limit = MOST;
    const matches = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      return table.rows.filter((row) => {
        if (choice.value && row.kind !== choice.value) return false;
        const text = row.cells.concat(row.details.map(([, text]) => text)).join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      });
    };
    const line = (row) => {
      const cells = row.cells.map((cell, at) => element(at ? "td" : "th", { class: "text long", scope: at ? undefined : "row" }, cell));
      const kind = hasKinds ? element("td", { class: "text" }, shownKind(row.kind)) : null;
      const made = element("tr", {}, ...cells, kind);
      if (!canOpen) return [made];
      const inside = element("tr", { class: "inside", hidden: true }, element("td", { class: "text long", colspan: table.columns.length + 2 }));
      const button = element("button", { type: "button", "aria-expanded": "false", "aria-label": `More about ${row.cells[0]}`, on: { click: () => {
        inside.hidden = !inside.hidden;
        button.setAttribute("aria-expanded", String(!inside.hidden));
        if (!inside.hidden) inside.firstChild.replaceChildren(...opened(row).filter(Boolean));
      } } }, "…");
      made.append(element("td", {}, button));
      return [made, inside];
    };
    const paint = () => {
      const found = matches();
      shown.textContent = `${count(found.length)} of ${count(table.rows.length)}`;
      body.replaceChildren(...found.slice(0, limit).flatMap(line));
      more.hidden = found.length <= limit;
    };
    const again = () => { limit = MOST; paint(); };
    search.addEventListener("input", again);
    choice.addEventListener("change", again);
    more.addEventListener("click", () => { limit += MOST; paint(); });
    const columns = table.columns.concat(hasKinds ? ["result"] : [], canOpen ? [""] : []);
    const head = element("tr", {}, ...columns.map((name) => (name ? element("th", { scope: "col", class: "text" }, name) : element("td"))));
    const filters = element("form", { role: "search", "aria-label": `Filter: ${table.title}`, on: { submit: (event) => event.preventDefault() } },
      element("label", { class: "wide" }, "Search ", search), hasKinds ? element("label", {}, "Result ", choice) : null);
    paint();
    return element("section", { "aria-labelledby": title }, element("h2", { id: title }, table.title), table.hint ? element("p", { class: "hint" }, table.hint) : null,
      table.rows.length > 8 ? filters : null, shown,
      element("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-labelledby": title }, element("table", {}, element("thead", {}, head), body)), more);
  };

  byId("title").textContent = data.title;
  byId("made").textContent = `Made by ${data.tool} from ${data.source}. The page is one file and asks nothing of any network.`;
  byId("totals").append(...data.totals.map(([value, label, kind]) => element("li", {}, element("b", { class: colours[kind] || "" }, value), label)));
  byId("facts").append(...data.facts.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
  byId("tables").append(...data.tables.map(section));
  document.documentElement.dataset.ready = "true";
})();
