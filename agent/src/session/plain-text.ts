/** Makes untrusted text safe to show: removes characters that hide, reorder or break it. */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
