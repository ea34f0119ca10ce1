// The labelling screen: holds the present pair and the next one, and lets the parts speak to each other.

import { Clock } from "./clock.js";
import { Drafts } from "./draft.js";
import { Form } from "./form.js";
import { listen } from "./keys.js";
import { Panes } from "./panes.js";
import { Queue } from "./queue.js";
import { Screen } from "./screen.js";
import { settings, Store } from "./store.js";
import { Offline, send } from "./wire.js";

const PAUSE_AFTER = 25 * 60_000;
const boot = JSON.parse(document.getElementById("boot").textContent);
const { urls } = boot;
const root = document.body;
const store = new Store(boot.place);
const clock = new Clock();
const screen = new Screen(root);
const panes = new Panes(root);
const form = new Form(document.getElementById("questions"), { onChange: changed });
const recent = new Map();

let current = null;
let preloaded = null;
let sequence = 0;
let progress = boot.shown.progress;

const drafts = new Drafts({
  store,
  pairsUrl: urls.pairs,
  on: {
    saving: () => screen.saving(),
    saved: () => {
      screen.withdraw("offline");
      screen.saved();
    },
    keptHere,
    overtaken: (shown) => {
      if (shown !== current) return;
      screen.keptHere("open in another tab");
      screen.notice("overtaken", "This pair was changed in another tab. Those answers are kept on the server.", [
        { words: "Show them", main: true, run: () => reloadPair(shown) },
        { words: "Go on with mine", run: () => goOnWithMine() },
      ]);
    },
    refused: hindered,
  },
});

const queue = new Queue({
  store,
  pairsUrl: urls.pairs,
  lockName: `tiebreak:${boot.place}`,
  besides: () => [current, preloaded].filter(Boolean).map((shown) => shown.pair.assignment),
  on: {
    stored: (entry, answer) => {
      store.dropDraft(entry.assignment);
      screen.saved();
      if (answer.feedback) tell(answer.feedback, answer.next);
      else take(answer.next);
    },
    refused: notStored,
    waiting: keptHere,
    drained: () => {
      screen.withdraw("offline");
      if (!current && !boot.training) lookForNext();
    },
  },
});

// ---- the present pair

function show(shown) {
  current = shown;
  screen.leaveState();
  recent.set(shown.pair.assignment, shown);
  if (recent.size > 5) recent.delete(recent.keys().next().value);
  const given = drafts.newest(shown);
  sequence = given.sequence;
  panes.show(shown.pair);
  form.fill(given);
  clock.start(given);
  closeComment();
  form.goToFirst();
  count();
  // What only this device knows goes to the server as well.
  if (given.sequence > shown.sequence) drafts.keep(shown, given);
}

function changed() {
  if (!current) return;
  drafts.keep(current, given());
}

function given() {
  sequence += 1;
  const { seconds, idle } = clock.read();
  return { ...form.read(), sequence, seconds, idle };
}

function count() {
  const waiting = queue.entries.filter((entry) => entry.counts).length;
  const { total } = progress;
  const done = Math.min(progress.done + waiting, total || Infinity);
  screen.progress(done, total);
  if (current) screen.announce(total ? `Pair ${Math.min(done + 1, total)} of ${total}` : `Pair ${done + 1}`);
}

// ---- submitting and going on

function submit() {
  if (!current) return;
  const missing = form.missing();
  if (missing.length) {
    form.markMissing();
    form.goTo(missing[0]);
    screen.announce(missing.length === 1 ? "1 question needs an answer" : `${missing.length} questions need an answer`);
    return;
  }
  drafts.forget();
  const { answers, comment, flagged, seconds, idle } = given();
  queue.add({
    assignment: current.pair.assignment,
    client_key: newKey(),
    seen_revision: current.revision,
    counts: !current.submitted,
    answers,
    comment,
    flagged,
    seconds,
    idle_seconds: idle,
  });
  screen.saving();
  history.replaceState(null, "", urls.label);
  const next = boot.training ? null : preloaded;
  current = preloaded = null;
  if (next) show(next);
  else screen.state("Loading the next pair", "Your answer is kept on this device and is being sent.");
  count();
  queue.flush();
  offerPause();
}

// In training each answer is talked over before the next pair comes.
function tell(feedback, next) {
  const words = form.wordsOf(boot.shown.pair.primary, feedback.expected);
  const title = feedback.right ? "As expected" : `Not as expected: ${words}`;
  screen.state(title, feedback.why, [{ words: "Go on", main: true, run: () => take(next) }]);
}

// A pair or a state from the server, as the answer to whatever asked for it.
function take(shown) {
  progress = shown.progress;
  count();
  if (shown.state === "pair") {
    if (!current) show(shown);
    else if (shown.pair.assignment !== current.pair.assignment) preloaded = shown;
  } else if (shown.state === "done") {
    if (!current && !queue.entries.length) location.assign(urls.label);
  } else {
    stopped(shown.state);
  }
}

