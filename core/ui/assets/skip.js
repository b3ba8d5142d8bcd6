// A link that leads the keyboard past everything else to the first citation of the last answer; where it cites
// nothing, to the answer itself, or to all that stands in its place.
// A question that is new on the page is brought into view, which stock Streamlit does not do.
function arrive(run) {
  const exchange = document.querySelector(".st-key-exchange_" + CSS.escape(run));
  const asked = exchange?.querySelector("[class*='st-key-asked_']");
  if (asked) exchange.scrollIntoView({ block: "start" });
  return asked ? exchange : null;
}

// What stands before the question folds now, maybe while what is below it shrinks, too: then the browser finds no
// place to hold on to. The question stays where it is until the reader does something, or some seconds after the
// last whole answer before it has folded: a busy server takes its time to.
function hold(exchange) {
  const exchanges = exchange.closest(".st-key-strata_exchanges");
  const watch = new ResizeObserver(() => {
    if (!exchange.isConnected) end();
    else if (Math.abs(exchange.getBoundingClientRect().top) > 1) exchange.scrollIntoView({ block: "start" });
  });
  const end = () => watch.disconnect();
  watch.observe(exchanges);
  for (const act of ["wheel", "touchmove", "pointerdown", "keydown"])
    addEventListener(act, end, { once: true, passive: true, capture: true });
  const rest = () => {
    const folded = !exchange.isConnected || exchanges.querySelector("[class*='st-key-exchange_']") === exchange;
    setTimeout(folded ? end : rest, folded ? 5000 : 500);
  };
  rest();
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-skip");
  if (!fresh) return;
  const button = make("button", "strata-skip-link", data.label);
  button.type = "button";
  button.onclick = () => {
    const last = [...document.querySelectorAll("[class*='st-key-body_']")].pop();
    const target = last?.querySelector(".strata-cite") || last?.querySelector(".strata-answer") || last;
    if (!target) return;
    if (!target.matches(".strata-cite")) target.tabIndex = -1;
    target.focus();
    target.scrollIntoView({ block: "center" });
  };
  root.replaceChildren(button);
  if (!data.run || root.dataset.run === data.run) return;
  let tries = 0;
  const look = () => {
    const exchange = arrive(data.run);
    if (!exchange) { if (++tries < 200) setTimeout(look, 50); return; } // ten seconds: the page may be drawn late
    root.dataset.run = data.run;
    if (data.tell) hold(exchange);
    if (data.tell) tell(root, "arrived", data.run); // what stands before it folds only now, out of sight
  };
  look();
}
