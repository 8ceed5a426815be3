/** Synchronizes the text clipboard with a VNC server in both directions. */
import type { Clipboard } from '../../desktop.ts';
import type { VncConnection } from './connection.ts';

export function openClipboard(vnc: VncConnection): Clipboard {
  const listeners = new Set<(text: string) => void>();
  /** The text that both sides have; it is not sent again, because that would cause an endless loop. */
  let current: string | undefined;
  const onText = (text: string): void => {
    if (text === current) return;
    current = text;
    listeners.forEach((listener) => listener(text));
  };
  vnc.events.on('text', onText);
  return {
    onChange: (listener) => void listeners.add(listener),
    write(newText) {
      const text = newText.replaceAll('\r\n', '\n');
      if (text === current) return;
      vnc.write(text);
      current = text;
      // Told to the other sessions on this connection, because the server does not echo the text.
      vnc.events.emit('text', text);
    },
    close() {
      vnc.events.off('text', onText);
      listeners.clear();
    },
  };
}
