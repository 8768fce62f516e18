/**
 * The known name that an unknown one most likely stands for: the one at the fewest edits (insertions, deletions,
 * substitutions and swaps of neighbours; case apart), when these are at most a third of its letters.
 * Source: Damerau 1964, "A technique for computer detection and correction of spelling errors", doi:10.1145/363958.363994
 * (optimal string alignment). Cost: product of the lengths, for each known name. Tested by suggest-name.test.ts.
 */

/** Longer names are not compared. */
const MAX_LENGTH = 64;

export function suggestName(name: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let fewest = Infinity;
  for (const candidate of known) {
    if (candidate === name || Math.max(name.length, candidate.length) > MAX_LENGTH) continue;
    const most = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const edits = countEdits(name.toLowerCase(), candidate.toLowerCase());
    if (edits <= most && edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** ` (did you mean "pose"?)`, or nothing. */
export function suggestionText(name: string, known: Iterable<string>): string {
  const suggestion = suggestName(name, known);
  return suggestion === null ? '' : ` (did you mean "${suggestion}"?)`;
}

function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length];
}
