/** Small things that this browser remembers; where storage is turned off, they hold until the page is closed. */

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Nothing is remembered by an empty text. */
export function writeStored(key: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // It holds until the page is closed.
  }
}
