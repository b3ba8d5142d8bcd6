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

// A button that pins or bans the passage when the run works again.
function mark(component, row, index, what, label) {
  const button = make("button", "strata-mark " + what, row.state === what ? label[1] : label[0]);
  button.type = "button";
  button.setAttribute("aria-pressed", String(row.state === what));
  button.setAttribute("aria-label", label[0] + " " + row.title + (row.place ? ", " + row.place : ""));
  button.onclick = () => component.setTriggerValue("marked", { index, what });
  return button;
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
    if (data.marking) {
      add(head, add(make("span", "strata-marks"), mark(component, row, index, "pinned", ["Pin", "Pinned"]),
        mark(component, row, index, "banned", ["Ban", "Banned"])));
    }
    const text = marked(make("p", "strata-quote"), row.text, row.marks);
    const why = row.why.length ? make("div", "strata-why", row.why.join(" · ")) : null;
    const middle = add(make("div", "strata-passage-main"), head, text, why);
    return add(item, make("div", "strata-rank", row.rank), middle, scores(row));
  });
  root.replaceChildren(...rows);
}
