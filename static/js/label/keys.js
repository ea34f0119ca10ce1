// The keyboard. Single keys act only while nothing is being typed, and can be switched off.

import { settings } from "./store.js";

export function listen({ form, screen, actions }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest?.("textarea, input[type=text], select, [contenteditable]");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      if (!screen.inState) act(event, actions.submit);
    } else if (typing) {
      if (event.key === "Escape") act(event, actions.leaveText);
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey && !screen.inState) {
      plainKey(event);
    }
  });

  function plainKey(event) {
    if (event.key === "Enter") {
      if (!event.target.closest("button, a, summary")) act(event, actions.submit);
      return;
    }
    if (event.key === "Escape") {
      actions.leaveText();
      return;
    }
    if (!settings.get("keys", true) || event.repeat || event.key.length !== 1) return;
    const key = event.key.toLowerCase();
    if (form.press(key)) {
      event.preventDefault();
      return;
    }
    const own = { u: actions.undo, f: actions.flag, c: actions.comment, "?": actions.help }[key];
    if (own) act(event, own);
  }
}

function act(event, run) {
  event.preventDefault();
  run();
}
