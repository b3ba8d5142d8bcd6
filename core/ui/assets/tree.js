// A tree walked by keyboard as the ARIA pattern has it: arrows move, fold and unfold; Enter chooses.
let shown = null; // the run on the page: another one begins at the top
let compared = null; // the run whose changes were brought into view

function toTop(node) {
  for (let at = node; at; at = at.parentElement) if (at.scrollTop) at.scrollTop = 0;
}

function toDetail(root) {
  const detail = document.querySelector(".st-key-trace_detail");
  if (detail && detail.getBoundingClientRect().top > root.getBoundingClientRect().bottom - 1) {
    setTimeout(() => detail.scrollIntoView({ block: "start" }), 250); // below the tree on a telephone
  }
}

function line(row, inner) {
  const item = make("div", "strata-branch");
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-level", row.depth);
  item.dataset.id = row.id;
  item.style.setProperty("--depth", row.depth - 1);
  const fold = make("span", "strata-fold" + (inner ? " inner" : ""));
  fold.setAttribute("aria-hidden", "true");
  const text = add(make("span", "strata-branch-text"), make("span", "strata-branch-kind", row.kind), document.createTextNode(row.label));
  text.title = row.label;
  return add(item, fold, text, row.state && make("span", "strata-branch-state " + row.colour, row.state),
    make("span", "strata-branch-time", row.time));
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-tree");
  if (!fresh) return;
  const held = (component.parentElement.strataTree ??= { folded: new Map() });
  if (shown !== data.run) {
    if (shown !== null) toTop(root);
    else compared = data.run;
    shown = data.run;
  }
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  const parents = new Map(data.rows.map((row) => [row.id, row.parent]));
  const inner = new Set(parents.values());
  for (const row of data.rows) if (!held.folded.has(row.id)) held.folded.set(row.id, row.folded);
  for (let at = parents.get(data.chosen); at && held.chosen !== data.chosen; at = parents.get(at)) held.folded.set(at, false);
  held.chosen = data.chosen;
  const items = new Map(data.rows.map((row) => [row.id, line(row, inner.has(row.id))]));
  const hidden = (id) => {
    for (let at = parents.get(id); at; at = parents.get(at)) if (held.folded.get(at)) return true;
    return false;
  };
  const seen = () => [...items.keys()].filter((id) => !hidden(id));
  const draw = () => {
    for (const [id, item] of items) {
      item.hidden = hidden(id);
      item.setAttribute("aria-selected", String(id === data.chosen));
      if (inner.has(id)) item.setAttribute("aria-expanded", String(!held.folded.get(id)));
    }
  };
  const focus = (id, really = true) => {
    for (const [other, item] of items) item.tabIndex = other === id ? 0 : -1;
    if (really) items.get(id).focus();
  };
  const fold = (id, to) => { held.folded.set(id, to); draw(); };
  const choose = (id) => {
    focus(id);
    tell(root, "opened", id);
    toDetail(root);
  };
  const walk = {
    ArrowDown: (id, ids) => focus(ids[Math.min(ids.indexOf(id) + 1, ids.length - 1)]),
    ArrowUp: (id, ids) => focus(ids[Math.max(ids.indexOf(id) - 1, 0)]),
    Home: (id, ids) => focus(ids[0]),
    End: (id, ids) => focus(ids[ids.length - 1]),
    ArrowRight: (id, ids) => {
      if (inner.has(id) && held.folded.get(id)) fold(id, false);
      else if (inner.has(id)) focus(ids[ids.indexOf(id) + 1]);
    },
    ArrowLeft: (id) => {
      if (inner.has(id) && !held.folded.get(id)) fold(id, true);
      else if (parents.get(id)) focus(parents.get(id));
    },
    Enter: (id) => choose(id),
    " ": (id) => choose(id),
  };
  root.onkeydown = (event) => {
    const id = event.target.dataset?.id;
    if (!id || !walk[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    walk[event.key](id, seen());
  };
  root.onclick = (event) => {
    const id = event.target.closest("[data-id]")?.dataset.id;
    if (!id) return;
    if (event.target.classList.contains("strata-fold") && inner.has(id)) fold(id, !held.folded.get(id));
    else choose(id);
  };
  root.setAttribute("role", "tree");
  root.setAttribute("aria-label", data.label);
  root.replaceChildren(...items.values());
  draw();
  focus(items.has(focused) && !hidden(focused) ? focused : items.has(data.chosen) ? data.chosen : data.rows[0].id, focused !== null);
  const chosen = items.get(data.chosen); // in view in the tree, where that scrolls by itself
  const under = chosen ? chosen.getBoundingClientRect().bottom - root.getBoundingClientRect().bottom : 0;
  if (under > 0) root.scrollTop += under;
  if (data.chosen === "changes" && compared !== data.run) {
    compared = data.run;
    setTimeout(() => toDetail(root), 350); // what stands above is drawn by then
  }
}
