// One passage in full, with the sentences that matter marked; the first of them is brought into view.
export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-fulltext");
  if (!fresh) return;
  const heading = data.heading ? make("div", "strata-path", data.heading) : null;
  const text = marked(make("div", "strata-text"), data.text, data.marks);
  root.replaceChildren();
  add(root, heading, text);
  if (data.turn) reveal(root, root.querySelector("mark"));
}
