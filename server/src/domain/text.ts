/** Text: how it is compared in any script, counted, truncated, and freed of characters that could deceive a reader. */

/**
 * Where "upper, then lower" differs from Unicode's simple case folding. The dotless i has no partner; the long st joins
 * st.
 */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['\u0131', '\u0131'],
  ['\ufb05', '\ufb06'],
]);

/** Cherokee got its small letters late: they fold to the capitals, so that text stored before stays unchanged. */
const smallCherokee = /^[\u13f8-\u13fd\uab70-\uabbf]$/;

const ascii = /^[\0-\x7f]*$/;

/** The same text for all spellings that differ only in case or composition. Folding never makes it longer (ß stays ß). */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  let folded = '';
  for (const letter of text.normalize('NFC')) folded += foldLetter(letter);
  // J + caron has no composed capital, but ǰ is composed: only after folding are the two spellings equal.
  return folded.normalize('NFC');
}

function foldLetter(letter: string): string {
  const exception = exceptions.get(letter);
  if (exception !== undefined) return exception;
  const upper = singleCharacterOf(letter.toUpperCase()) ?? letter;
  const lower = singleCharacterOf(upper.toLowerCase()) ?? upper;
  return smallCherokee.test(lower) ? upper : lower;
}

function singleCharacterOf(text: string): string | undefined {
  return text.length === 1 || (text.length === 2 && text.codePointAt(0)! > 0xffff) ? text : undefined;
}

/** A pattern for `like … escape '\'` on a folded column: % and _ in the search match themselves. */
export function likePattern(search: string): string {
  return `%${fold(search).replace(/[\\%_]/g, '\\$&')}%`;
}

/** Whether every database and screen accepts the text as it is: well-formed, without control characters. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** The number of characters as people count them: code points, not UTF-16 units. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** At most `max` UTF-16 units from the start, never half of a surrogate pair. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const splitsPair = max > 0 && text.codePointAt(max - 1)! > 0xffff;
  return text.slice(0, splitsPair ? max - 1 : max);
}

/**
 * Removes control characters, line separators and marks that reverse the reading direction from text that a device
 * sent.
 */
export function stripHostileCharacters(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '');
}
