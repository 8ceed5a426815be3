/** The clipboard of a VNC server, both ways: text only. */
import type { Clipboard } from '../../desktop.ts';
import type { VncConnection } from './connection.ts';

export function openClipboard(vnc: VncConnection): Clipboard {
  const listeners = new Set<(text: string) => void>();
  /** What both sides have: passing it on again would send it round for ever. */
  let current: string | undefined;
  const onText = (text: string): void => {
    if (text === current) return;
    current = text;
    listeners.forEach((tell) => tell(text));
  };
  vnc.events.on('text', onText);
  return {
    onChange: (listener) => void listeners.add(listener),
    write(given) {
      const text = given.replaceAll('\r\n', '\n');
      if (text === current) return;
      vnc.write(text);
      current = text;
      // The others who share the line hear of it from here, as the server tells it to nobody but its own programs.
      vnc.events.emit('text', text);
    },
    close() {
      vnc.events.off('text', onText);
      listeners.clear();
    },
  };
}
