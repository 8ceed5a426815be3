/** Suggests a known word for an unknown one. */

/** The number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      row[j] = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + same, swapped);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** The closest known word, if it is close enough to be a typing error. */
function closestWord(word: string, known: string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, steps: editDistance(word, candidate) }))
    .toSorted((a, b) => a.steps - b.steps);
  const best = ranked[0];
  return best && best.steps <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

export const suggestion = (word: string, known: string[], prefix = ''): string => {
  const closest = closestWord(word, known);
  return closest === undefined ? '' : ` Did you mean ${prefix}${closest}?`;
};
