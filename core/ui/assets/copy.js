// Puts a text into the clipboard and says so. Stock Streamlit has no button that copies.
async function taken(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = make("textarea");
  box.value = text;
  document.body.appendChild(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}

export default function (component) {
  const { root, data, fresh } = mounted(component, "strata-copy");
  if (!fresh) return;
  const button = make("button", "strata-action", data.label);
  button.type = "button";
  const said = make("span", "strata-said");
  said.setAttribute("role", "status");
  button.onclick = async () => {
    await taken(data.text);
    said.textContent = data.done;
    setTimeout(() => { said.textContent = ""; }, 2000);
  };
  root.replaceChildren(button, said);
}
