// Options as a table: a row an option, a column what is said of it; in a narrow place each cell of many names its column.
export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-options");
  if (!fresh) return;
  const heads = add(make("tr"), ...data.columns.map((name) => { const cell = make("th", "", name); cell.scope = "col"; return cell; }));
  const body = make("tbody");
  data.rows.forEach((row, option) => {
    const first = make("th", "strata-option", (data.counted ? option + 1 + "\u2002" : "") + row.text);
    first.scope = "row";
    const cite = (cell, numbers) => {
      for (const number of numbers ?? []) {
        cell.append(" ", chip(number, data.sources[number], () => tell(root, "opened", { number, option }), data.words.source));
      }
    };
    cite(first, row.cites);
    if (row.note) first.append(" ", make("span", "strata-option-note", row.note));
    const cells = row.cells.map((text, at) => {
      const said = make("span", "", text || "\u2013");
      const cell = add(make("td", text ? "" : "bare"), said);
      cell.dataset.name = data.columns[at + 1];
      cite(said, row.cell_cites?.[at]);
      return cell;
    });
    if (row.wide) cells[0].colSpan = data.columns.length - 1;
    add(body, add(make("tr"), first, ...cells));
  });
  const table = make("table");
  table.setAttribute("aria-label", data.label);
  root.classList.toggle("few", data.columns.length < 4);
  root.replaceChildren(add(table, add(make("thead"), heads), body));
}
