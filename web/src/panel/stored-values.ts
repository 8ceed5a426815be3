/** Values in the browser's local storage; where storage is disabled, they last until the page is closed. */

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** An empty value removes the entry. */
export function writeStored(key: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is disabled: the value lasts until the page is closed.
  }
}
