// Passages as an evidence table: rank, where it stands, what it says, its score on every layer.
function scores(row) {
  const table = make("div", "strata-scores");
  for (const score of row.scores) {
    const bar = make("i");
    bar.style.width = score.share * 100 + "%";
    add(table, make("span", "", score.leg), add(make("span", "strata-meter"), bar), make("b", "", score.value));
  }
  return table;
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-evidence");
  if (!fresh) return;
  const rows = data.rows.map((row, index) => {
    const item = make("div", "strata-passage" + (row.faded ? " faded" : ""));
    const head = make("div", "strata-passage-head");
    const title = make("button", "strata-title", row.title);
    title.type = "button";
    title.setAttribute("aria-label", "Open " + row.title + (row.place ? ", " + row.place : ""));
    title.onclick = () => component.setTriggerValue("opened", index);
    add(head, title, row.place && make("span", "strata-place", row.place), row.badge && make("span", "strata-badge", row.badge));
    const text = marked(make("p", "strata-quote"), row.text, row.marks);
    const why = row.why.length ? make("div", "strata-why", row.why.join(" · ")) : null;
    const middle = add(make("div", "strata-passage-main"), head, text, why);
    return add(item, make("div", "strata-rank", row.rank), middle, scores(row));
  });
  root.replaceChildren(...rows);
}
