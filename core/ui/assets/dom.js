// Shared by every figure. Text enters the page through textContent only, so nothing in it can become markup.
function make(tag, name, text) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined && text !== null) node.textContent = text;
  return node;
}

function add(parent, ...children) {
  for (const child of children) if (child) parent.appendChild(child);
  return parent;
}

function drawn(tag, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// One root per mounted figure; `fresh` is false when the data has not changed, so that nothing is redrawn.
function mounted(component, name) {
  const { parentElement, data } = component;
  const state = JSON.stringify(data);
  let root = parentElement.querySelector(":scope > .strata");
  if (!root) {
    root = make("div", "strata " + name);
    parentElement.appendChild(root);
  }
  root.strataComponent = component; // what is pressed is told to the figure as it was mounted last
  const fresh = root.dataset.state !== state;
  root.dataset.state = state;
  return { root, data, fresh };
}

function tell(root, name, value) {
  root.strataComponent.setTriggerValue(name, value);
}

// Text with marked ranges [[start, end], ...], in order and without overlap.
function marked(parent, text, ranges) {
  const letters = Array.from(text);
  let at = 0;
  for (const [start, end] of ranges || []) {
    if (start > at) parent.appendChild(document.createTextNode(letters.slice(at, start).join("")));
    parent.appendChild(make("mark", "", letters.slice(Math.max(at, start), end).join("")));
    at = Math.max(at, end);
  }
  parent.appendChild(document.createTextNode(letters.slice(at).join("")));
  return parent;
}

// What was chosen comes into view; where a citation was pressed, the focus follows, and Escape takes it back.
function reveal(root, mark) {
  requestAnimationFrame(() => {
    mark?.scrollIntoView({ block: "nearest" });
    const pressed = document.querySelector("[data-strata-pressed]");
    if (!pressed) return;
    pressed.removeAttribute("data-strata-pressed");
    root.tabIndex = -1;
    root.focus({ preventScroll: true });
    root.onkeydown = (event) => { if (event.key === "Escape") pressed.focus(); };
  });
}

// Remember what was pressed: the focus goes from it to what it opens, and back by Escape.
function cameFrom(button) {
  document.querySelector("[data-strata-pressed]")?.removeAttribute("data-strata-pressed");
  button.dataset.strataPressed = "";
}

function chip(number, label, press, word) {
  const button = make("button", "strata-cite", "[" + number + "]");
  button.type = "button";
  button.title = label || "";
  button.setAttribute("aria-label", word + " " + number + (label ? ": " + label : ""));
  button.onclick = () => { cameFrom(button); press(number); };
  return button;
}
