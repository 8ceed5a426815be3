/** The clipboard of a VNC server, both ways: text only. */
import type { Clipboard } from '../../desktop.ts';
import type { Line } from './line.ts';

export function openClipboard(line: Line): Clipboard {
  const listeners = new Set<(text: string) => void>();
  /** What both sides have: passing it on again would send it round for ever. */
  let current: string | undefined;
  const hear = (text: string): void => {
    if (text === current) return;
    current = text;
    listeners.forEach((tell) => tell(text));
  };
  line.events.on('text', hear);
  return {
    onChange: (listener) => void listeners.add(listener),
    write(given) {
      const text = given.replaceAll('\r\n', '\n');
      if (text === current) return;
      line.write(text);
      current = text;
      // The others who share the line hear of it from here, as the server tells it to nobody but its own programs.
      line.events.emit('text', text);
    },
    close() {
      line.events.off('text', hear);
      listeners.clear();
    },
  };
}
