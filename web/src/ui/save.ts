/** Puts something into the person's downloads. */

/** Without the characters that are no part of a name on some system. */
export const safeName = (name: string): string => name.replace(/[\p{Cc}\\/:*?"<>|]/gu, '_') || 'file';

export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = safeName(name);
  link.click();
  // The browser has begun to copy by then; a page that lives on must not keep the file for ever.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
