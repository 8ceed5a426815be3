/** The nine digits of an invitation: read out of whatever was typed or pasted, and written as people read them aloud. */

export const codeLength = 9;

/** The code in a text that holds one: with spaces, with dashes, or as the whole address of an invitation. */
export function codeIn(text: string): string | undefined {
  const fromAddress = /\/i\/(\d{9})(?!\d)/.exec(text)?.[1];
  // A port or a year in some other text is no part of a code.
  const digits = fromAddress ?? (/^[\d\s.–-]*$/.test(text) ? text.replace(/\D/g, '') : '');
  return digits.length === codeLength ? digits : undefined;
}

/** In groups of three, also while it is being written. */
export const grouped = (text: string): string =>
  (codeIn(text) ?? text.replace(/\D/g, '').slice(0, codeLength)).replace(/(\d{3})(?=\d)/g, '$1 ');
