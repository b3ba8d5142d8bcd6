// Two texts side by side, row beside row; on a phone one under the other. What changed is marked word by word.
function written(side, pieces, under) {
  const cell = make("div", "strata-compare-cell " + side);
  if (!pieces.length) return cell;
  const text = make("p", "");
  for (const [piece, mark] of pieces) add(text, mark ? make("mark", side, piece) : document.createTextNode(piece));
  add(cell, text);
  if (under) add(cell, make("div", "strata-compare-under", under));
  return cell;
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-compare");
  if (!fresh) return;
  root.setAttribute("role", "figure");
  root.setAttribute("aria-label", data.label);
  const heads = add(make("div", "strata-compare-row heads"), ...data.heads.map((head) => {
    const cell = make("div", "strata-compare-head" + (head.badge ? "" : " bare"));
    const line = add(make("div", "strata-compare-title"), make("span", "", head.title));
    if (head.badge) add(line, make("span", "strata-compare-badge " + head.colour, head.badge));
    return add(cell, line, head.meta && make("div", "strata-compare-meta", head.meta));
  }), make("div", ""));
  const rows = data.rows.map((row) => {
    const under = row.under || ["", ""];
    const line = make("div", "strata-compare-row " + row.change);
    return add(line, written("before", row.before, under[0]), written("after", row.after, under[1]),
      make("div", "strata-compare-note", row.note));
  });
  root.replaceChildren(heads, ...rows);
}
