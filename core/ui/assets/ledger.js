// Sentence by sentence: what it says, what it cites, whether the source bears it out.
export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-ledger");
  if (!fresh) return;
  const rows = data.rows.map((row, sentence) => {
    const press = (number) => tell(root, "opened", { number, sentence });
    const cites = make("div", "strata-ledger-cites");
    for (const number of row.cites) {
      add(cites, add(make("div"), chip(number, data.sources[number], press, data.words.source),
        make("span", "", data.sources[number] || "")));
    }
    if (!row.cites.length) cites.appendChild(make("span", "strata-none", data.words.uncited));
    return add(make("div", "strata-ledger-row " + row.support), make("div", "strata-rank", row.rank),
      make("div", "strata-ledger-text", row.text), cites, make("div", "strata-support", row.word));
  });
  root.replaceChildren(...rows);
}
