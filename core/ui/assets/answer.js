// The answer: paragraphs and lists of sentences, each with its citations; what no source supports is greyed.
// A citation stays on the line of the word it follows.
function cite(span, button) {
  const last = span.lastChild;
  if (last?.className === "strata-together") { last.appendChild(button); return; }
  const together = make("span", "strata-together");
  if (last?.nodeType === Node.TEXT_NODE) {
    const [, before, word] = last.textContent.match(/^([\s\S]*?)(\S{0,24})\s*$/);
    last.textContent = before;
    together.textContent = word;
  }
  together.appendChild(button);
  span.appendChild(together);
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-answer");
  if (!fresh) return;
  const press = (number) => component.setTriggerValue("opened", number);
  const body = document.createDocumentFragment();
  let list = null;
  for (const block of data.blocks) {
    const line = make(block.kind === "item" ? "li" : block.kind === "heading" ? "h4" : "p");
    for (const sentence of block.sentences) {
      const span = make("span", "strata-sentence " + sentence.support);
      if (sentence.note) span.title = sentence.note;
      for (const run of sentence.runs) {
        if (run.cite !== undefined) cite(span, chip(run.cite, data.sources[run.cite], press));
        else if (span.lastChild?.className === "strata-together" && run.text.length < 3) span.lastChild.append(run.text);
        else span.appendChild(run.strong ? make("strong", "", run.text) : document.createTextNode(run.text));
      }
      line.appendChild(span);
      line.appendChild(document.createTextNode(" "));
    }
    if (block.kind === "item") {
      if (!list) { list = make("ul"); body.appendChild(list); }
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
