// Which words of two texts differ. Pure: texts in, pieces out.

const MOST_EDITS = 1_500;

export function tokens(text) {
  return text.match(/\s+|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu) ?? [];
}

// {a, b, wide}: each side as [{text, changed}] that join to the text. wide: too different for a true comparison,
// so that only words which the other side lacks are marked.
export function compare(textA, textB) {
  const a = tokens(textA);
  const b = tokens(textB);
  const wordsA = a.filter(isWord);
  const wordsB = b.filter(isWord);
  const kept = common(wordsA, wordsB);
  if (kept) return { a: pieces(a, kept.a), b: pieces(b, kept.b), wide: false };
  const inA = new Set(wordsA);
  const inB = new Set(wordsB);
  return {
    a: pieces(a, wordsA.map((word) => inB.has(word))),
    b: pieces(b, wordsB.map((word) => inA.has(word))),
    wide: true,
  };
}

function isWord(token) {
  return !/^\s/u.test(token);
}

// For each word of both sides whether it is part of a longest common subsequence; null where they differ too much.
function common(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const middle = shortestEdit(a.slice(start, a.length - end), b.slice(start, b.length - end));
  if (!middle) return null;
  const same = (count) => Array(count).fill(true);
  return {
    a: [...same(start), ...middle.a, ...same(end)],
    b: [...same(start), ...middle.b, ...same(end)],
  };
}

// Myers' greedy search: furthest reaching paths per number of edits, then the way back.
function shortestEdit(a, b) {
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const offset = most + 1;
  const furthest = new Int32Array(2 * offset + 1);
  const trace = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(furthest.slice(offset - edits - 1, offset + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && furthest[offset + k - 1] < furthest[offset + k + 1]);
      let x = down ? furthest[offset + k + 1] : furthest[offset + k - 1] + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x += 1;
        y += 1;
      }
      furthest[offset + k] = x;
      if (x >= a.length && y >= b.length) return wayBack(a.length, b.length, trace);
    }
  }
  return null;
}

function wayBack(lengthA, lengthB, trace) {
  const keptA = Array(lengthA).fill(false);
  const keptB = Array(lengthB).fill(false);
  let x = lengthA;
  let y = lengthB;
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reach = (k) => trace[edits][k + edits + 1];
    const k = x - y;
    const down = k === -edits || (k !== edits && reach(k - 1) < reach(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : reach(fromK);
    const fromY = edits === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      keptA[x] = true;
      keptB[y] = true;
    }
    x = fromX;
    y = fromY;
  }
  return { a: keptA, b: keptB };
}

// Neighbouring changed words become one piece, the space between them included.
function pieces(all, kept) {
  const found = [];
  let word = 0;
  for (const [place, token] of all.entries()) {
    let changed = false;
    if (isWord(token)) {
      changed = !kept[word];
      word += 1;
    } else {
      const next = all[place + 1];
      changed = Boolean(found.at(-1)?.changed) && next !== undefined && !kept[word];
    }
    if (found.at(-1)?.changed === changed) found.at(-1).text += token;
    else found.push({ text: token, changed });
  }
  return found;
}
