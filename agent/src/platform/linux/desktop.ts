/** The X11 desktop of whoever works on the device, put together from its parts; all who use it share one connection. */
import type { Desktop } from '../desktop.ts';
import { NotPossible } from '../platform.ts';
import { marked } from './shield-mark.ts';
import { ask } from './x11/ask.ts';
import { showBanner } from './x11/banner.ts';
import { openCapture } from './x11/capture.ts';
import { chat } from './x11/chat.ts';
import { openClipboard } from './x11/clipboard.ts';
import { connectToDisplay, type Connection } from './x11/connection.ts';
import { openInput } from './x11/input.ts';
import { isXwayland, layoutOf, watchLayout } from './x11/layout.ts';
import { resizeScreen } from './x11/resize.ts';
import { raiseShield } from './x11/shield.ts';

/** The connection all desktops share, and how many hold it. */
let shared: { connection: Promise<Connection>; holders: number } | undefined;

async function connect(): Promise<Connection> {
  const connection = await connectToDisplay();
  if (await isXwayland(connection)) {
    connection.close();
    throw new NotPossible(
      'The person at the device works under Wayland, whose screen this agent can not show.',
    );
  }
  return connection;
}

/** Whoever comes first connects, and whoever leaves last closes; after a failure or a lost display the next one tries anew. */
async function hold(): Promise<{ connection: Connection; release: () => void }> {
  const held = (shared ??= { connection: connect(), holders: 0 });
  const forget = (): void => {
    if (shared === held) shared = undefined;
  };
  held.holders += 1;
  const connection = await held.connection.catch((error: unknown) => {
    forget();
    throw error;
  });
  connection.onClose(forget);
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    held.holders -= 1;
    if (held.holders === 0) connection.close();
  };
  return { connection, release };
}

export async function openDesktop(): Promise<Desktop> {
  const { connection, release } = await hold();
  const stops: (() => void)[] = [];
  let isOpen = true;
  return {
    layout: () => layoutOf(connection),
    onLayout: (listener) => void stops.push(watchLayout(connection, listener)),
    onClose: (listener) => connection.onClose(() => isOpen && listener()),
    capture: () => openCapture(connection),
    resize: (width, height) => resizeScreen(connection, width, height),
    input: () => openInput(connection),
    clipboard: () => openClipboard(connection),
    shield: () => marked(() => raiseShield(connection)),
    banner: (text) => showBanner(connection, text),
    ask: (question, seconds, signal) => ask(connection, { question, seconds, signal }),
    chat: (name, text, onReply) => chat(connection, { name, text, onReply }),
    close: () => {
      isOpen = false;
      for (const stop of stops) stop();
      release();
    },
  };
}

/**
 * Gives back the picture of a screen that an agent blacked out before it was killed: a screen that is black already gets
 * it back when a new shield is lowered.
 */
export async function recoverScreen(): Promise<void> {
  const desktop = await openDesktop();
  try {
    await (
      await desktop.shield()
    )();
  } finally {
    desktop.close();
  }
}
