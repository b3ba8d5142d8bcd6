// The page's language for screen readers and hyphenation, and the reader's choice, kept in this browser.
const KEPT = "strata.language";

export default function (component) {
  const { data, setStateValue } = component;
  document.documentElement.lang = data.language;
  let kept = null;
  try {
    if (data.chosen) localStorage.setItem(KEPT, data.chosen);
    kept = localStorage.getItem(KEPT);
  } catch { return; } // a browser that keeps nothing
  if (!data.chosen && kept && kept !== data.language) setStateValue("kept", kept);
}
