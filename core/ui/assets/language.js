// The page's language for screen readers and hyphenation, the reader's choice, kept in this browser, and
// Streamlit's own words in that language: what it writes itself, nowhere else.
const KEPT = "strata.language";
const OWN = ["stFileUploader", "stSkipToContent", "stHeader", "stStatusWidget", "stMainMenuPopover",
  "stDataFrameColumnMenu", "stTooltipContent"].map((name) => `[data-testid=${name}]`).join() + ",[role=listbox]";
const FOREIGN = "[role=option],[data-testid=stFileUploaderFile],[data-testid=stFileChip],input,textarea";
const NAME = "aria-label";
const NAMED_BY_US = ".strata,[role=grid]"; // figures, and cells of what the library says
const telling = (window.strataTelling ??= { told: {}, forms: [], said: new WeakMap(), due: false, watch: null });

function formOf([english, own]) {
  const literal = english.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  return [new RegExp("^" + literal.join("(.+)") + "$"), own];
}

function inOwnWords(text, depth = 0) {
  if (Object.hasOwn(telling.told, text)) return telling.told[text];
  for (const [form, own] of depth < 2 ? telling.forms : []) {
    const found = form.exec(text);
    if (found) return own.replace("{}", () => inOwnWords(found[1], depth + 1));
  }
  return text;
}

// `now` is what stands there; what we put there ourselves is known with its English, and told anew from it.
function retold(node, place, now) {
  const places = telling.said.get(node) ?? {};
  const english = places[place]?.own === now ? places[place].english : now;
  const own = inOwnWords(english);
  telling.said.set(node, { ...places, [place]: { english, own } });
  return own;
}

function tellAll() {
  telling.due = false;
  for (const root of document.querySelectorAll(OWN)) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      if (node.parentElement.closest(FOREIGN)) continue;
      const own = retold(node, "text", node.nodeValue);
      if (own !== node.nodeValue) node.nodeValue = own;
    }
  }
  for (const node of document.querySelectorAll(`[${NAME}]`)) {
    if (node.closest(NAMED_BY_US)) continue;
    const own = retold(node, NAME, node.getAttribute(NAME));
    if (own !== node.getAttribute(NAME)) node.setAttribute(NAME, own);
  }
}

function speak(words) {
  if (!telling.watch && !Object.keys(words).length) return; // English all along
  telling.told = Object.fromEntries(Object.entries(words).filter(([english]) => !english.includes("{}")));
  telling.forms = Object.entries(words).filter(([english]) => english.includes("{}")).map(formOf);
  if (!telling.watch) {
    telling.watch = new MutationObserver(() => {
      if (!telling.due) requestAnimationFrame(tellAll);
      telling.due = true;
    });
    telling.watch.observe(document.body,
      { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: [NAME] });
  }
  tellAll();
}

export default function (component) {
  const { data, setStateValue } = component;
  document.documentElement.lang = data.language;
  speak(data.words);
  let kept = null;
  try {
    if (data.chosen) localStorage.setItem(KEPT, data.chosen);
    kept = localStorage.getItem(KEPT);
  } catch { return; } // a browser that keeps nothing
  if (!data.chosen && kept && kept !== data.language) setStateValue("kept", kept);
}
