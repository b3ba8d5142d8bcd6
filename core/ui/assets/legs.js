// Rankings side by side: a column a leg; the same passage is lit in all of them under the pointer or the focus.
const STEP = 1000; // what was pressed is column * STEP + row

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-legs");
  if (!fresh) return;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  const narrow = root.getBoundingClientRect().width < 640;
  const light = (id, on) => root.querySelectorAll(".strata-leg-row").forEach((row) => {
    if (row.dataset.chunk === id) row.classList.toggle("lit", on);
  });
  const columns = data.columns.map((column, at) => {
    const box = make("details", "strata-leg");
    box.open = !narrow || at === data.columns.length - 1;
    const head = add(make("summary", ""), make("b", "", column.name), make("span", "", column.note));
    const list = make("ol", "");
    column.rows.forEach((row, index) => {
      const button = make("button", "strata-leg-row" + (row.kept ? " kept" : ""));
      button.type = "button";
      button.dataset.chunk = row.id;
      button.title = row.hint;
      button.setAttribute("aria-label", row.label);
      const bar = make("i");
      bar.style.width = row.share * 100 + "%";
      const title = make("span", "strata-leg-title", row.title);
      const under = add(make("span", "strata-leg-under"), make("span", "strata-leg-text", row.text),
        make("span", "strata-leg-value", row.value));
      const middle = add(make("span", "strata-leg-main"), title, under, add(make("span", "strata-meter"), bar));
      add(button, make("span", "strata-rank", String(row.rank)), middle,
        row.delta && make("span", "strata-delta " + row.turn, row.delta));
      button.onclick = () => { cameFrom(button); tell(root, "opened", at * STEP + index); };
      for (const [name, on] of [["pointerenter", true], ["pointerleave", false], ["focus", true], ["blur", false]]) {
        button.addEventListener(name, () => light(row.id, on));
      }
      add(list, add(make("li", ""), button));
    });
    if (!column.rows.length) add(list, make("li", "strata-leg-none", data.words.none));
    return add(box, head, list);
  });
  root.style.setProperty("--legs", String(columns.length));
  root.replaceChildren(...columns);
}
