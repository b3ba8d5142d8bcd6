// One passage in full, with the sentences that matter marked; the first of them is brought into view.
export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-fulltext");
  if (!fresh) return;
  const heading = data.heading ? make("div", "strata-path", data.heading) : null;
  const text = marked(make("div", "strata-text"), data.text, data.marks);
  root.replaceChildren();
  add(root, heading, text);
  if (!data.turn) return;
  const picture = data.drawn && document.querySelector(`.st-key-${data.drawn[0]} img`);
  reveal(root, picture ? null : root.querySelector("mark"));
  if (picture) requestAnimationFrame(() => placed(root, picture, data.drawn[1]));
}

// The page is drawn above its passage: once it has its height, the place of the passage on it comes into view.
function placed(root, picture, share) {
  if (!picture.complete) {
    picture.addEventListener("load", () => placed(root, picture, share), { once: true });
    return;
  }
  const pane = root.closest("[data-testid=stColumn]");
  if (!pane) return;
  const page = picture.getBoundingClientRect();
  const at = page.top + page.height * share - pane.getBoundingClientRect().top;
  if (at < 0 || at > 0.8 * pane.clientHeight) pane.scrollTop += at - 0.25 * pane.clientHeight;
}
