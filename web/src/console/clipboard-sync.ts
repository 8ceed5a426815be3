/** Synchronizes the clipboards of operator and device where the browser allows it; the menu covers the rest. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { mayUse } from './offers.ts';

export interface ClipboardSync {
  /** Whether the local clipboard is read and written automatically. */
  isAuto: boolean;
  /** The text that was last copied on the device. */
  readonly remote: string;
  send(text: string): void;
  /** Writes the device's text to the local clipboard. Returns false when the browser refuses. */
  copyToLocal(): Promise<boolean>;
  /** Reads the local clipboard and sends its text. The browser may ask the person. Returns false when it refuses. */
  readLocal(): Promise<boolean>;
}

const maxLength = 1_048_576;

/** `onMissed` is called when a text copied on the device could not be written to the local clipboard. */
export function createClipboardSync(session: RemoteSession, onMissed: () => void): ClipboardSync {
  let [remote, sent] = ['', ''];
  let isAuto = true;
  const send = (text: string): void => {
    const shortened = text.slice(0, maxLength);
    if (shortened === '' || shortened === sent || shortened === remote) return;
    if (session.send('clipboard', { text: shortened })) sent = shortened;
  };
  const copyToLocal = (): Promise<boolean> => isAllowed(() => navigator.clipboard.writeText(remote));
  const readLocal = (): Promise<boolean> => isAllowed(async () => send(await navigator.clipboard.readText()));
  /** Never triggers the browser's permission prompt: only an action of the person may do that. */
  const readLocalIfAllowed = async (): Promise<void> => {
    if (isAuto && mayUse(session, 'clipboard') && (await mayRead())) await readLocal();
  };
  session.on('clipboard', ({ text }) => {
    [remote, sent] = [text, ''];
    if (!isAuto) return;
    // Only right after user activity: a device must not overwrite the clipboard of a person who only watches.
    if (!navigator.userActivation?.isActive) return onMissed();
    void copyToLocal().then((isCopied) => isCopied || onMissed());
  });
  addEventListener('focus', () => void readLocalIfAllowed());
  return {
    get isAuto() {
      return isAuto;
    },
    set isAuto(next) {
      isAuto = next;
    },
    get remote() {
      return remote;
    },
    send,
    copyToLocal,
    readLocal,
  };
}

async function isAllowed(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

async function mayRead(): Promise<boolean> {
  const name = 'clipboard-read' as PermissionName;
  const { state } = await navigator.permissions.query({ name }).catch(() => ({ state: 'denied' }));
  return state === 'granted';
}
