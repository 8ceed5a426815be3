/** What a keyboard without keys did to a text: so many characters taken back, and these written. */

export interface TextEdit {
  back: number;
  text: string;
}

/** In characters as people count them. */
export function diffText(before: string, after: string): TextEdit {
  const [old, now] = [[...before], [...after]];
  let same = 0;
  while (same < old.length && old[same] === now[same]) same += 1;
  return { back: old.length - same, text: now.slice(same).join('') };
}
