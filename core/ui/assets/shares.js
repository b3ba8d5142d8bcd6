// How much of an answer rests on each document: one bar a document.
export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-shares");
  if (!fresh) return;
  root.setAttribute("role", "figure");
  root.setAttribute("aria-label", data.label);
  const rows = data.rows.map((row) => {
    const bar = make("i", "strata-bar");
    bar.style.left = "0";
    bar.style.width = row.share ? "max(3px, " + row.share * 100 + "%)" : "0";
    const name = add(make("span", "strata-bar-name"), make("span", "", row.name));
    const line = add(make("div", "strata-bar-row"), name, add(make("span", "strata-track"), bar),
      make("span", "strata-bar-time", row.value));
    line.title = row.title;
    return line;
  });
  root.replaceChildren(...rows);
}
