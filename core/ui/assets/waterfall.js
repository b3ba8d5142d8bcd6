// Where the time went: one bar a step on a common axis.
export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-waterfall");
  if (!fresh) return;
  root.setAttribute("role", "figure");
  root.setAttribute("aria-label", data.label);
  const axis = add(make("div", "strata-bar-row axis"), make("span", "strata-bar-name", data.unit));
  const ticks = make("span", "strata-track");
  for (const tick of data.ticks) {
    const mark = make("i", "strata-tick", tick.text);
    mark.style.left = tick.at * 100 + "%";
    ticks.appendChild(mark);
  }
  add(axis, ticks, make("span", "strata-bar-time", ""));
  const rows = data.rows.map((row) => {
    const line = make("div", "strata-bar-row" + (row.depth ? " inner" : ""));
    const name = add(make("span", "strata-bar-name"), make("span", "", row.name), make("em", "", row.engine));
    const track = make("span", "strata-track");
    const bar = make("i", "strata-bar " + row.kind);
    bar.style.left = row.start * 100 + "%";
    bar.style.width = "max(3px, " + (row.end - row.start) * 100 + "%)";
    track.appendChild(bar);
    line.title = row.title;
    return add(line, name, track, make("span", "strata-bar-time", row.time));
  });
  root.replaceChildren(axis, ...rows);
}
