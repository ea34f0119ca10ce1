// On the page after the last pair: answers that still wait on this device are sent before anybody leaves.

import { Queue } from "./queue.js";
import { Store } from "./store.js";

const note = document.getElementById("leftover");
const { place, pairs } = note.dataset;
const store = new Store(place);
const sent = store.queue().length > 0;
const queue = new Queue({
  store,
  pairsUrl: pairs,
  lockName: `tiebreak:${place}`,
  besides: () => [],
  on: {
    stored: () => {},
    refused: (_, refusal) => {
      note.textContent = `An answer was not stored: ${refusal.message}`;
      note.hidden = false;
    },
    waiting: () => {
      note.hidden = false;
    },
    drained: () => sent && note.hidden && location.reload(),
  },
});
if (sent) queue.flush();
addEventListener("online", () => queue.flush());
