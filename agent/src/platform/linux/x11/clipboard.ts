/** The clipboard of an X11 display: told when a program fills it, and owned while it holds what came from elsewhere. */
import type { Clipboard } from '../../desktop.ts';
import type { X11Connection } from './connection.ts';
import { createSelectionReader } from './selection-reader.ts';
import { createSelectionServer } from './selection-server.ts';
import { atomNames, type Atoms, longestText } from './selection-atoms.ts';

/** Where answers are put, in turn: one that comes late must not be taken for that of the next question. */
const answerNames = ['DRAWBRIDGE_1', 'DRAWBRIDGE_2', 'DRAWBRIDGE_3', 'DRAWBRIDGE_4'];
/** The masks of the protocol: who takes over a selection; changes of properties. */
const anyOwner = 7;
const propertyChange = 0x40_0000;

export async function openClipboard(connection: X11Connection): Promise<Clipboard> {
  const { client, root, call } = connection;
  const fixes = await connection.extension('fixes');
  const atomsOf = (given: readonly string[]): Promise<number[]> =>
    Promise.all(given.map((name) => call<number>((done) => client.InternAtom(false, name, done))));
  const numbers = await atomsOf(atomNames);
  const atoms = Object.fromEntries(atomNames.map((name, index) => [name, numbers[index]])) as Atoms;
  const properties = await atomsOf(answerNames);
  const window = client.AllocID();
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, 0, 0, { eventMask: propertyChange });
  fixes.SelectSelectionInput(window, atoms.CLIPBOARD, anyOwner);

  const listeners = new Set<(text: string) => void>();
  /** What both sides have: passing it on again would send it round for ever. */
  let current: string | undefined;
  const reader = createSelectionReader(connection, { window, atoms, properties }, (text) => {
    if (text === current) return;
    current = text;
    listeners.forEach((tell) => tell(text));
  });
  const server = createSelectionServer(connection, { window, atoms });
  const stopListening = connection.onEvent((event) => {
    const isOwnerChange = event.name === 'SelectionNotify' && event['owner'] !== undefined;
    if (isOwnerChange && event['window'] === window) {
      const { owner } = event as unknown as { owner: number };
      if (owner !== 0 && owner !== window) reader.request();
    } else if (!isOwnerChange) {
      reader.handleEvent(event);
      server.handleEvent(event);
    }
  });

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
