/** Lets other programs of the person look into this process. Into the helper that starts as root they cannot, unless it allows that. */
import { loadLibc } from './libc.ts';

const [getDumpable, setDumpable] = [3, 4];

/** Returns a function that closes the process again; undefined if it was not closed. */
export async function openToOthers(): Promise<(() => void) | undefined> {
  const { prctl } = await loadLibc();
  if (prctl(getDumpable, 0, 0, 0, 0) === 1) return undefined;
  prctl(setDumpable, 1, 0, 0, 0);
  return () => void prctl(setDumpable, 0, 0, 0, 0);
}
