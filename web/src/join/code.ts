/** Reads the nine digits of an invitation from typed or pasted text, and formats them in groups. */

const codeLength = 9;

/** Finds the code in a text: digits with spaces or dashes, or the address of an invitation. */
export function codeIn(text: string): string | undefined {
  const fromAddress = /\/i\/(\d{9})(?!\d)/.exec(text)?.[1];
  // In other texts, digits such as a port or a year are not part of a code.
  const digits = fromAddress ?? (/^[\d\s.–-]*$/.test(text) ? text.replace(/\D/g, '') : '');
  return digits.length === codeLength ? digits : undefined;
}

/** Formats the digits in groups of three, also while they are being typed. */
export const grouped = (text: string): string =>
  (codeIn(text) ?? text.replace(/\D/g, '').slice(0, codeLength)).replace(/(\d{3})(?=\d)/g, '$1 ');
