// Time on task. What passes without any sign of a person, or with the page out of sight, counts as idle.

const IDLE_AFTER = 120_000;
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart", "scroll"];

export class Clock {
  constructor() {
    this.active = 0;
    this.idle = 0;
    this.sitting = 0;
    this.last = Date.now();
    this.paused = false;
    for (const sign of SIGNS) {
      document.addEventListener(sign, () => this.touch(), { passive: true, capture: true });
    }
    document.addEventListener("visibilitychange", () => this.#pass(document.hidden));
  }

  // A new pair, going on from the times (in seconds) that this device kept of it.
  start({ seconds = 0, idle = 0 } = {}) {
    this.touch();
    this.active = seconds * 1000;
    this.idle = idle * 1000;
  }

  touch() {
    this.#pass(true);
  }

  pause() {
    this.touch();
    this.paused = true;
  }

  goOn() {
    this.last = Date.now();
    this.paused = false;
    this.sitting = 0;
  }

  // {seconds, idle} until now.
  read() {
    this.#pass(!document.hidden);
    return { seconds: Math.round(this.active / 100) / 10, idle: Math.round(this.idle / 100) / 10 };
  }

  // The time since the last look is active if somebody was there, and idle otherwise.
  #pass(present) {
    const now = Date.now();
    const gap = Math.max(0, now - this.last);
    this.last = now;
    if (this.paused) return;
    if (present && gap <= IDLE_AFTER) {
      this.active += gap;
      this.sitting += gap;
    } else {
      this.idle += gap;
    }
  }
}
