// The annotator's desk: the present pair, the next one held ready, and the way from one to the other.

import { Drafts } from "./draft.js";
import { Obstacles } from "./obstacles.js";
import { asDraft, Queue } from "./queue.js";
import { Offline, send } from "./wire.js";

const HELD_FOR_UNDO = 5;
const LOOK_AGAIN = 5_000;

export class Desk {
  // onShow(): a pair came on the desk. onSubmit(): one left it.
  constructor({ boot, store, form, panes, clock, screen, onShow, onSubmit }) {
    Object.assign(this, { store, form, panes, clock, screen, onShow, onSubmit });
    this.urls = boot.urls;
    this.training = boot.training;
    this.primary = boot.shown.pair.primary;
    this.progress = boot.shown.progress;
    this.current = null;
    this.preloaded = null;
    this.sequence = 0;
    this.recent = new Map();
    this.obstacles = new Obstacles(this);
    this.drafts = new Drafts({
      store,
      pairsUrl: this.urls.pairs,
      on: {
        saving: () => screen.saving(),
        saved: () => {
          screen.withdraw("offline");
          screen.saved();
        },
        keptHere: (error) => this.obstacles.keptHere(error),
        overtaken: (shown) => this.obstacles.overtaken(shown),
        refused: (refusal) => this.obstacles.hindered(refusal),
      },
    });
    this.queue = new Queue({
      store,
      pairsUrl: this.urls.pairs,
      lockName: `tiebreak:${boot.place}`,
      besides: () => [this.current, this.preloaded].filter(Boolean).map((shown) => shown.pair.assignment),
      on: {
        stored: (entry, answer) => this.#stored(entry, answer),
        refused: (entry, refusal) => this.obstacles.notStored(entry, refusal),
        waiting: (error) => this.obstacles.keptHere(error),
        drained: () => {
          screen.withdraw("offline");
          if (!this.current && !this.training) this.lookForNext();
        },
      },
    });
  }

  start(shown) {
    const onItsWay = this.queue.entries.some((entry) => entry.assignment === shown.pair.assignment);
    if (onItsWay) {
      // This very pair was submitted here before the page was loaded again.
      this.screen.state("Sending what waits", "Your answers are kept on this device and are being sent.");
      this.queue.flush();
      return;
    }
    if (this.store.storedRevision(shown.pair.assignment) > shown.revision) {
      // The page was made a moment before its pair arrived from here.
      this.screen.state("Loading the next pair", "Your last answer was stored.");
      this.lookForNext();
      return;
    }
    this.show(shown);
    this.queue.flush();
    if (!this.training) this.lookForNext();
  }

  show(shown) {
    this.current = shown;
    this.screen.leaveState();
    this.recent.set(shown.pair.assignment, shown);
    if (this.recent.size > HELD_FOR_UNDO) this.recent.delete(this.recent.keys().next().value);
    const given = this.drafts.newest(shown);
    this.sequence = given.sequence;
    this.panes.show(shown.pair);
    this.form.fill(given);
    this.clock.start(given);
    this.onShow();
    this.form.goToFirst();
    this.count();
    // What only this device knows goes to the server as well.
    if (given.sequence > shown.sequence) this.drafts.keep(shown, given);
  }

