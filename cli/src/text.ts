/** Formats values for a terminal: sanitizes, measures and truncates them. */

/** Replaces control and format characters, because names come from devices and could contain terminal sequences. */
export const sanitize = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD');

const wideCharacter =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uFF01-\uFF60]/u;

const cellsOf = (character: string): number =>
  /\p{M}/u.test(character) ? 0 : wideCharacter.test(character) ? 2 : 1;

/** The number of terminal cells a text occupies. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + cellsOf(character), 0);

export const padToWidth = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

export function truncateToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let taken = 1;
  for (const character of text) {
    taken += cellsOf(character);
    if (taken > width) break;
    kept += character;
  }
  return `${kept}…`;
}

const times = new Set(['time', 'start', 'stop', 'expires', 'resets', 'last_used']);
const isTime = (name: string): boolean => times.has(name) || name.endsWith('_time');

/** Formats one value for people. The last part of its name tells whether a number is a time. */
export function valueText(name: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && isTime(name.slice(name.lastIndexOf('.') + 1))) return timeText(value);
  if (Array.isArray(value))
    return value.length === 0 ? '-' : value.map((item) => valueText('', item)).join(', ');
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, inner]) => valueText(key, inner))
      .join(' ');
  }
  return sanitize(typeof value === 'string' ? value : JSON.stringify(value));
}

function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (seconds === 0 || Number.isNaN(date.getTime())) return '-';
  return date.toISOString().replace('T', ' ').replace('.000', '');
}
