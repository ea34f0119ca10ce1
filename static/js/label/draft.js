// Unfinished answers: at once on this device, a moment later on the server. A save that was overtaken never wins,
// because each carries its own number and the label revision it started from.

import { Offline, send } from "./wire.js";

const AFTER = 1_000;

export class Drafts {
  // on: saving(), saved(), keptHere(), overtaken(), refused(refusal)
  constructor({ store, pairsUrl, on }) {
    Object.assign(this, { store, pairsUrl, on });
    this.timer = 0;
    this.waiting = null;
  }

  // What this device knows better than the server: its own later draft of the same revision.
  newest(shown) {
    const kept = this.store.draft(shown.pair.assignment);
    const usable = kept && kept.revision === shown.revision && kept.sequence >= shown.sequence;
    const { answers, comment } = shown.pair;
    return usable ? kept : { answers, comment, flagged: shown.flagged, sequence: shown.sequence, seconds: 0, idle: 0 };
  }

  keep(shown, given) {
    this.store.keepDraft(shown.pair.assignment, { ...given, revision: shown.revision });
    if (shown.submitted) return;
    this.waiting = { shown, given };
    this.on.saving();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), AFTER);
  }

  // Nothing more to save of this pair: it is being submitted.
  forget() {
    clearTimeout(this.timer);
    this.waiting = null;
  }

  async save({ keepalive = false } = {}) {
    clearTimeout(this.timer);
    const job = this.waiting;
    if (!job) return;
    this.waiting = null;
    const { answers, comment, flagged, sequence } = job.given;
    const { revision } = job.shown;
    const url = `${this.pairsUrl}${encodeURIComponent(job.shown.pair.assignment)}/draft`;
    try {
      const { kept } = await send("PUT", url, { answers, comment, flagged, sequence, revision }, { keepalive });
      if (this.waiting) return;
      if (kept) this.on.saved();
      else this.on.overtaken(job.shown);
    } catch (error) {
      if (error instanceof Offline || !error.permanent) {
        // A later change may be waiting already; then that one is sent.
        this.waiting ??= job;
        this.timer = setTimeout(() => this.save(), 10 * AFTER);
        this.on.keptHere(error);
      } else {
        this.on.refused(error);
      }
    }
  }
}
