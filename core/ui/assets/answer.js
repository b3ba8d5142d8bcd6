// The answer: paragraphs and lists of sentences, each with its citations; what no source supports is greyed.
// A citation stays on the line of the word it follows; a space and brackets keep it apart where it is copied.
function cite(span, button) {
  const last = span.lastChild;
  if (last?.className === "strata-together") { last.append(" ", button); return; }
  const together = make("span", "strata-together");
  if (last?.nodeType === Node.TEXT_NODE) {
    const [, before, word] = last.textContent.match(/^([\s\S]*?)(\S{0,24})\s*$/);
    last.textContent = before;
    together.textContent = word;
  }
  together.append(" ", button);
  span.appendChild(together);
}

// What a citation leads to, shown while it is pointed at or has the focus.
function preview(root, button, source) {
  if (!source) return;
  const hide = () => root.querySelector(".strata-preview")?.remove();
  const show = () => {
    hide();
    const tip = make("div", "strata-preview");
    tip.setAttribute("role", "tooltip");
    add(tip, make("b", "", source.name), make("span", "", source.text));
    root.appendChild(tip);
    const box = button.getBoundingClientRect(), frame = root.getBoundingClientRect();
    const left = Math.max(0, Math.min(box.left - frame.left, frame.width - tip.offsetWidth));
    tip.style.left = left + "px";
    tip.style.top = box.bottom - frame.top + 4 + "px";
  };
  button.onmouseenter = button.onfocus = show;
  button.onmouseleave = button.onblur = hide;
}

function drawnSentence(root, data, sentence, at) {
  const span = make("span", "strata-sentence " + sentence.support);
  if (sentence.note) span.title = sentence.note;
  for (const run of sentence.runs) {
    if (run.cite !== undefined) {
      const source = data.sources[run.cite];
      const button = chip(run.cite, source?.name, () => {
        tell(root, "opened", { number: run.cite, sentence: at });
      }, data.words.source);
      button.removeAttribute("title");
      preview(root, button, source);
      cite(span, button);
    } else if (span.lastChild?.className === "strata-together" && run.text.length < 3) span.lastChild.append(run.text);
    else span.appendChild(run.strong ? make("strong", "", run.text) : document.createTextNode(run.text));
  }
  return span;
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-answer");
  if (!fresh) return;
  const body = document.createDocumentFragment();
  let list = null, at = 0;
  for (const block of data.blocks) {
    const line = make(block.kind === "item" ? "li" : block.kind === "heading" ? "h3" : "p");
    for (const sentence of block.sentences) {
      line.appendChild(drawnSentence(root, data, sentence, at++));
      line.appendChild(document.createTextNode(" "));
    }
    if (block.kind === "item") {
      if (!list) { list = make("ul"); body.appendChild(list); }
      if (block.number) line.style.listStyleType = JSON.stringify(block.number + "\u2002");
      list.appendChild(line);
    } else {
      list = null;
      body.appendChild(line);
    }
  }
  if (data.writing) {
    const last = body.lastChild && body.lastChild.nodeName === "UL" ? body.lastChild.lastChild : body.lastChild;
    (last || body.appendChild(make("p"))).appendChild(make("span", "strata-caret"));
  }
  root.setAttribute("aria-live", data.writing ? "polite" : "off");
  root.replaceChildren(body);
}
