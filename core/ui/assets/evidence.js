// Passages as a list: one line each with one figure; unfolded, the words, why it was found and the score of each layer.
function scores(row) {
  const table = make("div", "strata-scores");
  for (const score of row.scores) {
    const bar = make("i");
    bar.style.width = score.share * 100 + "%";
    add(table, make("span", "", score.leg), add(make("span", "strata-meter"), bar), make("b", "", score.value),
      make("span", "strata-scale", score.scale));
  }
  return table;
}

// A button that pins or bans the passage when the run works again.
function mark(root, row, index, what, label) {
  const button = make("button", "strata-mark " + what, row.state === what ? label[1] : label[0]);
  button.type = "button";
  button.setAttribute("aria-pressed", String(row.state === what));
  button.setAttribute("aria-label", label[0] + " " + row.title + (row.place ? ", " + row.place : ""));
  button.onclick = () => tell(root, "marked", { index, what });
  return button;
}

function summary(row) {
  const head = make("summary", "strata-passage-line");
  const name = add(make("span", "strata-passage-name"), make("b", "", row.title), row.place && make("span", "strata-place", row.place));
  const bar = make("i");
  bar.style.width = row.share * 100 + "%";
  const figure = add(make("span", "strata-figure"), add(make("span", "strata-meter"), bar), make("span", "", row.figure));
  figure.title = row.meaning;
  return add(head, make("span", "strata-rank", row.rank), name, row.badge && make("span", "strata-badge", row.badge),
    make("span", "strata-lead", row.lead), figure);
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-evidence");
  if (!fresh) return;
  const held = (component.parentElement.strataOpen ??= new Set());
  const rows = data.rows.map((row, index) => {
    const item = make("details", "strata-passage" + (row.faded ? " faded" : ""));
    item.open = held.has(row.id);
    item.ontoggle = () => (item.open ? held.add(row.id) : held.delete(row.id));
    const buttons = make("div", "strata-marks");
    const open = make("button", "strata-mark", data.words.open);
    open.type = "button";
    open.setAttribute("aria-label", data.words.open + ": " + row.title + (row.place ? ", " + row.place : ""));
    open.onclick = () => { cameFrom(open); tell(root, "opened", index); };
    buttons.appendChild(open);
    if (data.marking) {
      add(buttons, mark(root, row, index, "pinned", [data.words.pin, data.words.pinned]),
        mark(root, row, index, "banned", [data.words.ban, data.words.banned]));
    }
    const text = marked(make("p", "strata-quote"), row.text, row.marks);
    const why = row.why.length ? make("div", "strata-why", row.why.join(" · ")) : null;
    return add(item, summary(row), add(make("div", "strata-passage-main"), text, why, scores(row), buttons));
  });
  root.replaceChildren(...rows);
}