async function lookForNext() {
  const held = [...queue.entries.map((entry) => entry.assignment), ...(current ? [current.pair.assignment] : [])];
  const query = new URLSearchParams([...new Set(held)].map((id) => ["besides", id]));
  try {
    take(await send("GET", `${urls.next}?${query}`));
  } catch (error) {
    if (error instanceof Offline) {
      if (!current) setTimeout(() => current || lookForNext(), 5_000);
      keptHere(error);
    } else {
      hindered(error);
    }
  }
}

async function undo() {
  const unsent = queue.takeBackUnsent();
  if (unsent && recent.has(unsent.assignment)) {
    const shown = recent.get(unsent.assignment);
    const { answers, comment, flagged, seconds, idle_seconds: idle } = unsent;
    sequence = (store.draft(unsent.assignment)?.sequence ?? shown.sequence) + 1;
    store.keepDraft(unsent.assignment, { answers, comment, flagged, seconds, idle, sequence, revision: shown.revision });
    goBackTo(shown);
    return;
  }
  if (unsent) queue.add(unsent);
  if (queue.entries.length) {
    await queue.flush();
    if (queue.entries.length) {
      screen.notice("undo", "The last answer is on its way and cannot be taken back before it has arrived.", [{ words: "Close" }]);
      return;
    }
  }
  try {
    goBackTo(await send("POST", urls.undo));
  } catch (error) {
    if (error instanceof Offline) screen.notice("undo", "Undo needs the connection. Nothing was changed.", [{ words: "Close" }]);
    else if (error.code === "nothing_to_undo") screen.notice("undo", error.message, [{ words: "Close" }]);
    else hindered(error);
  }
}

function goBackTo(shown) {
  drafts.save();
  if (current && current.pair.assignment !== shown.pair.assignment) preloaded = current;
  progress = shown.progress;
  show(shown);
}

// ---- what stands in the way

function keptHere(error) {
  const waiting = queue.entries.length;
  const words = waiting ? `kept on this device, ${waiting} waiting` : "kept on this device";
  if (error.code === "signed_out") {
    screen.keptHere(`signed out: ${words}`);
    screen.notice("offline", error.message, [
      { words: "Sign in again", main: true, run: () => location.assign(`${urls.sign_in}?next=${encodeURIComponent(urls.label)}`) },
    ]);
  } else if (error.code) {
    screen.keptHere(words);
    screen.notice("offline", error.message, [{ words: "Reload the page", main: true, run: () => location.reload() }]);
  } else {
    screen.keptHere(`offline: ${words}`);
  }
  if (!current) {
    screen.state("No connection", `${words[0].toUpperCase()}${words.slice(1)}. The next pair comes when the connection is back; nothing is lost.`);
  }
}

function hindered(refusal) {
  const states = { round_closed: "closed", place_ended: "ended" };
  if (states[refusal.code]) stopped(states[refusal.code]);
  else if (refusal.code === "assignment_released") leaseLost();
  else screen.notice("refused", refusal.message, [{ words: "Reload the page", main: true, run: () => location.reload() }]);
}

function stopped(state) {
  const reload = { words: "Go on", main: true, run: () => location.assign(urls.label) };
  if (state === "training") {
    location.assign(urls.label);
  } else if (state === "guideline") {
    const read = { words: "Read the guideline", main: true, run: () => location.assign(urls.guideline) };
    screen.state("The guideline has changed", "Read it before you go on. What you answered so far is kept.", [read]);
  } else if (state === "closed") {
    screen.state("This round is closed", "What you submitted is kept. Nothing more is asked of you here.", [reload]);
  } else {
    screen.state("Your place in this round has ended", "What you submitted is kept.", [reload]);
  }
  current = null;
}

function leaseLost() {
  if (current) store.dropDraft(current.pair.assignment);
  current = null;
  screen.state("This pair was given to somebody else", "You were away for a while. What you submitted before is kept.", [
    { words: "Next pair", main: true, run: lookForNext },
  ]);
}

