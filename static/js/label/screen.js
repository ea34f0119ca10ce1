// What the page says about its own state: the saved line, notices over the page, and states in place of the pair.

export class Screen {
  constructor(root) {
    this.root = root;
    this.line = root.querySelector("[data-saved]");
    this.live = root.querySelector("[data-live]");
    this.notices = root.querySelector("[data-notices]");
    this.panel = root.querySelector("[data-state]");
    this.savedAt = 0;
    setInterval(() => this.#age(), 5_000);
  }

  // total is 0 where a round has no end of its own.
  progress(done, total) {
    const words = total ? `${done} / ${total}` : String(done);
    this.root.querySelector("[data-progress]").textContent = words;
    const bar = this.root.querySelector("[data-bar]");
    bar.max = total || 1;
    bar.value = done;
    document.title = document.title.replace(/^[^·]*/, `${words} `);
  }

  nothingToSave() {
    this.#say("", "");
  }

  saving() {
    this.#say("saving", "");
  }

  saved() {
    this.savedAt = Date.now();
    this.#say("saved just now", "");
  }

  keptHere(words) {
    this.#say(words, "warn");
    if (this.live.textContent !== words) this.announce(words);
  }

  announce(words) {
    this.live.textContent = words;
  }

  // In place of the pair. actions: [{words, run, main}]
  state(title, text, actions = []) {
    this.panel.querySelector("[data-state-title]").textContent = title;
    this.panel.querySelector("[data-state-text]").textContent = text;
    this.panel.querySelector("[data-state-actions]").replaceChildren(...actions.map(button));
    this.#show(true);
    this.panel.querySelector("button")?.focus();
  }

  get inState() {
    return !this.panel.hidden;
  }

  leaveState() {
    this.#show(false);
  }

  // Over the page, until it is answered. The same key replaces what stands there.
  notice(key, text, actions = []) {
    const box = document.createElement("div");
    box.className = "notice";
    box.dataset.key = key;
    const words = document.createElement("p");
    words.textContent = text;
    const row = document.createElement("div");
    row.className = "actions";
    const close = () => box.remove();
    row.append(...actions.map((action) => button({ ...action, after: close })));
    box.append(words, row);
    this.withdraw(key);
    this.notices.append(box);
  }

  // A notice with nothing to decide.
  tell(key, text) {
    this.notice(key, text, [{ words: "Close" }]);
  }

  withdraw(key) {
    for (const box of [...this.notices.children]) if (box.dataset.key === key) box.remove();
  }

  // What lies under a state can be neither read nor reached.
  #show(on) {
    this.panel.hidden = !on;
    for (const other of this.panel.parentElement.children) if (other !== this.panel) other.inert = on;
  }

  #say(words, kind) {
    this.line.textContent = words;
    this.line.dataset.kind = kind;
  }

  #age() {
    if (!this.line.textContent.startsWith("saved")) return;
    const seconds = Math.round((Date.now() - this.savedAt) / 1000);
    this.line.textContent = seconds < 60 ? `saved ${seconds} s ago` : `saved ${Math.floor(seconds / 60)} min ago`;
  }
}

function button({ words, run, main = false, after = () => {} }) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = main ? "button button--main" : "button";
  made.textContent = words;
  made.addEventListener("click", () => {
    after();
    run?.();
  });
  return made;
}
