// Order before and after reranking: one line a passage, those that rose in the accent colour.
const ROW = 30;

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-slope");
  if (!fresh) return;
  root.setAttribute("role", "figure");
  root.setAttribute("aria-label", data.label);
  const before = make("ol", "strata-slope-side before");
  const after = make("ol", "strata-slope-side after");
  const byBefore = [...data.rows].sort((a, b) => a.before - b.before);
  byBefore.forEach((row) => add(before, add(make("li", row.state), make("span", "strata-slope-name", row.name),
    make("b", "", String(row.before)))));
  data.rows.forEach((row) => add(after, add(make("li", row.state), make("b", "", String(row.after)),
    make("span", "strata-slope-name", row.name), make("span", "strata-slope-score", row.score))));
  const height = ROW * data.rows.length;
  const svg = drawn("svg", { viewBox: `0 0 100 ${height}`, preserveAspectRatio: "none", height, "aria-hidden": "true" });
  data.rows.forEach((row, index) => {
    const y0 = ROW * (byBefore.indexOf(row) + 0.5), y1 = ROW * (index + 0.5);
    svg.appendChild(drawn("path", { d: `M0,${y0} C45,${y0} 55,${y1} 100,${y1}`, class: "strata-edge " + row.state,
      "vector-effect": "non-scaling-stroke" }));
  });
  const heads = add(make("div", "strata-slope-heads"), make("span", "", data.heads[0]), make("span", "", data.heads[1]));
  root.replaceChildren(heads, add(make("div", "strata-slope-body"), before, svg, after));
}
