// The task and the two texts: filled verbatim, scrolled together, switched on a phone, differences marked on request.

import { compare } from "./diff.js";
import { settings } from "./store.js";

export class Panes {
  constructor(root) {
    this.root = root;
    this.task = root.querySelector("[data-task]");
    this.context = root.querySelector("[data-context]");
    this.contextBox = root.querySelector("[data-context-box]");
    this.area = root.querySelector("[data-panes]");
    this.bar = root.querySelector("[data-panes-bar]");
    this.note = root.querySelector("[data-diff-note]");
    this.text = { A: root.querySelector('[data-side="A"]'), B: root.querySelector('[data-side="B"]') };
    this.pane = { A: root.querySelector('[data-pane="A"]'), B: root.querySelector('[data-pane="B"]') };
    this.verbatim = { A: this.text.A.textContent, B: this.text.B.textContent };
    this.bar.hidden = false;
    this.#toggle("sync", true, () => {});
    this.#toggle("diff", false, () => this.#draw());
    this.#switch();
    this.#scrollTogether();
  }

  show(pair) {
    this.task.textContent = pair.task;
    this.context.textContent = pair.context;
    this.contextBox.hidden = !pair.context;
    this.verbatim = { A: pair.a, B: pair.b };
    this.#draw();
    for (const side of ["A", "B"]) {
      this.pane[side].querySelector(".pane__empty").hidden = this.verbatim[side] !== "";
      this.#place(side, 0);
    }
    this.task.closest("section").scrollTop = 0;
  }

  #draw() {
    const { A, B } = this.verbatim;
    this.note.textContent = "";
    if (!settings.get("diff", false) || !A || !B) {
      this.text.A.textContent = A;
      this.text.B.textContent = B;
      return;
    }
    const found = compare(A, B);
    this.text.A.replaceChildren(...found.a.map(drawn));
    this.text.B.replaceChildren(...found.b.map(drawn));
    if (found.wide) this.note.textContent = "The texts differ widely: words that only one side has are marked.";
    else if (A === B) this.note.textContent = "The two texts are the same, letter for letter.";
  }

  #toggle(name, standard, then) {
    const button = this.bar.querySelector(`[data-toggle="${name}"]`);
    const set = (on) => {
      button.setAttribute("aria-pressed", String(on));
      settings.set(name, on);
      then();
    };
    set(settings.get(name, standard));
    button.addEventListener("click", () => set(button.getAttribute("aria-pressed") !== "true"));
  }

  #switch() {
    const buttons = [...this.bar.querySelectorAll("button[data-only]")];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
        if (button.dataset.only) this.area.dataset.only = button.dataset.only;
        else delete this.area.dataset.only;
      });
    }
  }

  // Both panes stand at the same share of their height. The one that is moved by us does not move us back.
  #scrollTogether() {
    this.placed = {};
    for (const [side, other] of [["A", "B"], ["B", "A"]]) {
      this.pane[side].addEventListener("scroll", () => {
        const top = this.pane[side].scrollTop;
        if (Math.abs(top - (this.placed[side] ?? -10)) < 2) return;
        delete this.placed[side];
        if (!settings.get("sync", true) || this.area.dataset.only) return;
        const room = this.pane[side].scrollHeight - this.pane[side].clientHeight;
        const otherRoom = this.pane[other].scrollHeight - this.pane[other].clientHeight;
        if (room > 0) this.#place(other, Math.round((top / room) * otherRoom));
      });
    }
  }

  #place(side, top) {
    this.pane[side].scrollTop = top;
    this.placed[side] = this.pane[side].scrollTop;
  }
}

function drawn(piece) {
  if (!piece.changed) return document.createTextNode(piece.text);
  const mark = document.createElement("mark");
  mark.textContent = piece.text;
  return mark;
}