// A submission that the server will never take as it is: say so, and offer the way out that fits.
function notStored(entry, refusal) {
  count();
  const mine = { ...entry, client_key: newKey(), seen_revision: null, tried: false };
  if (refusal.code === "answered_elsewhere") {
    screen.notice(entry.client_key, "A pair was answered in another tab meanwhile. That answer is kept; the one given here was not stored.", [
      { words: "Leave it so" },
      {
        words: "Replace it with mine",
        run: () => {
          queue.add(mine);
          queue.flush();
        },
      },
    ]);
  } else if (["round_closed", "place_ended"].includes(refusal.code)) {
    screen.state("This round was closed", "An answer arrived too late and was not stored. What you submitted before is kept. Tell your coordinator if it matters.", [
      { words: "Go on", main: true, run: () => location.assign(urls.label) },
    ]);
    current = null;
    return;
  } else {
    const { answers, comment, flagged, seconds, idle_seconds: idle } = entry;
    store.keepDraft(entry.assignment, { answers, comment, flagged, seconds, idle, sequence: 2 ** 40, revision: entry.seen_revision });
    screen.notice(entry.client_key, `An answer was not stored: ${refusal.message} It is kept on this device.`, [
      { words: "Open the pair", main: true, run: () => location.assign(`${urls.label}pairs/${encodeURIComponent(entry.assignment)}/`) },
      { words: "Leave it" },
    ]);
  }
  if (!current) lookForNext();
}

function reloadPair(shown) {
  store.dropDraft(shown.pair.assignment);
  location.assign(urls.label);
}

function goOnWithMine() {
  // Past whatever the other tab has counted to.
  sequence = Date.now();
  changed();
}

// ---- comment, flag, dialogs, pause

const comment = document.getElementById("comment");
const commentButton = root.querySelector("[data-comment-button]");

function openComment() {
  comment.hidden = false;
  commentButton.setAttribute("aria-expanded", "true");
  form.comment.focus();
}

function closeComment() {
  comment.hidden = true;
  commentButton.setAttribute("aria-expanded", "false");
}

function leaveText() {
  if (!comment.hidden) {
    closeComment();
    form.goTo(form.current);
  } else if (document.activeElement?.matches("textarea")) {
    form.moveOn(form.current);
  }
}

function flag() {
  form.flag.checked = !form.flag.checked;
  form.flag.dispatchEvent(new Event("change", { bubbles: true }));
  screen.announce(form.flag.checked ? "Flagged" : "Flag taken off");
}

function dialog(name) {
  return root.querySelector(`[data-dialog="${name}"]`);
}

function pause() {
  clock.pause();
  drafts.save();
  dialog("pause").showModal();
}

function offerPause() {
  if (clock.sitting < PAUSE_AFTER || sessionStorage.getItem("tiebreak:pause-offered")) return;
  sessionStorage.setItem("tiebreak:pause-offered", "1");
  screen.notice("pause", "You have been working for 25 minutes. A short pause keeps judgement fresh.", [
    { words: "Pause", main: true, run: pause },
    { words: "Not now" },
  ]);
}

function wireSettings() {
  for (const box of root.querySelectorAll("[data-setting]")) {
    const name = box.dataset.setting;
    const apply = () => {
      root.classList.toggle("no-keys", !settings.get("keys", true));
      root.classList.toggle("is-mono", settings.get("mono", false));
    };
    box.checked = settings.get(name, box.checked);
    box.addEventListener("change", () => {
      settings.set(name, box.checked);
      apply();
    });
    apply();
  }
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// ---- start

root.classList.add("js");
for (const hidden of root.querySelectorAll("[data-help], [data-pause], [data-comment-button]")) hidden.hidden = false;
wireSettings();
form.element.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
document.getElementById("undo").addEventListener("submit", (event) => {
  event.preventDefault();
  undo();
});
commentButton.addEventListener("click", () => (comment.hidden ? openComment() : leaveText()));
// After a button was used with the pointer, the keys belong to the questions again; Enter must not press it once more.
root.querySelector("[data-panes-bar]").addEventListener("click", (event) => {
  if (event.detail > 0 && current) form.goTo(form.current);
});
root.querySelector("[data-help]").addEventListener("click", () => dialog("help").showModal());
root.querySelector("[data-pause]").addEventListener("click", pause);
root.querySelector("[data-guideline]").addEventListener("click", (event) => {
  event.preventDefault();
  dialog("guideline").showModal();
});
dialog("pause").addEventListener("close", () => {
  clock.goOn();
  if (current) form.goTo(form.current);
});
listen({
  form,
  screen,
  actions: { submit, undo, flag, leaveText, comment: openComment, help: () => dialog("help").showModal() },
});
addEventListener("online", () => {
  queue.flush();
  drafts.save();
});
addEventListener("focus", () => queue.entries.length && queue.flush());
addEventListener("pagehide", () => {
  if (current && !current.submitted) drafts.save({ keepalive: true });
});
addEventListener("pageshow", (event) => event.persisted && location.reload());
document.addEventListener("visibilitychange", () => document.hidden && drafts.save({ keepalive: true }));

if (queue.entries.some((entry) => entry.assignment === boot.shown.pair.assignment)) {
  // This very pair is on its way already: it was submitted here before the page was loaded again.
  screen.state("Sending what waits", "Your answers are kept on this device and are being sent.");
  queue.flush();
} else {
  show(boot.shown);
  queue.flush();
  if (!boot.training) lookForNext();
}
