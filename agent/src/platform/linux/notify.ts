/** Shows a message to the users of the device: on every terminal, and in a window on the screen. */
import { openShownDesktop } from './shown-desktop.ts';
import { notifyTerminals } from './power.ts';
import { showMessage } from '../panes/ask.ts';
import { connectToDisplay } from './x11/connection.ts';
import { paneScreenOf } from './x11/windows/pane.ts';

const seconds = 30;

/** Resolves when the message was confirmed on the screen, or was shown for a while. It never rejects. */
export async function notifyUsers(message: string, signal?: AbortSignal): Promise<void> {
  await Promise.allSettled([notifyTerminals(message), notifyOnScreen(message, signal)]);
}

async function notifyOnScreen(message: string, signal?: AbortSignal): Promise<void> {
  const desktop = await openShownDesktop().catch(() => undefined);
  if (!desktop) return notifyOnDisplay(message, signal);
  try {
    await desktop.inform(message, seconds, signal);
  } finally {
    desktop.close();
  }
}

/** For a Wayland desktop whose screen cannot be shown, but which has XWayland. */
async function notifyOnDisplay(question: string, signal?: AbortSignal): Promise<void> {
  const connection = await connectToDisplay();
  try {
    await showMessage(paneScreenOf(connection), { question, seconds, signal });
  } finally {
    connection.close();
  }
}
