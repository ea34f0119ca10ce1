// What may stand in the way: a broken connection, another tab, a round that ended. Each is told with what was kept
// and what can be done.

import { asDraft } from "./queue.js";

// A draft that was a submission once outranks every save before it.
const OUTRANKS = 2 ** 40;

export class Obstacles {
  constructor(desk) {
    this.desk = desk;
    this.screen = desk.screen;
    this.urls = desk.urls;
  }

  // Nothing reached the server; all of it is on this device.
  keptHere(error) {
    const waiting = this.desk.queue.entries.length;
    const words = waiting ? `kept on this device, ${waiting} waiting` : "kept on this device";
    if (error.code === "signed_out") {
      this.screen.keptHere(`signed out: ${words}`);
      const signIn = `${this.urls.sign_in}?next=${encodeURIComponent(this.urls.label)}`;
      this.screen.notice("offline", error.message, [go("Sign in again", signIn)]);
    } else if (error.code) {
      this.screen.keptHere(words);
      this.screen.notice("offline", error.message, [reload()]);
    } else {
      this.screen.keptHere(`offline: ${words}`);
    }
    if (!this.desk.current) {
      const kept = `${words[0].toUpperCase()}${words.slice(1)}.`;
      this.screen.state("No connection", `${kept} The next pair comes when the connection is back; nothing is lost.`);
    }
  }

  // The server refused something other than a submission.
  hindered(refusal) {
    const ended = { round_closed: "closed", place_ended: "ended", training_not_passed: "training" }[refusal.code];
    if (ended) this.stopped(ended);
    else if (refusal.code === "assignment_released") this.#givenAway();
    else this.screen.notice("refused", refusal.message, [reload()]);
  }

  // There is no next pair, for a reason.
  stopped(state) {
    this.desk.clear();
    if (state === "guideline") {
      const read = go("Read the guideline", this.urls.guideline);
      this.screen.state("The guideline has changed", "Read it before you go on. What you answered so far is kept.", [read]);
    } else if (state === "closed") {
      const words = "What you submitted is kept. Nothing more is asked of you here.";
      this.screen.state("This round is closed", words, [go("Go on", this.urls.label)]);
    } else if (state === "ended") {
      const words = "What you submitted is kept.";
      this.screen.state("Your place in this round has ended", words, [go("Go on", this.urls.label)]);
    } else {
      location.assign(this.urls.label);
    }
  }

  // A later draft of this pair came from another tab.
  overtaken(shown) {
    if (shown !== this.desk.current) return;
    this.screen.keptHere("open in another tab");
    const showThem = () => {
      this.desk.store.dropDraft(shown.pair.assignment);
      location.assign(this.urls.label);
    };
    this.screen.notice("overtaken", "This pair was changed in another tab. Those answers are kept on the server.", [
      { words: "Show them", main: true, run: showThem },
      { words: "Go on with mine", run: () => this.desk.insist() },
    ]);
  }

  // A submission that the server will never take as it is.
  notStored(entry, refusal) {
    this.desk.count();
    if (refusal.code === "answered_elsewhere") {
      const words = "A pair was answered in another tab meanwhile. That answer is kept; the one given here was not stored.";
      this.screen.notice(entry.client_key, words, [
        { words: "Leave it so" },
        { words: "Replace it with mine", run: () => this.desk.sendOver(entry) },
      ]);
    } else {
      const draft = asDraft(entry, { sequence: OUTRANKS, revision: entry.seen_revision });
      this.desk.store.keepDraft(entry.assignment, draft);
      if (["round_closed", "place_ended"].includes(refusal.code)) {
        this.#tooLate();
        return;
      }
      const pair = `${this.urls.label}pairs/${encodeURIComponent(entry.assignment)}/`;
      this.screen.notice(entry.client_key, `An answer was not stored: ${refusal.message} It is kept on this device.`, [
        go("Open the pair", pair),
        { words: "Leave it" },
      ]);
    }
    if (!this.desk.current) this.desk.lookForNext();
  }

  #tooLate() {
    this.desk.clear();
    const words =
      "An answer arrived too late and was not stored; it is still on this device. What you submitted before is kept. " +
      "Tell your coordinator if it matters.";
    this.screen.state("This round is closed", words, [go("Go on", this.urls.label)]);
  }

  #givenAway() {
    if (this.desk.current) this.desk.store.dropDraft(this.desk.current.pair.assignment);
    this.desk.clear();
    const words = "You were away for a while. What you submitted before is kept.";
    const next = { words: "Next pair", main: true, run: () => this.desk.lookForNext() };
    this.screen.state("This pair was given to somebody else", words, [next]);
  }
}

function go(words, url) {
  return { words, main: true, run: () => location.assign(url) };
}

function reload() {
  return { words: "Reload the page", main: true, run: () => location.reload() };
}
