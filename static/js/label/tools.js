// What lies beside the questions: comment, flag, dialogs, the pause, and settings of this device.

import { settings } from "./store.js";

const PAUSE_AFTER = 25 * 60_000;
const OFFERED = "tiebreak:pause-offered";

export class Tools {
  // beforePause(): what is to be saved before somebody leaves.
  constructor(root, { form, clock, screen, beforePause }) {
    Object.assign(this, { root, form, clock, screen, beforePause });
    this.comment = root.querySelector("#comment");
    this.commentButton = root.querySelector("[data-comment-button]");
    for (const name of ["help", "pause", "comment-button"]) root.querySelector(`[data-${name}]`).hidden = false;
    this.commentButton.addEventListener("click", () => (this.comment.hidden ? this.openComment() : this.leaveText()));
    root.querySelector("[data-help]").addEventListener("click", () => this.help());
    root.querySelector("[data-pause]").addEventListener("click", () => this.pause());
    root.querySelector("[data-guideline]").addEventListener("click", (event) => {
      event.preventDefault();
      this.#dialog("guideline").showModal();
    });
    this.#dialog("pause").addEventListener("close", () => {
      clock.goOn();
      form.goTo(form.current);
    });
    for (const box of root.querySelectorAll("[data-setting]")) this.#setting(box);
  }

  openComment() {
    this.comment.hidden = false;
    this.commentButton.setAttribute("aria-expanded", "true");
    this.form.comment.focus();
  }

  closeComment() {
    this.comment.hidden = true;
    this.commentButton.setAttribute("aria-expanded", "false");
  }

  // Out of whatever is being typed, back to the questions.
  leaveText() {
    if (!this.comment.hidden) {
      this.closeComment();
      this.form.goTo(this.form.current);
    } else if (document.activeElement?.matches("textarea")) {
      this.form.moveOn(this.form.current);
    }
  }

  flag() {
    const { flag } = this.form;
    flag.checked = !flag.checked;
    flag.dispatchEvent(new Event("change", { bubbles: true }));
    this.screen.announce(flag.checked ? "Flagged" : "Flag taken off");
  }

  help() {
    this.#dialog("help").showModal();
  }

  pause() {
    this.clock.pause();
    this.beforePause();
    this.#dialog("pause").showModal();
  }

  // Once, after 25 minutes of work.
  offerPause() {
    if (this.clock.sitting < PAUSE_AFTER || sessionStorage.getItem(OFFERED)) return;
    sessionStorage.setItem(OFFERED, "1");
    this.screen.notice("pause", "You have been working for 25 minutes. A short pause keeps judgement fresh.", [
      { words: "Pause", main: true, run: () => this.pause() },
      { words: "Not now" },
    ]);
  }

  #dialog(name) {
    return this.root.querySelector(`[data-dialog="${name}"]`);
  }

  #setting(box) {
    const name = box.dataset.setting;
    const apply = () => {
      this.root.classList.toggle("no-keys", !settings.get("keys", true));
      this.root.classList.toggle("is-mono", settings.get("mono", false));
    };
    box.checked = settings.get(name, box.checked);
    box.addEventListener("change", () => {
      settings.set(name, box.checked);
      apply();
    });
    apply();
  }
}
