/** Tells whoever works on the device something: on every terminal, and in a window on the screen. */
import { notifyTerminals } from './power.ts';
import { showMessage } from './x11/ask.ts';
import { connectToDisplay } from './x11/connection.ts';

const seconds = 30;

/** Resolves when it was read on the screen, or has been there for a while. That nobody sees it is no failure. */
export async function notifyUsers(message: string, signal?: AbortSignal): Promise<void> {
  await Promise.allSettled([notifyTerminals(message), notifyOnScreen(message, signal)]);
}

async function notifyOnScreen(question: string, signal?: AbortSignal): Promise<void> {
  const connection = await connectToDisplay();
  try {
    await showMessage(connection, { question, seconds, signal });
  } finally {
    connection.close();
  }
}
