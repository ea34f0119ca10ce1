// The adjudicator's keys: a digit picks a category, j and k walk the queue, Ctrl+Enter settles. Never while typing.

const form = document.querySelector("[data-settle]");

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    form?.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey) return;
  if (event.target.closest("textarea, input[type=text], select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const link = { j: "a[rel=next]", k: "a[rel=prev]" }[event.key];
  if (link) document.querySelector(link)?.click();
  const choice = /^[1-9]$/.test(event.key) && form?.querySelector(`[data-key="${event.key}"]`);
  if (choice) {
    choice.checked = true;
    form.elements.reason.focus();
    event.preventDefault();
  }
});
