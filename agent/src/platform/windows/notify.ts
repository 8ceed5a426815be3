/** Shows a message to the user of the device in a window. */
import { showMessage } from '../panes/ask.ts';
import { paneScreen } from './panes/pane.ts';
import { loadDesktopApi } from './screen/desktop-api.ts';

const seconds = 30;

/** Resolves when the message was confirmed, or was shown for a while. It never rejects. */
export async function notifyUser(message: string, signal?: AbortSignal): Promise<void> {
  try {
    await showMessage(paneScreen(await loadDesktopApi()), { question: message, seconds, signal });
  } catch {
    // Nobody is there to read it.
  }
}
