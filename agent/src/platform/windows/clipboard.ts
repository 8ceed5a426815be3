/** The text clipboard: read when Windows reports a change, and written with the text of the operator. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clipboard } from '../desktop.ts';
import { readWideText, wideText } from './api/wide-text.ts';
import type { Handle, WindowsApi } from './api/windows-api.ts';
import { createWindow } from './create-window.ts';
import { handleMessages } from './message-loop.ts';

const unicodeText = 13;
const movable = 2;
const clipboardUpdate = 0x31d;
/** The parent of windows that only receive messages. */
const messageOnly = -3;
/** Longer texts, in bytes, are not transferred. */
const longestText = 1_048_576;
/** Another program can have the clipboard open for a moment. */
const [attempts, retryMs] = [10, 30];

export function openClipboard(api: WindowsApi): Clipboard {
  const listeners = new Set<(text: string) => void>();
  const window = createWindow(api, { parent: messageOnly });
  /** The text that both sides have; it is not sent again, because that would cause an endless loop. */
  let current: string | undefined;
  let isOpen = true;
  const update = async (): Promise<void> => {
    // Opening it after one's own text was written would stop the person from pasting that text.
    if (Number(api.GetClipboardOwner()) === Number(window)) return;
    const text = await whileOpen(api, window, () => readText(api));
    if (text === undefined || text === current || !isOpen) return;
    current = text;
    listeners.forEach((listener) => listener(text));
  };
  api.AddClipboardFormatListener(window);
  const stop = handleMessages(api, window, ({ kind }) => {
    if (kind === clipboardUpdate) void update();
    return kind === clipboardUpdate;
  });
  return {
    onChange: (listener) => void listeners.add(listener),
    write(newText) {
      const text = newText.replaceAll('\r\n', '\n');
      if (text === current || Buffer.byteLength(text) > longestText) return;
      current = text;
      void whileOpen(api, window, () => writeText(api, text));
    },
    close() {
      isOpen = false;
      stop();
      listeners.clear();
      api.DestroyWindow(window);
    },
  };
}

/** Undefined if another program keeps the clipboard open. */
async function whileOpen<Result>(
  api: WindowsApi,
  window: Handle,
  work: () => Result,
): Promise<Result | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (api.OpenClipboard(window))
      try {
        return work();
      } finally {
        api.CloseClipboard();
      }
    await pause(retryMs);
  }
  return undefined;
}

/** Undefined if the clipboard holds no text, or too much. */
function readText(api: WindowsApi): string | undefined {
  const handle = api.GetClipboardData(unicodeText);
  if (Number(handle) === 0) return undefined;
  const bytes = Number(api.GlobalSize(handle));
  if (bytes > 2 * longestText) return undefined;
  const address = api.GlobalLock(handle);
  if (Number(address) === 0) return undefined;
  const text = readWideText(Buffer.from(api.memory(address, bytes)));
  api.GlobalUnlock(handle);
  return text.replaceAll('\r\n', '\n');
}

/** The memory belongs to Windows once it is in the clipboard. */
function writeText(api: WindowsApi, text: string): void {
  const bytes = wideText(text.replaceAll('\n', '\r\n'));
  const handle = api.GlobalAlloc(movable, bytes.length);
  if (Number(handle) === 0) return;
  bytes.copy(api.memory(api.GlobalLock(handle), bytes.length));
  api.GlobalUnlock(handle);
  api.EmptyClipboard();
  if (Number(api.SetClipboardData(unicodeText, handle)) === 0) api.GlobalFree(handle);
}
