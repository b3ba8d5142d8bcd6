// The plan as a graph: the question, its parts wave by wave, the answer. Left to right, or top down on a phone.
const NARROW = 640;

function node(item, root, pressable) {
  const box = make("div", "strata-node " + item.status);
  box.dataset.id = item.id;
  const head = make("div", "strata-node-head");
  add(head, item.label && make("span", "strata-number", item.label), make("span", "strata-kicker", item.kicker));
  add(head, item.state && make("span", "strata-state", item.state));
  add(box, head, item.title && make("div", "strata-node-title", item.title));
  if (item.note) box.appendChild(make("div", "strata-node-note", item.note));
  if (item.needs) box.appendChild(make("div", "strata-node-needs", item.needs));
  if (pressable && item.part) {
    box.tabIndex = 0;
    box.setAttribute("role", "button");
    const press = () => tell(root, "opened", item.part);
    box.onclick = press;
    box.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); press(); } };
  }
  return box;
}

// The height, nearest to `wish`, at which a line passes between the boxes of the columns it has to cross.
function way(root, frame, from, to, wish) {
  const boxes = [...root.querySelectorAll(".strata-wave")].slice(from + 1, to)
    .flatMap((wave) => [...wave.children]).map((box) => box.getBoundingClientRect())
    .map((box) => ({ top: box.top - frame.top - 7, bottom: box.bottom - frame.top + 7 }));
  const free = (y) => boxes.every((box) => y <= box.top || y >= box.bottom);
  const choices = [wish, ...boxes.flatMap((box) => [box.top, box.bottom])].filter(free);
  return choices.sort((a, b) => Math.abs(a - wish) - Math.abs(b - wish))[0] ?? wish;
}

function edges(root, data) {
  const narrow = root.clientWidth < NARROW;
  root.classList.toggle("narrow", narrow);
  root.querySelector("svg")?.remove();
  const svg = drawn("svg", { width: root.clientWidth, height: root.clientHeight, "aria-hidden": "true" });
  const frame = root.getBoundingClientRect();
  const place = (id) => {
    const box = root.querySelector('[data-id="' + id + '"]').getBoundingClientRect();
    const waves = [...root.querySelectorAll(".strata-wave")];
    const column = waves.findIndex((wave) => wave.querySelector('[data-id="' + id + '"]'));
    return { column, left: box.left - frame.left, right: box.right - frame.left, top: box.top - frame.top,
             middle: (box.top + box.bottom) / 2 - frame.top };
  };
  for (const [from, to, state] of data.edges) {
    const a = place(from), b = place(to);
    let path;
    if (narrow) {
      const out = Math.max(4, a.left - 10 - Math.min(16, (b.middle - a.middle) / 24));
      path = `M${a.left},${a.middle} C${out},${a.middle} ${out},${b.middle} ${b.left - 4},${b.middle}`;
    } else if (b.column - a.column > 1) {
      const waves = root.querySelectorAll(".strata-wave");
      const y = way(root, frame, a.column, b.column, a.middle);
      const enter = waves[a.column + 1].getBoundingClientRect().left - frame.left;
      const leave = waves[b.column - 1].getBoundingClientRect().right - frame.left;
      const one = (enter - a.right) / 2, two = (b.left - leave) / 2;
      path = `M${a.right},${a.middle} C${a.right + one},${a.middle} ${enter - one},${y} ${enter},${y} L${leave},${y}`
        + ` C${leave + two},${y} ${b.left - two},${b.middle} ${b.left - 4},${b.middle}`;
    } else {
      const bend = (b.left - a.right) / 2;
      path = `M${a.right},${a.middle} C${a.right + bend},${a.middle} ${b.left - bend},${b.middle} ${b.left - 4},${b.middle}`;
    }
    svg.appendChild(drawn("path", { d: path, class: "strata-edge " + state }));
    const tip = `M${b.left - 6},${b.middle - 3.5} L${b.left},${b.middle} L${b.left - 6},${b.middle + 3.5} Z`;
    svg.appendChild(drawn("path", { d: tip, class: "strata-tip " + state }));
  }
  root.prepend(svg);
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-plan");
  if (!fresh) return;
  root.setAttribute("role", "figure");
  root.setAttribute("aria-label", data.label);
  const last = data.columns.length - 1;
  const columns = data.columns.map((items, at) =>
    add(make("div", "strata-wave" + (at === 0 || at === last ? " end" : "")), ...items.map((item) => node(item, root, data.pressable))));
  root.classList.toggle("compact", Boolean(data.compact));
  root.replaceChildren(...columns);
  root.classList.toggle("narrow", root.clientWidth < NARROW);
  edges(root, data);
  component.parentElement.strataWatch?.disconnect();
  const watch = new ResizeObserver(() => requestAnimationFrame(() => edges(root, data)));
  watch.observe(root);
  component.parentElement.strataWatch = watch;
  return () => watch.disconnect();
}
