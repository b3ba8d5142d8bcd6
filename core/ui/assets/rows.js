// Rows of a table where they stand: those that say what was asked are marked and brought into
// view, in a wide table with the cells that the answer states.
export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-rows");
  if (!fresh) return;
  const table = make("table");
  table.setAttribute("aria-label", data.label);
  const heads = add(make("tr"), headed("", data.words.row), ...data.columns.map((name) => headed(name)));
  const body = make("tbody");
  for (const row of data.rows) {
    const line = make("tr", (row.own ? "own" : "") + (row.marked ? " marked" : ""));
    add(line, make("th", "strata-rank", String(row.number)));
    line.firstChild.scope = "row";
    row.cells.forEach((cell, n) => {
      const place = make("td", row.stated.includes(n) ? "stated" : "");
      add(line, add(place, make(row.marked ? "mark" : "span", cell.length < 12 ? "short" : "", cell)));
    });
    body.appendChild(line);
  }
  const scroll = add(make("div", "strata-rows-scroll"), add(table, add(make("thead"), heads), body));
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", data.label);
  root.replaceChildren(scroll);
  reveal(root, [...root.querySelectorAll("tr.marked td.stated")].pop() ?? root.querySelector("tr.marked"));
}

function headed(text, label) {
  const cell = make("th", "", text);
  cell.scope = "col";
  if (label) cell.setAttribute("aria-label", label);
  return cell;
}