  changed() {
    if (this.current) this.drafts.keep(this.current, this.#given());
  }

  // Everything answered leaves for the queue; something missing is gone to instead.
  submit() {
    if (!this.current) return;
    const missing = this.form.missing();
    if (missing.length) {
      this.form.markMissing();
      this.form.goTo(missing[0]);
      this.screen.announce(`${missing.length} to answer`);
      return;
    }
    this.drafts.forget();
    const { answers, comment, flagged, seconds, idle } = this.#given();
    this.queue.add({
      assignment: this.current.pair.assignment,
      client_key: newKey(),
      seen_revision: this.current.revision,
      counts: !this.current.submitted,
      answers,
      comment,
      flagged,
      seconds,
      idle_seconds: idle,
    });
    this.screen.saving();
    history.replaceState(null, "", this.urls.label);
    const next = this.training ? null : this.preloaded;
    this.current = this.preloaded = null;
    if (next) this.show(next);
    else this.screen.state("Loading the next pair", "Your answer is kept on this device and is being sent.");
    this.count();
    this.queue.flush();
    this.onSubmit();
  }

  // A pair or a state from the server, as the answer to whatever asked for it.
  take(shown) {
    this.progress = shown.progress;
    this.count();
    if (shown.state === "pair") {
      if (!this.current) this.show(shown);
      else if (shown.pair.assignment !== this.current.pair.assignment) this.preloaded = shown;
    } else if (shown.state === "done") {
      if (!this.current && !this.queue.entries.length) location.assign(this.urls.label);
    } else {
      this.obstacles.stopped(shown.state);
    }
  }

  async lookForNext() {
    const held = [...this.queue.entries.map((entry) => entry.assignment)];
    if (this.current) held.push(this.current.pair.assignment);
    const query = new URLSearchParams([...new Set(held)].map((id) => ["besides", id]));
    try {
      this.take(await send("GET", `${this.urls.next}?${query}`));
    } catch (error) {
      if (error instanceof Offline) {
        if (!this.current) setTimeout(() => this.current || this.lookForNext(), LOOK_AGAIN);
        this.obstacles.keptHere(error);
      } else {
        this.obstacles.hindered(error);
      }
    }
  }

  // Takes back the last submission: from the queue if it never left this device, else from the server.
  async undo() {
    const unsent = this.queue.takeBackUnsent();
    if (unsent && this.recent.has(unsent.assignment)) {
      const shown = this.recent.get(unsent.assignment);
      const last = this.store.draft(unsent.assignment)?.sequence ?? shown.sequence;
      this.store.keepDraft(unsent.assignment, asDraft(unsent, { sequence: last + 1, revision: shown.revision }));
      this.#goBackTo({ ...shown, progress: this.progress });
      return;
    }
    if (unsent) this.queue.add(unsent);
    if (this.queue.entries.length) await this.queue.flush();
    if (this.queue.entries.length) {
      this.screen.tell("undo", "The last answer is on its way and cannot be taken back before it has arrived.");
      return;
    }
    try {
      this.#goBackTo(await send("POST", this.urls.undo));
    } catch (error) {
      if (error instanceof Offline) this.screen.tell("undo", "Undo needs the connection. Nothing was changed.");
      else if (error.code === "nothing_to_undo") this.screen.tell("undo", error.message);
      else this.obstacles.hindered(error);
    }
  }

  // Sends an answer anew, over the one that was stored from elsewhere.
  sendOver(entry) {
    this.queue.add({ ...entry, client_key: newKey(), seen_revision: null, tried: false });
    this.queue.flush();
  }

  // The pair leaves the desk without a submission.
  clear() {
    this.current = null;
  }

  // Past whatever another tab has counted to.
  insist() {
    this.sequence = Date.now();
    this.changed();
  }

  count() {
    const waiting = this.queue.entries.filter((entry) => entry.counts).length;
    const { total } = this.progress;
    const done = Math.min(this.progress.done + waiting, total || Infinity);
    this.screen.progress(done, total);
    if (this.current) this.screen.announce(total ? `Pair ${Math.min(done + 1, total)} of ${total}` : `Pair ${done + 1}`);
  }

  #stored(entry, answer) {
    this.store.noteStored(entry.assignment, answer.revision);
    this.store.dropDraft(entry.assignment);
    this.screen.saved();
    if (!answer.feedback) {
      this.take(answer.next);
      return;
    }
    // In training each answer is talked over before the next pair comes.
    const { right, expected, why } = answer.feedback;
    const title = right ? "As expected" : `Not as expected: ${this.form.wordsOf(this.primary, expected)}`;
    this.screen.state(title, why, [{ words: "Go on", main: true, run: () => this.take(answer.next) }]);
  }

  #goBackTo(shown) {
    this.drafts.save();
    if (this.current && this.current.pair.assignment !== shown.pair.assignment) this.preloaded = this.current;
    this.progress = shown.progress;
    this.show(shown);
  }

  #given() {
    this.sequence += 1;
    const { seconds, idle } = this.clock.read();
    return { ...this.form.read(), sequence: this.sequence, seconds, idle };
  }
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
