/** Makes untrusted text safe to show: removes characters that hide, reorder or break it, and shortens names. */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/** Longer names are shortened in the middle, so that the rest of the banner stays visible. */
const maxNameLength = 64;
const maxReasonLength = 100;

/** Longer reasons are cut. */
export function shortenReason(reason: string): string {
  const characters = [...reason];
  return characters.length <= maxReasonLength ? reason : `${characters.slice(0, maxReasonLength).join('')}…`;
}

export function shortenName(name: string): string {
  const characters = [...name];
  if (characters.length <= maxNameLength) return name;
  const half = Math.floor(maxNameLength / 2);
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}
