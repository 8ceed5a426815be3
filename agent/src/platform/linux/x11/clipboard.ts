/** The clipboard of an X11 display: reads it when another program takes it over, and owns it while it holds remote text. */
import type x11 from 'x11';
import type { Clipboard } from '../../desktop.ts';
import type { X11Connection } from './connection.ts';
import { internAtoms } from './intern-atoms.ts';
import { createSelectionReader, type SelectionReader } from './selection-reader.ts';
import { createSelectionServer, type SelectionServer } from './selection-server.ts';
import { atomNames, longestText } from './selection-atoms.ts';

/** The properties for answers, used in turn, so that a late answer is not taken for that of the next request. */
const answerNames = ['DRAWBRIDGE_1', 'DRAWBRIDGE_2', 'DRAWBRIDGE_3', 'DRAWBRIDGE_4'];
/** Event masks of the protocol: changes of the selection owner, and changes of properties. */
const anyOwner = 7;
const propertyChange = 0x40_0000;

export async function openClipboard(connection: X11Connection): Promise<Clipboard> {
  const { client } = connection;
  const fixes = await connection.extension('fixes');
  const atoms = await internAtoms(connection, atomNames);
  const properties = Object.values(await internAtoms(connection, answerNames));
  const window = createHiddenWindow(connection);
  fixes.SelectSelectionInput(window, atoms.CLIPBOARD, anyOwner);

  const listeners = new Set<(text: string) => void>();
  /** The text that both sides have; it is not sent again, because that would cause an endless loop. */
  let current: string | undefined;
  const reader = createSelectionReader(connection, { window, atoms, properties }, (text) => {
    if (text === current) return;
    current = text;
    listeners.forEach((listener) => listener(text));
  });
  const server = createSelectionServer(connection, { window, atoms });
  const stopListening = connection.onEvent((event) => handleEvent(event, window, { reader, server }));
  return {
    onChange: (listener) => void listeners.add(listener),
    write(text) {
      if (text === current || Buffer.byteLength(text) > longestText) return;
      current = text;
      server.setText(text);
      client.SetSelectionOwner(window, atoms.CLIPBOARD, 0);
    },
    close() {
      stopListening();
      listeners.clear();
      client.DestroyWindow(window);
    },
  };
}

function createHiddenWindow({ client, root }: X11Connection): number {
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 0, 0, { eventMask: propertyChange });
  return window;
}

function handleEvent(
  event: x11.Event,
  window: number,
  { reader, server }: { reader: SelectionReader; server: SelectionServer },
): void {
  const isOwnerChange = event.name === 'SelectionNotify' && event['owner'] !== undefined;
  if (isOwnerChange && event['window'] === window) {
    const { owner } = event as unknown as { owner: number };
    if (owner !== 0 && owner !== window) reader.request();
  } else if (!isOwnerChange) {
    reader.handleEvent(event);
    server.handleEvent(event);
  }
}
