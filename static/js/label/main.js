// The labelling screen: puts its parts together and listens to the page around them.

import { Clock } from "./clock.js";
import { Desk } from "./desk.js";
import { Form } from "./form.js";
import { listen } from "./keys.js";
import { Panes } from "./panes.js";
import { Screen } from "./screen.js";
import { Store } from "./store.js";
import { Tools } from "./tools.js";

const boot = JSON.parse(document.getElementById("boot").textContent);
const root = document.body;
root.classList.add("js");

const clock = new Clock();
const screen = new Screen(root);
const panes = new Panes(root);
const form = new Form(document.getElementById("questions"), { onChange: () => desk.changed() });
const tools = new Tools(root, { form, clock, screen, beforePause: () => desk.drafts.save() });
const desk = new Desk({
  boot,
  store: new Store(boot.place),
  form,
  panes,
  clock,
  screen,
  onShow: () => tools.closeComment(),
  onSubmit: () => tools.offerPause(),
});

listen({
  form,
  screen,
  actions: {
    submit: () => desk.submit(),
    undo: () => desk.undo(),
    flag: () => tools.flag(),
    comment: () => tools.openComment(),
    leaveText: () => tools.leaveText(),
    help: () => tools.help(),
  },
});

form.element.addEventListener("submit", (event) => {
  event.preventDefault();
  desk.submit();
});
document.getElementById("undo").addEventListener("submit", (event) => {
  event.preventDefault();
  desk.undo();
});
// After a button was used with the pointer, the keys belong to the questions again; Enter must not press it once more.
root.querySelector("[data-panes-bar]").addEventListener("click", (event) => {
  if (event.detail > 0 && desk.current) form.goTo(form.current);
});

addEventListener("online", () => {
  desk.queue.flush();
  desk.drafts.save();
});
addEventListener("focus", () => desk.queue.entries.length && desk.queue.flush());
addEventListener("pagehide", () => desk.drafts.save({ keepalive: true }));
document.addEventListener("visibilitychange", () => document.hidden && desk.drafts.save({ keepalive: true }));
// A page that comes back out of the browser's memory may be long out of date.
addEventListener("pageshow", (event) => event.persisted && location.reload());

desk.start(boot.shown);
