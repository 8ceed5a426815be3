/** The clipboards of both sides: kept the same where the browser allows it, and by hand where it does not. */
import type { RemoteSession } from '../session/session.ts';

export interface ClipboardSync {
  /** Whether one's own clipboard is looked at, and written, without asking each time. */
  isAuto: boolean;
  /** What was copied on the device last. */
  readonly remote: string;
  send(text: string): void;
  /** Takes over what was copied on the device; false when the browser does not allow it. */
  copyToLocal(): Promise<boolean>;
  /** Looks at one's own clipboard; the browser may ask the person. False when it does not allow it. */
  readLocal(): Promise<boolean>;
}

const maxLength = 1_048_576;

/** `onMissed`: something was copied on the device and could not be put here. */
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
  /** Without a question to the person: those come only when they asked for it. */
  const readLocalIfAllowed = async (): Promise<void> => {
    if (isAuto && session.permissions.has('agent_clipboard') && (await mayRead())) await readLocal();
  };
  session.on('clipboard', ({ text }) => {
    [remote, sent] = [text, ''];
    if (!isAuto) return;
    // Only right after the person did something here: a device must not fill the clipboard of who looks on.
    if (!navigator.userActivation?.isActive) return onMissed();
    void copyToLocal().then((isTaken) => isTaken || onMissed());
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
