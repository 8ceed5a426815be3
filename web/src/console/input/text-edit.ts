/** The difference between two texts, as a number of backspaces and the text typed after them. */

export interface TextEdit {
  back: number;
  text: string;
}

/** Counts code points, not UTF-16 units. */
export function diffText(before: string, after: string): TextEdit {
  const [old, now] = [[...before], [...after]];
  let same = 0;
  while (same < old.length && old[same] === now[same]) same += 1;
  return { back: old.length - same, text: now.slice(same).join('') };
}
