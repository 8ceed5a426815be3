/** Connects to KWin as the program to which it grants its interfaces. */
import { openToOthers } from '../closed-process.ts';
import { connectToCompositor, type WaylandConnection } from '../wire/connection.ts';

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
  const closeToOthers = await openToOthers();
  try {
    const connection = await connectToCompositor(process.env, answerTimeoutMs);
    return { connection, isClosedToOthers: closeToOthers !== undefined };
  } finally {
    closeToOthers?.();
  }
}
