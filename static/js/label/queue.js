// Submissions on their way. Each has its own key, so that the server stores it once however often it arrives; it
// leaves this device only when the server has said that it is stored.

import { Offline, Refusal, send } from "./wire.js";

const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;

export class Queue {
  // besides(): ids the page holds. on: stored(entry, answer), refused(entry, refusal), waiting(error), drained().
  constructor({ store, pairsUrl, besides, on, lockName }) {
    Object.assign(this, { store, pairsUrl, besides, on, lockName });
    this.wait = FIRST_WAIT;
    this.timer = 0;
    this.running = null;
  }

  get entries() {
    return this.store.queue();
  }

  add(entry) {
    this.store.keepQueue([...this.entries, entry]);
  }

  // The last submission, if it never left this device.
  takeBackUnsent() {
    const entries = this.entries;
    const last = entries.at(-1);
    if (!last || last.tried) return null;
    this.store.keepQueue(entries.slice(0, -1));
    return last;
  }

  // Sends what waits, in order, one tab at a time. Resolves when it is done or has to wait.
  flush() {
    clearTimeout(this.timer);
    this.running ??= this.#locked(() => this.#sendAll()).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  #locked(work) {
    return navigator.locks ? navigator.locks.request(this.lockName, work) : work();
  }

  async #sendAll() {
    for (let entry = this.entries[0]; entry; entry = this.entries[0]) {
      try {
        this.#replace(entry.client_key, { ...entry, tried: true });
        const answer = await this.#post(entry);
        this.#replace(entry.client_key, null);
        this.wait = FIRST_WAIT;
        this.on.stored(entry, answer);
      } catch (error) {
        if (error instanceof Refusal && error.permanent) {
          this.#replace(entry.client_key, null);
          this.on.refused(entry, error);
        } else if (error instanceof Offline || error instanceof Refusal) {
          this.on.waiting(error);
          this.#tryLater();
          return;
        } else {
          throw error;
        }
      }
    }
    this.on.drained();
  }

  #post(entry) {
    const { assignment, tried: _tried, counts: _counts, ...body } = entry;
    const held = [...this.entries.map((each) => each.assignment), ...this.besides()];
    const besides = [...new Set(held)].filter((id) => id !== assignment).slice(-50);
    return send("POST", `${this.pairsUrl}${encodeURIComponent(assignment)}/submit`, { ...body, besides });
  }

  #replace(key, entry) {
    const rest = this.entries.map((each) => (each.client_key === key ? entry : each));
    this.store.keepQueue(rest.filter(Boolean));
  }

  #tryLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }
}

// A queued submission as the draft it came from.
export function asDraft(entry, { sequence, revision }) {
  const { answers, comment, flagged, seconds, idle_seconds: idle } = entry;
  return { answers, comment, flagged, seconds, idle, sequence, revision };
}
