/** Text of others, made fit to be shown: without characters that hide, reorder or break it. */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
