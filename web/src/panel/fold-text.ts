/** Makes texts comparable for people who search: in any script, whatever the case, width or spelling of the letters. */

const asciiOnly = /^[\x20-\x7e]*$/;

/**
 * Upper and then lower case, so that ß meets ss and ı meets i; the final sigma is a sigma, and the dot that a capital İ
 * leaves behind is no letter.
 */
export function foldText(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replaceAll('\u0307', '');
}
