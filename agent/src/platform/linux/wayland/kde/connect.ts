/** Connects to KWin as the program to which it grants its interfaces. */
import { loadLibc } from '../libc.ts';
import { connectToCompositor, type WaylandConnection } from '../wire/connection.ts';

const [getDumpable, setDumpable] = [3, 4];
/** KWin of Plasma 5 reads the whole program twice before it answers. */
const answerTimeoutMs = 20_000;

export interface KwinConnection {
  connection: WaylandConnection;
  /** Whether other programs of the person cannot look into this process, as in the helper that the service has started. */
  isClosedToOthers: boolean;
}

/**
 * KWin looks up which program connects. It runs as the person, who cannot look into the helper, so the helper allows
 * that until it is connected.
 */
export async function connectToKwin(): Promise<KwinConnection> {
  const { prctl } = await loadLibc();
  const isClosedToOthers = prctl(getDumpable, 0, 0, 0, 0) !== 1;
  prctl(setDumpable, 1, 0, 0, 0);
  try {
    return { connection: await connectToCompositor(process.env, answerTimeoutMs), isClosedToOthers };
  } finally {
    if (isClosedToOthers) prctl(setDumpable, 0, 0, 0, 0);
  }
}
