/** Folds texts for searching, so that case, width and Unicode composition do not matter in any script. */

const asciiOnly = /^[\x20-\x7e]*$/;

/**
 * Converts to upper and then to lower case, so that ß equals ss and ı equals i. The final sigma becomes a sigma, and the
 * combining dot that lowercasing İ leaves is removed.
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
