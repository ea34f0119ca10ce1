// What this device keeps: drafts, the queue of submissions and a few settings. Private windows may keep nothing;
// then memory stands in, and work goes on.

const MOST_REMEMBERED = 20;
const memory = new Map();

function read(key) {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key, text) {
  memory.set(key, text);
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function remove(key) {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept, so nothing is to be removed.
  }
}

function parsed(text, otherwise) {
  try {
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export class Store {
  constructor(place) {
    this.prefix = `tiebreak:${place}:`;
  }

  draft(assignment) {
    return parsed(read(`${this.prefix}draft:${assignment}`), null);
  }

  keepDraft(assignment, draft) {
    return write(`${this.prefix}draft:${assignment}`, JSON.stringify(draft));
  }

  dropDraft(assignment) {
    remove(`${this.prefix}draft:${assignment}`);
  }

  // The revision under which the server stored a pair last, as far as this device remembers; 0 for the rest.
  storedRevision(assignment) {
    return Object.fromEntries(parsed(read(`${this.prefix}stored`), []))[assignment] ?? 0;
  }

  noteStored(assignment, revision) {
    const others = parsed(read(`${this.prefix}stored`), []).filter(([id]) => id !== assignment);
    write(`${this.prefix}stored`, JSON.stringify([...others, [assignment, revision]].slice(-MOST_REMEMBERED)));
  }

  // Read afresh each time: another tab may have sent some of it.
  queue() {
    return parsed(read(`${this.prefix}queue`), []);
  }

  keepQueue(entries) {
    if (entries.length) write(`${this.prefix}queue`, JSON.stringify(entries));
    else remove(`${this.prefix}queue`);
  }
}

export const settings = {
  get(name, otherwise) {
    return parsed(read(`tiebreak:setting:${name}`), otherwise);
  },
  set(name, value) {
    write(`tiebreak:setting:${name}`, JSON.stringify(value));
  },
};
