/** Small things that this browser remembers; where storage is turned off, they hold until the page is closed. */

export function recall(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

/** Nothing is remembered by an empty text. */
export function remember(place: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(place);
    else localStorage.setItem(place, value);
  } catch {
    // It holds until the page is closed.
  }
}
